// A task that the owner plans for a group is made where its members would have made it: it has their rights, and the group hears of it.
import type { NewEvent } from "../../contract/event.ts";
import type { Sender } from "../../contract/sender.ts";
import { isSchedule, type TaskDefinition } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { findChat, listGroups } from "../../store/channels/find-group.ts";
import type { TaskDeps } from "../task-deps.ts";

export type MadeFor = {
  by: Sender;
  madeIn: string;
  /** Where its chat is, so that it can be told there although nobody has spoken yet. */
  meets: readonly NewEvent[];
};

/** `wanted`: its name, or a title that no other group has. */
export async function forGroup(
  { database }: Pick<TaskDeps, "database">,
  wanted: string,
  { by, definition }: { by: Sender; definition: TaskDefinition },
): Promise<MadeFor> {
  requireGroupsOwn({ isTimed: isSchedule(definition.trigger), deliverTo: definition.deliverTo });
  const groups = await listGroups(database);
  const word = wanted.trim().toLowerCase();
  const titled = groups.filter(({ title }) => title.toLowerCase() === word);
  const found = groups.find(({ name }) => name === word) ?? (titled.length === 1 ? titled[0] : undefined);
  if (!found) {
    const names = groups.map(({ name }) => name).join(", ");
    throw new CallRefused(
      "not_found",
      `There is no group “${visibleLine(wanted, 60)}”. There are: ${names || "none yet"}.`,
    );
  }
  const { conversation, channel, address, title } = found;
  const isKnown = (await findChat(database, conversation)) !== undefined;
  const met: NewEvent = { type: "chat.met", conversation, channel, address, isDirect: false, title };
  return { by: { ...by, kind: "group" }, madeIn: conversation, meets: isKnown ? [] : [met] };
}

/** What a group plans stays in the group: no other place hears of it, and nothing of the owner's begins it. */
export function requireGroupsOwn({ isTimed, deliverTo }: { isTimed: boolean; deliverTo: string }): void {
  if (!isTimed) throw new CallRefused("forbidden", "In a group a task begins at a time only: give when.");
  if (!["origin", "none"].includes(deliverTo))
    throw new CallRefused("forbidden", "What a task of a group finds is told in the group: leave deliver_to out.");
}
