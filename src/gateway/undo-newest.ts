import { CallRefused } from "../contract/client.ts";
import type { EventOf, Sender } from "../contract/event.ts";
import type { FileChange } from "../contract/file-change.ts";
import type { EventLog } from "../store/event-log.ts";

/** Puts files back to how they were before these changes, where nothing else has happened to them since. */
export type UndoChanges = (changes: readonly FileChange[]) => Promise<{ output: string }>;

const lookBackEvents = 2_000;

export async function undoNewest(
  deps: { log: EventLog; undoChanges: UndoChanges },
  by: Sender,
  conversation: string,
): Promise<{ undone: boolean; output: string }> {
  if (by.kind !== "owner") throw new CallRefused("forbidden", "Only the owner may take changes back.");
  const change = await newestChange(deps.log, conversation);
  if (!change) return { undone: false, output: "There is nothing to undo in this conversation." };
  const { output } = await deps.undoChanges(change.changes);
  await deps.log.append([{ type: "changes.undone", conversation, returned: change.seq, by, output }]);
  return { undone: true, output };
}

async function newestChange(log: EventLog, conversation: string): Promise<EventOf<"tool.returned"> | undefined> {
  const events = await log.latest(conversation, lookBackEvents);
  const undone = new Set(events.flatMap((event) => (event.type === "changes.undone" ? [event.returned] : [])));
  return events.findLast(
    (event): event is EventOf<"tool.returned"> =>
      event.type === "tool.returned" && event.changes.length > 0 && !undone.has(event.seq),
  );
}
