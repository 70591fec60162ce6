import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { ConversationKey, conversationKey } from "../../../contract/conversation-key.ts";
import type { Caller } from "../../../contract/wire/caller.ts";
import { CallRefused } from "../../../contract/wire/client.ts";
import { conversationState } from "../../../store/tables/conversations.ts";
import { messageAt, openQuestions, type TaskMessage } from "../../../store/tables/task-queries.ts";
import { ownConversation, readIdempotencyKey } from "../own-conversation.ts";
import type { RestDeps } from "../rest-deps.ts";
import type { Wish } from "./completion-request.ts";
import type { Past } from "./fold-turn.ts";

/** Steward itself with whatever model it is set to. */
export const ownModel = "steward";

export type Asking = { caller: Caller; wish: Wish; headers: IncomingHttpHeaders; signal: AbortSignal };
export type BegunTurn = { message: TaskMessage; past: Past };

/** Says the last message in the conversation that the request names, or in a new one that is told the rest. */
export async function beginTurn(deps: RestDeps, { caller, wish, headers }: Asking): Promise<BegunTurn> {
  const idempotencyKey = readIdempotencyKey(headers["idempotency-key"]);
  const conversation = readConversation(headers) ?? ownConversation(deps.world, idempotencyKey);
  const known = await conversationState(deps.database, conversation);
  if (wish.model !== ownModel && known?.model !== wish.model)
    await deps.gateway.call(caller, "sessions.configure", { sessionKey: conversation, model: wish.model });
  const throughSeq = deps.log.lastSeq();
  const open = await openQuestions(deps.database);
  const past = { throughSeq, openApprovals: new Set(open.map((question) => question.approvalId)) };
  const sent = await deps.gateway.call(caller, "chat.send", {
    sessionKey: conversation,
    message: known ? wish.text : withEarlier(wish),
    attachments: wish.images,
    ...(idempotencyKey !== undefined && { idempotencyKey: `v1:${idempotencyKey}` }),
  });
  const message = await messageAt(deps.database, z.object({ seq: z.number() }).parse(sent).seq);
  if (message?.conversation !== conversation)
    throw new CallRefused("conflict", "This Idempotency-Key belongs to a message in another conversation.");
  return { message, past };
}

function readConversation(headers: IncomingHttpHeaders): string | undefined {
  const name = headers["x-steward-session"];
  if (name === undefined) return undefined;
  if (typeof name !== "string" || !/^[\x21-\x7e]{1,120}$/.test(name))
    throw new CallRefused("invalid", "X-Steward-Session is a name of at most 120 characters, without spaces.");
  return ConversationKey.safeParse(name).success ? name : conversationKey("api", name);
}

function withEarlier({ earlier, text }: Wish): string {
  if (earlier === "") return text;
  return `What was said before this conversation began, as the client tells it:\n\n${earlier}\n\nNow:\n\n${text}`;
}
