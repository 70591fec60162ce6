import { CallRefused } from "../contract/client.ts";
import type { Sender } from "../contract/event.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { openTurnOf, waitingMessages } from "../store/tables/current-state.ts";

/** The words go, the numbers stay: usage, order and the chain of the audit log are as they were. */
export async function deleteConversation(log: EventLog, by: Sender, conversation: string): Promise<void> {
  if (by.kind !== "owner") throw new CallRefused("forbidden", "Only the owner may delete a conversation.");
  await log.appendDecided(async (tx) => {
    const isBusy = (await openTurnOf(tx, conversation)) || (await waitingMessages(tx, conversation)).length > 0;
    if (isBusy) throw new CallRefused("conflict", "Something is still going on in this conversation. Stop it first.");
    return [{ type: "conversation.deleted", conversation, by }];
  });
}
