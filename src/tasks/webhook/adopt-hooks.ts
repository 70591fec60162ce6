// Webhooks that were made before they belonged to tasks: each becomes a task with the same address and secret.
import { owner } from "../../contract/wire/caller.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { moveHook, type UnownedHook, unownedHooks } from "../../store/tasks/task-hooks.ts";
import { makeTask } from "../plan/make-task.ts";
import { readDefinition } from "../plan/read-wish.ts";
import type { TaskDeps } from "../task-deps.ts";

const usualPrompt = "Look at what came in and tell me what matters.";

export async function adoptHooks(deps: TaskDeps): Promise<void> {
  for (const hook of await unownedHooks(deps.database)) {
    try {
      await adopt(deps, hook);
    } catch (cause) {
      // there are as many tasks as there may be; the next start finds it again
      if (!(cause instanceof CallRefused)) throw cause;
      deps.trouble(
        `The webhook “${hook.name}” could not be made a task, and its address is closed until it is.`,
        cause,
      );
    }
  }
}

/** A start that is cut off in between makes no second task: the key is the hook's own. */
async function adopt(deps: TaskDeps, { id, name, prompt }: UnownedHook): Promise<void> {
  const action = { kind: "do" as const, prompt: prompt.trim() || usualPrompt };
  const title = name.trim() || "Webhook";
  const definition = readDefinition(
    { action, title, deliverTo: "last", overlap: "wait" },
    { kind: "webhook", name: title },
  );
  const made = { definition, by: owner.sender, madeIn: "", labels: [], idempotencyKey: `hook:${id}` };
  const { task } = await makeTask(deps, made);
  await moveHook(deps.database, id, task.id);
}
