import { type RunRef, taskConversation } from "../../contract/task/task.ts";
import type { TaskDeps } from "../task-deps.ts";
import { runEventKey } from "./begin-run.ts";

/** What came from outside and begins no run stands among the runs all the same, once; its number in the log. */
export async function skipRun(deps: Pick<TaskDeps, "log">, run: RunRef): Promise<number> {
  const conversation = taskConversation(run.task);
  const { events } = await deps.log.append([{ type: "task.skipped", conversation, ...run, why: "busy", times: 1 }], {
    idempotencyKey: runEventKey(run),
  });
  return events[0]?.seq ?? 0;
}
