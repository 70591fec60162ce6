import type { Sender } from "../contract/sender.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { waitingMessages } from "../store/tables/open-work.ts";

/** Takes a message back that waits for its turn; false when a turn has taken it already. */
export async function withdrawMessage(
  deps: { log: EventLog },
  { conversation, seq }: { conversation: string; seq: number },
  by: Sender,
): Promise<boolean> {
  const { events } = await deps.log.appendDecided(async (tx) => {
    const isWaiting = (await waitingMessages(tx, conversation)).includes(seq);
    return isWaiting ? [{ type: "message.withdrawn", conversation, message: seq, by }] : [];
  });
  return events.length > 0;
}
