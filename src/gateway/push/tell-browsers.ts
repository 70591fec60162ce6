// One notification to every browser that wants to be told, by way of the push service each has named.
import type { EventOf } from "../../contract/event.ts";
import type { Database } from "../../store/database/database.ts";
import { livePushSubscriptions, removePushSubscription } from "../../store/tables/push-subscriptions.ts";
import { type Notification, type SendPushDeps, sendPush } from "./send-push.ts";

export type TellDeps = SendPushDeps & { database: Database; onTrouble(message: string, cause: unknown): void };

type Message = { notification: Notification; ttlSeconds: number; signal: AbortSignal };

// push services keep nothing longer than this
export const maxTtlSeconds = 28 * 86_400;
const daySeconds = 86_400;
const longestBody = 200;

export async function tellBrowsers(deps: TellDeps, message: Message): Promise<void> {
  const subscriptions = await livePushSubscriptions(deps.database, deps.nowMs());
  await Promise.all(
    subscriptions.map(async (subscription) => {
      const outcome = await sendPush(deps, subscription, message);
      if (outcome.kind === "gone") await removePushSubscription(deps.database, subscription.endpoint);
      if (outcome.kind === "failed" && !message.signal.aborted)
        deps.onTrouble("A browser could not be told of something.", outcome.reason);
    }),
  );
}

/** A reminder that comes a day late reminds nobody. */
export function taskMessage(
  redact: (text: string) => string,
  event: EventOf<"reply.written">,
): Omit<Message, "signal"> {
  const { id = "", title = "" } = event.task ?? {};
  const text = redact(event.text).trim();
  const body = text.length > longestBody ? `${text.slice(0, longestBody - 1)}…`.toWellFormed() : text;
  const notification = { title: redact(title), body, url: `/chat/${event.conversation}`, tag: `task:${id}` };
  return { notification, ttlSeconds: daySeconds };
}
