// What waits for the heartbeat, in words: the events themselves know what happened.
import type { Event } from "../../contract/event.ts";
import { taskConversation } from "../../contract/task/task.ts";
import { count } from "../../contract/words/amounts.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import { type HeartbeatNote, heartbeatNotes, type NoteKind } from "../../store/tasks/heartbeat-notes.ts";
import { findRun, findTask } from "../../store/tasks/tasks.ts";
import { momentWords } from "../run/run-words.ts";
import type { TaskDeps } from "../task-deps.ts";
import { mostShortened, mostWhole, type Note, tellNotes } from "./tell-notes.ts";

type NoteDeps = Pick<TaskDeps, "database" | "log" | "timeZone">;

/** `lastSeq`: up to here it tells of all there is. */
export type Waiting = { kinds: ReadonlySet<NoteKind>; lastSeq: number; data: string; labels: readonly string[] };

export async function readNotes(deps: NoteDeps): Promise<Waiting | undefined> {
  const all = await heartbeatNotes(deps.database);
  const last = all.at(-1);
  if (!last) return undefined;
  const looked = all.slice(0, mostWhole + mostShortened);
  const events = new Map((await deps.log.at(looked.map(({ seq }) => seq))).map((event) => [event.seq, event]));
  const notes = await Promise.all(looked.map((note) => noteOf(deps, note, events.get(note.seq))));
  return {
    kinds: new Set(all.map(({ kind }) => kind)),
    lastSeq: last.seq,
    data: tellNotes(notes, countKinds(all)),
    labels: [...new Set(notes.flatMap(({ labels }) => labels))],
  };
}

function countKinds(notes: readonly HeartbeatNote[]): Record<NoteKind, number> {
  const counts = { command: 0, task: 0, note: 0 };
  for (const { kind } of notes) counts[kind] += 1;
  return counts;
}

async function noteOf(deps: NoteDeps, { kind }: HeartbeatNote, event: Event | undefined): Promise<Note> {
  switch (event?.type) {
    case "heartbeat.noted":
      return { kind, text: event.text, labels: event.labels };
    case "message.received": {
      const { labels = [] } = (await conversationState(deps.database, event.conversation)) ?? {};
      return { kind, text: event.text, labels: ["command", ...labels] };
    }
    case "task.skipped": {
      const since = momentWords(event.dueAtMs, deps.timeZone);
      const missed = `was left out ${count(event.times, "time")}, since ${since}, because Steward did not run then.`;
      return { kind, ...(await ofTask(deps, event.task, missed)) };
    }
    case "task.settled": {
      const error = (await findRun(deps.database, event.run))?.error ?? "it broke off";
      return { kind, ...(await ofTask(deps, event.task, `has failed: ${error}`)) };
    }
    default:
      return { kind, text: "(forgotten since)", labels: [] };
  }
}

async function ofTask(deps: NoteDeps, id: string, became: string): Promise<Pick<Note, "text" | "labels">> {
  const task = await findTask(deps.database, id);
  const { labels = [] } = (await conversationState(deps.database, taskConversation(id))) ?? {};
  return {
    text: `The task “${task?.definition.title ?? id}” (${id}) ${became}`,
    labels: [...(task?.labels ?? []), ...labels],
  };
}
