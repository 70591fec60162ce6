// What the heartbeat should know of and has not told yet: notes of the owner, and what became of tasks and their commands.
import { z } from "zod";
import { type Event, type EventOf, tellsOfProcess } from "../../contract/event.ts";
import { heartbeatConversation, heartbeatTask, TaskDefinition, taskOf, tidyTask } from "../../contract/task/task.ts";
import type { Queryable } from "../database/database.ts";
import { insertRow, rowReader } from "../database/rows.ts";

/** command: one of a task that tells nobody has ended. task: a run has failed unheard, or was missed. note: somebody has said something. */
const NoteKind = z.enum(["command", "task", "note"]);
export type NoteKind = z.infer<typeof NoteKind>;

const readNote = rowReader(z.object({ seq: z.number(), kind: NoteKind }));
/** `seq`: the event that it is about. */
export type HeartbeatNote = ReturnType<typeof readNote>;

/** Oldest first. */
export async function heartbeatNotes(db: Queryable): Promise<readonly HeartbeatNote[]> {
  return (await db.query("SELECT seq, kind FROM heartbeat_notes ORDER BY seq")).map(readNote);
}

/** Names what a run of the heartbeat tells of: every note up to this one. */
export function notesKey(lastSeq: number): string {
  return `notes:${lastSeq}`;
}

/** Runs in the transaction that appends the event, after its run is folded. */
export async function foldNotes(tx: Queryable, event: Event): Promise<void> {
  switch (event.type) {
    case "heartbeat.noted":
      return addNote(tx, event.seq, event.kind);
    case "task.skipped":
      return event.why === "missed" ? addNote(tx, event.seq, "task") : undefined;
    case "task.settled":
      return foldSettled(tx, event);
    case "message.received":
      return tellsOfProcess(event) && (await isUnheard(tx, event)) ? addNote(tx, event.seq, "command") : undefined;
    case "turn.finished":
      return event.conversation === heartbeatConversation ? foldTold(tx, event) : undefined;
    case "conversation.deleted":
      await tx.query("DELETE FROM heartbeat_notes WHERE seq IN (SELECT seq FROM events WHERE conversation = ?)", [
        event.conversation,
      ]);
      return;
    default:
      return;
  }
}

async function addNote(tx: Queryable, seq: number, kind: NoteKind): Promise<void> {
  await insertRow(tx, "heartbeat_notes", { seq, kind }, "(seq) DO NOTHING");
}

/** What comes of a command is told by its task, unless that tells nobody anything. */
async function isUnheard(tx: Queryable, { conversation }: Event): Promise<boolean> {
  const [row] = await tx.query("SELECT definition FROM tasks WHERE id = ?", [taskOf(conversation) ?? ""]);
  return row !== undefined && TaskDefinition.parse(JSON.parse(String(row.definition))).deliverTo === "none";
}

/** A failure that was delivered is known already. */
async function foldSettled(tx: Queryable, { task, run, how, seq }: EventOf<"task.settled">): Promise<void> {
  if (how !== "kept" || task === heartbeatTask || task === tidyTask) return;
  const [settled] = await tx.query("SELECT state FROM task_runs WHERE id = ?", [run]);
  if (settled?.state === "failed") await addNote(tx, seq, "task");
}

/** What was told is no news any more; a look that was cut short has told nothing. */
async function foldTold(tx: Queryable, { turn, ending }: EventOf<"turn.finished">): Promise<void> {
  if (ending !== "answered") return;
  const [run] = await tx.query("SELECT run_key FROM task_runs WHERE turn = ? AND cause = 'heartbeat'", [turn]);
  const lastSeq = /^notes:(\d+)$/.exec(String(run?.run_key))?.[1];
  if (lastSeq !== undefined) await tx.query("DELETE FROM heartbeat_notes WHERE seq <= ?", [Number(lastSeq)]);
}
