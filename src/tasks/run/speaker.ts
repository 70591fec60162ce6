// As whom a run speaks to the owner.
import { heartbeatTask, taskConversation, taskOf, tidyConversation, tidyTask } from "../../contract/task/task.ts";
import { findTask, type StoredTask } from "../../store/tasks/tasks.ts";
import type { TaskDeps } from "../task-deps.ts";

/** The heartbeat is no task of the table. */
export type Speaker = Pick<StoredTask, "id" | "madeIn"> & {
  definition: Pick<StoredTask["definition"], "title" | "deliverTo" | "until"> & { trigger: { kind: string } };
  conversation: string;
  /** The same words are not said again within this time. */
  quietForMs: number;
};

export type SettleDeps = TaskDeps & { heartbeat(): Speaker };

/** What it asks is told where the owner last spoke; beyond that it has nothing to say. */
const tidySpeaker: Speaker = {
  ...{ id: tidyTask, madeIn: "", conversation: tidyConversation, quietForMs: 0 },
  definition: { title: "Nightly tidy", deliverTo: "none", trigger: { kind: "every" } },
};

export async function speakerOf(deps: SettleDeps, id: string): Promise<Speaker | undefined> {
  if (id === heartbeatTask) return deps.heartbeat();
  if (id === tidyTask) return tidySpeaker;
  const task = await findTask(deps.database, id);
  return task && { ...task, conversation: taskConversation(id), quietForMs: 0 };
}

export function speakerIn(deps: SettleDeps, conversation: string): Promise<Speaker | undefined> {
  return speakerOf(deps, taskOf(conversation) ?? "");
}
