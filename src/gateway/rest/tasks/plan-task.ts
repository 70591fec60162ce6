// A planned task by plain HTTP: at a time, again and again, or when something happens.
import { z } from "zod";
import type { Caller } from "../../../contract/wire/caller.ts";
import { CallRefused } from "../../../contract/wire/client.ts";
import { PlannedTask } from "../../../contract/wire/methods/tasks.ts";
import type { RestDeps } from "../rest-deps.ts";
import type { NewTask } from "./new-task.ts";

const address = { path: z.string().optional(), secret: z.string().optional() };
const Made = z.object({ task: PlannedTask, ...address });

/** `path`, `secret`: of a webhook, in this answer and nowhere else. */
export const MadeTask = PlannedTask.extend(address);
export type MadeTask = z.infer<typeof MadeTask>;

export async function planTask(
  deps: Pick<RestDeps, "gateway">,
  caller: Caller,
  wish: NewTask,
  idempotencyKey: string | undefined,
): Promise<MadeTask> {
  const { prompt, sessionKey, agentId: agent, when, trigger, remind, group, ...choices } = wish;
  if (sessionKey !== undefined)
    throw new CallRefused("invalid", "A planned task has a conversation of its own; leave sessionKey out.");
  const further = { ...choices, agent, idempotencyKey };
  const { task, ...told } = Made.parse(await deps.gateway.call(caller, ...callFor()));
  return { ...task, ...told };

  function callFor(): [string, object] {
    if (trigger === undefined) {
      const action = remind ? { kind: "say", text: prompt } : { kind: "do", prompt };
      return ["tasks.create", { when, action, group, ...further }];
    }
    if (when !== undefined) throw new CallRefused("invalid", "Give either when or trigger, not both.");
    if (remind || group !== undefined)
      throw new CallRefused("invalid", `${remind ? "remind" : "group"}: goes with when only.`);
    return ["tasks.createEventTrigger", { prompt, trigger, ...further }];
  }
}
