import type { NewEvent } from "../../contract/event.ts";
import { heartbeatConversation, heartbeatTask } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { Served } from "../../contract/wire/methods/define-methods.ts";
import type { heartbeatMethods } from "../../contract/wire/methods/heartbeat.ts";
import { heartbeatNotes } from "../../store/tasks/heartbeat-notes.ts";
import { runsOf } from "../../store/tasks/tasks.ts";
import { showRun } from "../plan/shown-task.ts";
import { momentWords } from "../run/run-words.ts";
import type { TaskDeps } from "../task-deps.ts";
import type { Beaten } from "./begin-beat.ts";
import type { Heartbeat } from "./open-heartbeat.ts";

export function serveHeartbeat(deps: TaskDeps, heartbeat: Heartbeat): Served<typeof heartbeatMethods> {
  return {
    async "heartbeat.get"() {
      const [last] = await runsOf(deps.database, heartbeatTask, 1);
      const nextAtMs = heartbeat.nextAtMs();
      return {
        enabled: deps.settings.heartbeat.enabled,
        words: await heartbeat.describe(),
        ...(nextAtMs !== undefined && { nextAtMs }),
        notes: (await heartbeatNotes(deps.database)).length,
        sessionKey: heartbeatConversation,
        ...(last && { lastRun: await showRun(deps, last) }),
      };
    },
    async "heartbeat.beat"() {
      requireOn(deps);
      return begun(await heartbeat.beatNow());
    },
    async "heartbeat.tell"(_caller, { text, kind, now }) {
      requireOn(deps);
      const note: NewEvent = { type: "heartbeat.noted", conversation: heartbeatConversation, kind, text, labels: [] };
      await deps.log.append([note], { durable: true });
      if (now) return begun(await heartbeat.beatNow());
      const nextAtMs = heartbeat.nextAtMs() ?? deps.world.nowMs();
      return { words: `Noted. The next look is ${momentWords(nextAtMs, deps.timeZone)} at the latest.` };
    },
  };
}

function requireOn({ settings }: TaskDeps): void {
  if (!settings.heartbeat.enabled)
    throw new CallRefused("conflict", "The heartbeat is off. Set heartbeat.enabled to true to have it look around.");
}

function begun(beaten: Beaten): { run?: string; words: string } {
  switch (beaten.kind) {
    case "begun":
      return { run: beaten.run, words: "Looking around. If something needs your attention, you are told." };
    case "busy":
      return { words: "A look is under way. Another one follows it." };
    case "nothing":
      return { words: "There is nothing to look at: HEARTBEAT.md in the workspace asks for nothing." };
    case "no model":
      return { words: "No language model is connected, and rules alone cannot look around. Connect one first." };
    default:
      return beaten satisfies never;
  }
}
