// Where a task's words go.
import { ConversationKey, conversationKey } from "../../contract/conversation-key.ts";
import { isBackground } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { lastSpoken } from "../../store/channels/owners-chats.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import type { StoredTask } from "../../store/tasks/tasks.ts";
import type { TaskDeps } from "../task-deps.ts";

/** The terminal's own conversation, which is always there. */
const main = conversationKey("terminal", "default");

const always: readonly string[] = ["origin", "last", "main", "none", main, "terminal", "web"];

/** Somebody can hear there: a conversation that exists, or a channel in which the owner has spoken. */
export async function requirePlace({ database }: Pick<TaskDeps, "database">, deliverTo: string): Promise<void> {
  if (always.includes(deliverTo)) return;
  const isConversation = deliverTo.includes("--");
  const found = isConversation
    ? ConversationKey.safeParse(deliverTo).success && (await conversationState(database, deliverTo))
    : await lastSpoken(database, deliverTo);
  if (found) return;
  const what = isConversation ? "conversation" : "conversation or channel";
  throw new CallRefused(
    "invalid",
    `There is no ${what} ${deliverTo}. Write last, main, none, or one that steward sessions lists.`,
  );
}

/** Where the owner was last. */
export async function ownersPlace(database: TaskDeps["database"]): Promise<string> {
  return (await lastSpoken(database)) ?? main;
}

type Addressed = { definition: Pick<StoredTask["definition"], "deliverTo">; madeIn: string };

/** The conversation that hears of it. */
export async function findTarget(deps: Pick<TaskDeps, "database">, { definition, madeIn }: Addressed): Promise<string> {
  const { deliverTo } = definition;
  if (deliverTo === "main") return main;
  // one that a run has made, or whose conversation was deleted, speaks where the owner is
  const isReachable = !isBackground(madeIn) && (await conversationState(deps.database, madeIn)) !== undefined;
  if (deliverTo === "origin" && isReachable) return madeIn;
  // one that was deleted meanwhile stays so
  if (deliverTo === main || (deliverTo.includes("--") && (await conversationState(deps.database, deliverTo))))
    return deliverTo;
  const isNoChannel = ["origin", "last", "none"].includes(deliverTo) || deliverTo.includes("--");
  const channel = isNoChannel ? undefined : deliverTo;
  return (await lastSpoken(deps.database, channel)) ?? (await ownersPlace(deps.database));
}
