import type { Intent } from "../intent.ts";
import { changingTasks } from "./tasks/changing-tasks.ts";
import { planned } from "./tasks/planned.ts";
import { planning } from "./tasks/planning.ts";

/** Everything about what is done or said later. */
export const tasks: readonly Intent[] = [...planning, ...planned, ...changingTasks];
