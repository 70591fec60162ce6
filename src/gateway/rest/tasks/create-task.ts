import { z } from "zod";
import type { Caller } from "../../../contract/wire/caller.ts";
import { CallRefused } from "../../../contract/wire/client.ts";
import { waitingMessages } from "../../../store/tables/open-work.ts";
import { findMessageByKey, messageAt, type TaskMessage } from "../../../store/tables/task-queries.ts";
import { messageKey } from "../../receive.ts";
import { ownConversation } from "../own-conversation.ts";
import type { RestDeps } from "../rest-deps.ts";
import type { NewTask } from "./new-task.ts";

/** The same key is the same task, also after a restart, and never somebody else's. `full`: why it is not taken. */
export async function createTask(deps: RestDeps, caller: Caller, wish: NewTask, idempotencyKey: string | undefined) {
  const conversation = wish.sessionKey ?? caller.conversation ?? ownConversation(deps.world, idempotencyKey);
  const key = idempotencyKey && `task:${idempotencyKey}`;
  const known = key && (await findMessageByKey(deps.database, messageKey(conversation, key)));
  if (known) return requireSame(known, conversation, wish.prompt);
  const waiting = await waitingMessages(deps.database, conversation);
  // refused before it is written down: the same key may succeed when there is room again
  if (waiting.length >= deps.maxWaiting)
    return { full: `${waiting.length} messages wait in this conversation already. Try again later.` };
  await configure(deps, caller, conversation, wish);
  const sent = await deps.gateway.call(caller, "chat.send", {
    sessionKey: conversation,
    message: wish.prompt,
    idempotencyKey: key,
  });
  const message = await messageAt(deps.database, z.object({ seq: z.number() }).parse(sent).seq);
  if (!message) throw new CallRefused("conflict", "The conversation was deleted at the same moment.");
  return requireSame(message, conversation, wish.prompt);
}

function requireSame(message: TaskMessage, conversation: string, prompt: string): TaskMessage {
  if (message.conversation === conversation && message.text === prompt) return message;
  throw new CallRefused("conflict", "This Idempotency-Key belongs to another task. Use a new key for a new task.");
}

async function configure(deps: RestDeps, caller: Caller, conversation: string, wish: NewTask): Promise<void> {
  const { model, agentId } = wish;
  if (model === undefined && agentId === undefined) return;
  await deps.gateway.call(caller, "sessions.configure", {
    sessionKey: conversation,
    ...(model !== undefined && { model }),
    ...(agentId !== undefined && { agent: agentId }),
  });
}
