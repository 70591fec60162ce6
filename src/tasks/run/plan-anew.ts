import { isSchedule, taskConversation } from "../../contract/task/task.ts";
import { tasksRunAhead } from "../../store/tasks/tasks.ts";
import { scheduler, type TaskDeps } from "../task-deps.ts";

const dayMs = 86_400_000;

/**
 * A clock that was far ahead has brought tasks their times of years to come. Once it is right again they would wait for these; less than
 * a day is what nobody would call wrong, and within it no time may come twice.
 */
export async function planAnew(deps: Pick<TaskDeps, "world" | "database" | "log">): Promise<void> {
  const { nextAfter } = await import("../schedule/next-times.ts");
  const nowMs = deps.world.nowMs();
  for (const { id, definition, nextAtMs } of await tasksRunAhead(deps.database, nowMs + dayMs)) {
    if (!isSchedule(definition.trigger)) continue;
    const right = nextAfter(definition.trigger, nowMs);
    if (right === undefined || right === nextAtMs) continue;
    const event = { type: "task.changed", conversation: taskConversation(id), task: id, by: scheduler } as const;
    await deps.log.append([{ ...event, nextAtMs: right }]);
  }
}
