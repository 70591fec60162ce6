// What speaks of something too, and is not for the memory to take away: each of it goes out with a sentence that says who does.
import type { TaskDefinition } from "../../contract/task/task.ts";
import type { Database } from "../../store/database/database.ts";
import { readEvent } from "../../store/log/event-row.ts";
import { listTasks } from "../../store/tasks/tasks.ts";
import type { Whose } from "../memory.ts";
import { folderOf, type NotePlaces, type NoteTexts, steeringFiles } from "../notes/note-files.ts";
import type { SpeaksOf } from "./asked-words.ts";
import { linesOf, shownLine } from "./note-lines.ts";
import type { Weighed } from "./said-of-it.ts";

export type StayingDeps = NotePlaces & {
  database: Database;
  texts: Pick<NoteTexts, "read">;
  isTheirs(conversation: string): Promise<boolean>;
};

export async function whatStays(deps: StayingDeps, whose: Whose, speaksOf: SpeaksOf): Promise<readonly Weighed[]> {
  return [...(await linesThatShape(deps, whose, speaksOf)), ...(await tasksOf(deps, speaksOf))];
}

/** The files that shape the assistant are the owner's own words to it. */
async function linesThatShape(deps: StayingDeps, whose: Whose, speaksOf: SpeaksOf): Promise<readonly Weighed[]> {
  if (whose.group !== undefined) return [];
  const found: Weighed[] = [];
  // what every group is told is among the notes already
  for (const path of steeringFiles.filter((name) => name !== "GLOBAL.md")) {
    const read = await deps.texts.read(folderOf(deps, whose), path);
    if ("refused" in read) continue;
    for (const [index, line] of linesOf(read.bytes).map(shownLine).entries()) {
      const times = speaksOf.times(line);
      const stays = "This file shapes Steward. Change it on the page Memory, under Files.";
      if (times > 0) found.push({ mention: { path, line: index + 1, text: line, stays }, times });
    }
  }
  return found;
}

/** What somebody planned stays until they change it; of what a task once was, the log keeps account. */
async function tasksOf({ database, isTheirs }: StayingDeps, speaksOf: SpeaksOf): Promise<readonly Weighed[]> {
  const { tasks } = await listTasks(database, { ended: false, limit: 1_000, offset: 0 });
  const found: Weighed[] = [];
  const told = new Set<string>();
  for (const { id, definition, madeIn, madeAtMs } of tasks) {
    const times = speaksOf.times(wordsOf(definition));
    if (times === 0 || !(await isTheirs(madeIn))) continue;
    const { title } = definition;
    const stays = `The task “${title}” speaks of it. Change or cancel it on the page Tasks.`;
    found.push({ mention: { text: title, atMs: madeAtMs, stays }, times });
    told.add(id);
  }
  const rows = await database.query("SELECT * FROM events WHERE type IN ('task.made', 'task.changed') ORDER BY seq");
  const madeIn = new Map<string, string>();
  for (const event of rows.map(readEvent)) {
    if (event.type !== "task.made" && event.type !== "task.changed") continue;
    if (event.type === "task.made") madeIn.set(event.task, event.madeIn);
    const { task, definition, atMs } = event;
    const times = definition ? speaksOf.times(wordsOf(definition)) : 0;
    if (!definition || times === 0 || told.has(task) || !(await isTheirs(madeIn.get(task) ?? ""))) continue;
    const stays = `A task that is over or has been changed since, “${definition.title}”, speaks of it. What it was stays in the log.`;
    found.push({ mention: { text: definition.title, atMs, stays }, times });
    told.add(task);
  }
  return found;
}

function wordsOf({ title, action }: TaskDefinition): string {
  return [title, ...Object.values(action).map(String)].join("\n");
}
