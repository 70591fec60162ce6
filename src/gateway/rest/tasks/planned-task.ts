import { z } from "zod";
import type { Caller } from "../../../contract/wire/caller.ts";
import { PlannedTask } from "../../../contract/wire/methods/tasks.ts";
import { findTask } from "../../../store/tasks/tasks.ts";
import type { RestDeps } from "../rest-deps.ts";

const One = z.object({ task: PlannedTask });
const Listed = z.object({ tasks: z.array(PlannedTask), total: z.number() });

/** Undefined when nothing is planned under this id, or the caller has no business with what is. */
export async function findPlanned(deps: RestDeps, caller: Caller, id: string): Promise<PlannedTask | undefined> {
  if (caller.scope === "task" || !(await findTask(deps.database, id))) return undefined;
  return One.parse(await deps.gateway.call(caller, "tasks.get", { id })).task;
}

export async function listPlanned(
  deps: RestDeps,
  caller: Caller,
  { limit, state }: { limit: number; state: string | undefined },
): Promise<readonly PlannedTask[]> {
  if (caller.scope === "task") return [];
  const params = { ended: state === undefined || state === "ended", limit: state === undefined ? limit : 1_000 };
  const { tasks } = Listed.parse(await deps.gateway.call(caller, "tasks.list", params));
  return tasks.filter((task) => state === undefined || task.state === state).slice(0, limit);
}
