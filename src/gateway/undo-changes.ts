import { CallRefused } from "../contract/client.ts";
import type { EventOf, Sender } from "../contract/event.ts";
import type { FileChange } from "../contract/file-change.ts";
import type { EventLog } from "../store/log/event-log.ts";

/** Puts files back to how they were before these changes, where nothing else has happened to them since. */
export type UndoChanges = (changes: readonly FileChange[]) => Promise<{ output: string }>;

const lookBackEvents = 2_000;

/** Takes back one call's changes: those of the event with this number, or the newest that still stand. */
export async function undoReturned(
  deps: { log: EventLog; undoChanges: UndoChanges },
  by: Sender,
  conversation: string,
  returned?: number,
): Promise<{ undone: boolean; output: string }> {
  if (by.kind !== "owner") throw new CallRefused("forbidden", "Only the owner may take changes back.");
  const change = await findChange(deps.log, conversation, returned);
  if (!change)
    return {
      undone: false,
      output: returned
        ? "There is nothing to undo there, or it was taken back already."
        : "There is nothing to undo in this conversation.",
    };
  const { output } = await deps.undoChanges(change.changes);
  await deps.log.append([{ type: "changes.undone", conversation, returned: change.seq, by, output }]);
  return { undone: true, output };
}

async function findChange(
  log: EventLog,
  conversation: string,
  returned: number | undefined,
): Promise<EventOf<"tool.returned"> | undefined> {
  const events =
    returned === undefined
      ? await log.latest(conversation, lookBackEvents)
      : await log.latest(conversation, Number.MAX_SAFE_INTEGER, undefined, returned - 1);
  const undone = new Set(events.flatMap((event) => (event.type === "changes.undone" ? [event.returned] : [])));
  return events.findLast(
    (event): event is EventOf<"tool.returned"> =>
      event.type === "tool.returned" &&
      event.changes.length > 0 &&
      !undone.has(event.seq) &&
      (returned === undefined || event.seq === returned),
  );
}
