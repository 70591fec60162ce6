// Which tasks a turn may see, and which one it means.
import { isBackground, taskConversation } from "../../contract/task/task.ts";
import type { Asked, ToolContext } from "../../contract/tool.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { findGroup } from "../../store/channels/find-group.ts";
import { findTask, listTasks, type StoredTask } from "../../store/tasks/tasks.ts";
import type { TaskDeps } from "../task-deps.ts";
import type { TellLabels } from "./answering.ts";
import { lineOf } from "./task-words.ts";

type Seeing = Pick<ToolContext, "asker" | "conversation" | "group">;

const mostListed = 100;
const mostLookedAt = 10_000;
const mostProposed = 10;

/** The owner sees all of them; somebody else only those of their own conversation, and from inside a run that one. */
export async function tasksFor(deps: TaskDeps, context: Seeing): Promise<readonly StoredTask[]> {
  const isTrusted = seesAll(context);
  if (!isTrusted && isBackground(context.conversation)) {
    const own = await ownTask(deps, context);
    return own ? [own] : [];
  }
  if (context.group) return groupTasks(deps, context.group.name);
  const madeIn = isTrusted ? undefined : context.conversation;
  return (await listTasks(deps.database, { madeIn, ended: false, limit: mostListed, offset: 0 })).tasks;
}

/** Of the group, in whichever of its threads they were made. */
async function groupTasks({ database }: TaskDeps, name: string): Promise<readonly StoredTask[]> {
  const { tasks } = await listTasks(database, { ended: false, limit: mostLookedAt, offset: 0 });
  const own: StoredTask[] = [];
  for (const task of tasks)
    if (own.length < mostListed && (await findGroup(database, taskConversation(task.id)))?.name === name)
      own.push(task);
  return own;
}

function seesAll({ asker }: Seeing): boolean {
  return asker.kind === "owner" || asker.kind === "system";
}

/** The one whose run this is. */
export async function ownTask(
  deps: TaskDeps,
  { conversation }: Pick<ToolContext, "conversation">,
): Promise<StoredTask | undefined> {
  return findTask(deps.database, conversation.slice(taskConversation("").length));
}

async function isOfPlace({ database }: TaskDeps, { id, madeIn }: StoredTask, { group, conversation }: Seeing) {
  if (!group) return madeIn === conversation;
  return (await findGroup(database, taskConversation(id)))?.name === group.name;
}

/** By its id, or by a part of its title that fits no other. */
export async function pickTask(
  deps: TaskDeps,
  context: ToolContext,
  wanted: string,
  tell: TellLabels,
): Promise<StoredTask> {
  const found = await findTask(deps.database, wanted.trim());
  const isVisible = seesAll(context) || (found && (await isOfPlace(deps, found, context))) || isOwn(found, context);
  if (found && isVisible) return telling([found], tell)[0] ?? found;
  const tasks = await tasksFor(deps, context);
  const words = wanted.trim().toLowerCase();
  const fitting = fittingTasks(tasks, words);
  const [only] = telling(fitting, tell);
  if (only && fitting.length === 1) return requireApproved(deps, context, only, words);
  const proposed = telling((fitting.length > 0 ? fitting : tasks).slice(0, mostProposed), tell);
  const left = (fitting.length > 0 ? fitting : tasks).length - proposed.length;
  const listed = await Promise.all(proposed.map((task) => lineOf(deps, task, context)));
  const more = left > 0 ? [`and ${left} more`] : [];
  const problem =
    fitting.length > 1
      ? `Several tasks fit “${wanted}”. Name one by its whole title or by its id:`
      : `No task fits “${wanted}”${listed.length === 0 ? ": nothing is planned." : ". There are:"}`;
  throw new CallRefused("not_found", [problem, ...listed, ...more].join("\n"));
}

/** One whose title is just so wins over those that say more. */
function fittingTasks(tasks: readonly StoredTask[], words: string): readonly StoredTask[] {
  const exact = tasks.filter(({ definition }) => definition.title.toLowerCase() === words);
  if (exact.length > 0) return exact;
  return tasks.filter(({ id, definition }) => id.startsWith(words) || definition.title.toLowerCase().includes(words));
}

/** A name that somebody has approved could mean another task by now than the one they were shown. */
async function requireApproved(
  { database, log }: TaskDeps,
  { turn, callId }: ToolContext,
  task: StoredTask,
  words: string,
): Promise<StoredTask> {
  const asked = (await log.ofTurn(turn)).find((event) => event.type === "approval.asked" && event.callId === callId);
  if (!asked) return task;
  const { tasks: all } = await listTasks(database, { ended: true, limit: mostListed, offset: 0 });
  const others = fittingTasks(all, words).filter(({ id, state }) => id !== task.id && state === "ended");
  const lastOnes = await Promise.all(others.map(({ id }) => log.latest(taskConversation(id), mostProposed)));
  const hasEnded = lastOnes.flat().some((event) => event.type === "task.ended" && event.seq > asked.seq);
  if (task.madeAtMs <= asked.atMs && !hasEnded) return task;
  throw new CallRefused(
    "not_found",
    `“${words}” may mean another task than the one you were asked about. Use its id: ${task.id}`,
  );
}

/** What is asked, with the task that is meant as it is now, if whoever has it asked may see that. */
export async function previewOf(
  deps: TaskDeps,
  { asker, conversation, group }: Asked,
  id: string | undefined,
  question: string,
): Promise<string> {
  if (id === undefined || !asker || conversation === undefined) return question;
  const tasks = await tasksFor(deps, { asker, conversation, group });
  const fitting = tasks.filter((task) => task.id === id.trim());
  const [task, ...others] = fitting.length > 0 ? fitting : fittingTasks(tasks, id.trim().toLowerCase());
  if (!task || others.length > 0) return question;
  const { action, title } = task.definition;
  return `${question}\nThe task as it is now: “${title}”\n${action.kind === "do" ? action.prompt : action.text}`;
}

function isOwn(task: StoredTask | undefined, { conversation }: ToolContext): boolean {
  return task !== undefined && taskConversation(task.id) === conversation;
}

function telling(tasks: readonly StoredTask[], tell: TellLabels): readonly StoredTask[] {
  tell(tasks.flatMap(({ labels }) => labels));
  return tasks;
}
