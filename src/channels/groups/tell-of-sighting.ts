import type { SeenChat } from "../../contract/wire/methods/channels.ts";
import type { ChannelsDeps } from "../channels-deps.ts";
import { commandSign } from "../chat-commands/chat-place.ts";
import { findOwnersChat } from "../intake/people.ts";
import { plainLine } from "../plain-name.ts";

/** Whoever adds the bot to a group and hears nothing there is told in their own chat why, and what to do. */
export async function tellOfSighting(deps: ChannelsDeps, { channel, address, title }: SeenChat): Promise<void> {
  const chat = await findOwnersChat(deps, channel);
  if (!chat) return;
  const { conversation } = chat;
  const called = plainLine(deps.redact(title));
  const text = `I am in “${called}” now and say nothing there yet. Write ${commandSign({ channel })}addgroup ${called} here if I should answer in it.`;
  await deps.store.log.append([{ type: "reply.written", conversation, channel, text: text, attachments: [] }], {
    idempotencyKey: `seen:${channel}:${address.chat}`,
  });
}
