// One look around: left out at no cost when there is nothing to look at, else a message that comes in by the front door.
import type { RoomBase } from "../../contract/room/room-base.ts";
import { heartbeatConversation, heartbeatTask, type RunRef } from "../../contract/task/task.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import { notesKey } from "../../store/tasks/heartbeat-notes.ts";
import { runsOf, type StoredRun } from "../../store/tasks/tasks.ts";
import { scheduler, type TaskDeps } from "../task-deps.ts";
import { beatPrompt } from "./beat-words.ts";
import { chooseBeatModel } from "./choose-model.ts";
import { readInstructions } from "./read-instructions.ts";
import { readNotes } from "./read-notes.ts";

export type BeatDeps = TaskDeps &
  Pick<RoomBase, "models"> & {
    /** The owner's files in the workspace, as they are now. */
    conventionFiles(): Promise<{ files: readonly { name: string; text: string }[] }>;
  };

/** Why nothing was begun: an earlier one is under way, there is nothing to look at, or nobody who could. */
export type Beaten = { kind: "begun"; run: string } | { kind: "busy" | "nothing" | "no model" };

/** all: what HEARTBEAT.md asks for, and what has happened. events: only the latter. */
export type Look = "all" | "events";

// a question that nobody answers ends the look that asks it, so that others can follow
const longestWaitMs = 24 * 3_600_000;

export async function beginBeat(deps: BeatDeps, dueAtMs: number, look: Look): Promise<Beaten> {
  const [last] = await runsOf(deps.database, heartbeatTask, 1);
  if (last?.dueAtMs === dueAtMs) return { kind: "begun", run: last.id };
  // what the one before has said is handed on first, with the labels of what it has read
  if (last && last.settled === undefined) return leaveOut(deps, last);
  const instructions = look === "all" ? await findInstructions(deps) : "";
  const notes = await readNotes(deps);
  if (instructions === "" && !notes) return { kind: "nothing" };
  if (!(await configureModel(deps))) return { kind: "no model" };
  const run = { task: heartbeatTask, cause: "heartbeat" as const, dueAtMs };
  return receive(deps, {
    text: beatPrompt(notes?.kinds ?? new Set(), instructions),
    run: notes ? { ...run, key: notesKey(notes.lastSeq) } : run,
    ...(notes && { data: notes.data, labels: notes.labels }),
  });
}

async function leaveOut(deps: BeatDeps, { state, beganAtMs }: StoredRun): Promise<Beaten> {
  if (state === "waiting" && deps.world.nowMs() - beganAtMs > longestWaitMs)
    await deps.queue.stop(heartbeatConversation, scheduler);
  return { kind: "busy" };
}

/** What HEARTBEAT.md asks for; empty when it asks for nothing. */
export async function findInstructions(deps: Pick<BeatDeps, "conventionFiles">): Promise<string> {
  const { files } = await deps.conventionFiles();
  return readInstructions(files.find(({ name }) => name === "HEARTBEAT.md")?.text ?? "");
}

/** False: there is no model that could look. */
async function configureModel(deps: BeatDeps): Promise<boolean> {
  const chosen = await chooseBeatModel(deps.models, deps.settings.heartbeat.model);
  if (chosen.kind === "none") return false;
  const state = await conversationState(deps.database, heartbeatConversation);
  const isSet = state?.thinking === "off" && (state.model ?? null) === chosen.name;
  if (!isSet)
    await deps.log.append([
      {
        ...{ type: "conversation.configured", conversation: heartbeatConversation, title: "Heartbeat" },
        ...{ model: chosen.name, thinking: "off" },
      },
    ]);
  return true;
}

type Beginning = { text: string; run: RunRef; data?: string; labels?: readonly string[] };

async function receive(deps: BeatDeps, beginning: Beginning): Promise<Beaten> {
  const { accepted, messageId } = await deps.receive({
    ...{ conversation: heartbeatConversation, channel: "heartbeat", attachments: [] },
    ...beginning,
    sender: { kind: "system", id: heartbeatTask },
    idempotencyKey: `heartbeat:${beginning.run.dueAtMs}`,
  });
  return accepted ? { kind: "begun", run: messageId } : { kind: "busy" };
}
