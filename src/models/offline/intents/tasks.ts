import type { Intent } from "../intent.ts";
import { changingTasks } from "./changing-tasks.ts";
import { planned } from "./planned.ts";
import { planning } from "./planning.ts";

/** Everything about what is done or said later. */
export const tasks: readonly Intent[] = [...planning, ...planned, ...changingTasks];
