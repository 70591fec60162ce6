import { formatDuration } from "../../contract/words/amounts.ts";
import { heartbeatNotes } from "../../store/tasks/heartbeat-notes.ts";
import { momentWords } from "../run/run-words.ts";
import { hoursWords } from "./active-hours.ts";
import { nextBeat, type Rhythm } from "./beat-times.ts";
import { type BeatDeps, findInstructions } from "./begin-beat.ts";
import { chooseBeatModel } from "./choose-model.ts";

/** `heartbeat every 30 min from 8 to 21, next 14:30` */
export async function describeHeartbeat(deps: BeatDeps, rhythm: Rhythm): Promise<string> {
  const { enabled, model } = deps.settings.heartbeat;
  if (!enabled) return "heartbeat off";
  const nowMs = deps.world.nowMs();
  const nextAtMs = nextBeat(rhythm, nowMs);
  const [today, next] = [nowMs, nextAtMs].map((atMs) => momentWords(atMs, rhythm.timeZone));
  const isToday = today?.slice(0, -5) === next?.slice(0, -5);
  const every = `heartbeat every ${formatDuration(rhythm.intervalMs)} ${hoursWords(rhythm.hours)}`;
  if ((await chooseBeatModel(deps.models, model)).kind === "none")
    return `${every}, but no language model is connected: nobody looks`;
  const isIdle = (await findInstructions(deps)) === "" && (await heartbeatNotes(deps.database)).length === 0;
  return isIdle ? `${every}, nothing in HEARTBEAT.md` : `${every}, next ${isToday ? next?.slice(-5) : next}`;
}
