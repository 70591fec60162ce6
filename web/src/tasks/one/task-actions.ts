// What a person can do with a task from its page; what went wrong is said, nothing is thrown.
import type { PlannedTask } from "../../../../src/contract/wire/methods/tasks.ts";
import type { App } from "../../app/app.ts";
import { failureWords } from "../../settings/loading.ts";

export function runTask(app: App, { id, action }: PlannedTask): Promise<void> {
  return orSay(app, app.link.call("tasks.run", { id }), action.kind === "say" ? "It has been said." : "It runs now.");
}

export function pauseTask(app: App, { id }: PlannedTask): Promise<void> {
  return orSay(app, app.link.call("tasks.pause", { id }), "Paused: it does nothing until you resume it.");
}

export function resumeTask(app: App, { id }: PlannedTask): Promise<void> {
  return orSay(app, app.link.call("tasks.resume", { id }), "It goes on.");
}

export async function endTask(app: App, { id, title }: PlannedTask): Promise<void> {
  const isSure = await app.confirm({
    title: `End “${title}”?`,
    text: "It does not come back. A run under way is stopped; what it has done so far stays.",
    ...{ yes: "End it", no: "Keep it" },
    tone: "error",
  });
  if (isSure) await orSay(app, app.link.call("tasks.cancel", { id }), "The task has ended.");
}

async function orSay(app: App, doing: Promise<unknown>, done: string): Promise<void> {
  try {
    await doing;
    app.say(done, { tone: "good" });
  } catch (error) {
    app.say(failureWords(error), { tone: "error" });
  }
}
