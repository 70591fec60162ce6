// A conversation begins with its first message: the session is made for it, then the message goes there.

import type { Choice } from "./composer/pickers.ts";
import type { ConversationDeps } from "./open-conversation.ts";
import { type Outbox, openOutbox } from "./outbox/outbox.ts";
import type { UnsentMessage } from "./outbox/stored-outbox.ts";

/** Under this name a tab keeps what was written before there was a conversation. */
export const newConversation = "new";

export type Start = {
  /** What was chosen for the conversation before it began. */
  choice(): Choice;
  /** The conversation exists; the message is still to be sent to it. */
  started(sessionKey: string, message: UnsentMessage): void;
};

export function openStart(deps: ConversationDeps, start: Start): Outbox {
  let sessionKey: string | undefined;
  return openOutbox(
    {
      ...deps,
      async send(message) {
        sessionKey ??= await create(deps, message, start.choice());
        start.started(sessionKey, message);
        return { accepted: true, seq: 0 };
      },
    },
    newConversation,
  );
}

async function create({ link }: ConversationDeps, message: UnsentMessage, choice: Choice): Promise<string> {
  // made from the message's key, so that trying again after a break finds the same session
  const idempotencyKey = `${message.key}-session`;
  const { sessionKey } = await link.call("sessions.create", { channel: "web", idempotencyKey });
  const { model, thinking } = choice;
  if (model !== undefined || thinking !== undefined)
    await link.call("sessions.configure", { sessionKey, ...(model && { model }), ...(thinking && { thinking }) });
  return sessionKey;
}
