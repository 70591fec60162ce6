// Ids are long and titles are words: a unique beginning of either names a task.
import { Failure } from "../../contract/failure.ts";
import { nearestName } from "../../contract/names/nearest-name.ts";
import type { GatewayClient } from "../../contract/wire/client.ts";
import type { PlannedTask } from "../../contract/wire/methods/tasks.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

export type NamedTask = { id: string; title: string };

export const mostListed = 1000;
const mostNamed = 10;
const shortestId = 6;

/** What is still to come goes before what is over, where the same word fits both. */
export async function findTask(client: GatewayClient, wanted: string): Promise<PlannedTask> {
  const { tasks } = await client.call("tasks.list", { limit: mostListed });
  if (matchTasks(tasks, wanted).length > 0) return pickTask(tasks, wanted);
  const { tasks: all } = await client.call("tasks.list", { limit: mostListed, ended: true });
  return pickTask(all, wanted);
}

export function pickTask<Task extends NamedTask>(tasks: readonly Task[], wanted: string): Task {
  const found = matchTasks(tasks, wanted);
  const [only] = found;
  if (only && found.length === 1) return only;
  throw new Failure(only ? severalWords(tasks, found, wanted) : noneWords(tasks, wanted));
}

/** The task of this very id or title, else all whose id or title begins so. */
export function matchTasks<Task extends NamedTask>(tasks: readonly Task[], wanted: string): readonly Task[] {
  const word = wanted.trim().toLowerCase();
  if (word === "") return [];
  const exact = tasks.filter(({ id, title }) => id.toLowerCase() === word || title.toLowerCase() === word);
  if (exact.length > 0) return exact;
  return tasks.filter(({ id, title }) => [id, title].some((name) => name.toLowerCase().startsWith(word)));
}

/** The shortest beginning of each id that no other has, as a person would type it. */
export function shortIds(tasks: readonly NamedTask[]): string[] {
  const ids = tasks.map(({ id }) => id);
  return ids.map((id) => {
    for (let length = shortestId; length < id.length; length++) {
      const beginning = id.slice(0, length);
      if (ids.every((other) => other === id || !other.startsWith(beginning))) return beginning;
    }
    return id;
  });
}

function severalWords(all: readonly NamedTask[], found: readonly NamedTask[], wanted: string): string {
  const ids = shortIds(all);
  const lines = found
    .slice(0, mostNamed)
    .map((task) => `  ${ids[all.indexOf(task)] ?? task.id}  ${visibleLine(task.title, 60)}`);
  const more = found.length > mostNamed ? `\n  and ${found.length - mostNamed} more` : "";
  return `Several tasks fit “${visibleLine(wanted, 60)}”. Say more of the title, or the id:\n${lines.join("\n")}${more}`;
}

function noneWords(all: readonly NamedTask[], wanted: string): string {
  const meant = nearestName(
    wanted,
    all.map(({ title }) => title),
  );
  const question = meant ? `Did you mean “${visibleLine(meant, 60)}”? ` : "";
  return `No task has an id or a title that begins with “${visibleLine(wanted, 60)}”. ${question}List them: steward tasks --all`;
}
