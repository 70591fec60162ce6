// Which tasks a turn may see, and which one it means.
import { isBackground, taskConversation } from "../../contract/task/task.ts";
import type { ToolContext } from "../../contract/tool.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import { findTask, listTasks, type StoredTask } from "../../store/tasks/tasks.ts";
import type { TaskDeps } from "../task-deps.ts";
import type { TellLabels } from "./answering.ts";

const mostListed = 100;
const mostProposed = 10;

/** The owner sees all of them; somebody else only those of their own conversation, and from inside a run that one. */
export async function tasksFor(deps: TaskDeps, context: ToolContext): Promise<readonly StoredTask[]> {
  const isTrusted = seesAll(context);
  if (!isTrusted && isBackground(context.conversation)) {
    const own = await ownTask(deps, context);
    return own ? [own] : [];
  }
  const madeIn = isTrusted ? undefined : context.conversation;
  return (await listTasks(deps.database, { madeIn, ended: false, limit: mostListed, offset: 0 })).tasks;
}

function seesAll({ asker }: ToolContext): boolean {
  return asker.kind === "owner" || asker.kind === "system";
}

/** The one whose run this is. */
export async function ownTask(
  deps: TaskDeps,
  { conversation }: Pick<ToolContext, "conversation">,
): Promise<StoredTask | undefined> {
  return findTask(deps.database, conversation.slice(taskConversation("").length));
}

/** By its id, or by a part of its title that fits no other. */
export async function pickTask(
  deps: TaskDeps,
  context: ToolContext,
  wanted: string,
  tell: TellLabels,
): Promise<StoredTask> {
  const found = await findTask(deps.database, wanted.trim());
  const isVisible = seesAll(context) || found?.madeIn === context.conversation || isOwn(found, context);
  if (found && isVisible) return telling([found], tell)[0] ?? found;
  // what was approved by a name could be another task by now
  const { labels = [] } = (await conversationState(deps.database, context.conversation)) ?? {};
  const isAsked = labels.length > 0 && !isBackground(context.conversation);
  const tasks = await tasksFor(deps, context);
  const words = wanted.trim().toLowerCase();
  const fitting = tasks.filter(
    ({ id, definition }) => id.startsWith(words) || definition.title.toLowerCase().includes(words),
  );
  const [only] = telling(fitting, tell);
  if (only && fitting.length === 1 && !isAsked) return only;
  const proposed = telling((fitting.length > 0 ? fitting : tasks).slice(0, mostProposed), tell);
  const listed = proposed.map((task) => `${task.id}  ${task.definition.title}`);
  if (isAsked && fitting.length === 1)
    throw new CallRefused("not_found", `Beside text of others a task is named by its id:\n${listed.join("\n")}`);
  const problem = fitting.length > 1 ? `Several tasks fit “${wanted}”` : `No task fits “${wanted}”`;
  throw new CallRefused(
    "not_found",
    listed.length === 0 ? `${problem}: nothing is planned.` : `${problem}. There are:\n${listed.join("\n")}`,
  );
}

/** What is asked, with the task that is meant as it is now. */
export async function previewOf(deps: TaskDeps, id: string | undefined, question: string): Promise<string> {
  const task = id === undefined ? undefined : await findTask(deps.database, id.trim());
  if (!task) return question;
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
