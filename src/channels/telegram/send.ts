// Puts messages into a chat, changes them and takes them away. Each request is made once; whether to repeat it is decided outside.
import type { ReactionTypeEmoji } from "grammy/types";
import { z } from "zod";
import type { Address } from "../../contract/channel/address.ts";
import type { Channel } from "../../contract/channel/channel.ts";
import type { OutgoingMessage, RenderedPiece, Sent } from "../../contract/channel/outgoing-message.ts";
import { SendFailure } from "../../contract/channel/outgoing-message.ts";
import { type BotApi, patient } from "./bot-api.ts";
import { isRefusedAs, readFault, sendFailureOf } from "./read-fault.ts";
import { keyboardOf, markedOrPlain, placeOf } from "./request-fields.ts";
import { sendFile } from "./send-file.ts";

export type Sender = Pick<Channel, "send"> & Required<Pick<Channel, "edit" | "remove" | "react" | "typing">>;

type SendDeps = { api: BotApi; trouble(message: string, cause: unknown): void; stopped: AbortSignal };

type Act<Done> = (to: Address, until: AbortSignal) => Promise<Done>;

const maxCaption = 1_024;
const SentMessage = z.object({ message_id: z.number() });

export function openSender({ api, trouble, stopped }: SendDeps): Sender {
  // a group that became a supergroup has another number, which Telegram tells whoever uses the old one
  const moved = new Map<string, string>();

  return {
    send: (to, message, signal) => attempt(to, signal, (place, until) => sendTo(place, message, until)),
    edit: (to, ref, message, signal) => attempt(to, signal, (place, until) => editIn(place, ref, message, until)),
    async remove(to, ref, signal) {
      await attempt(to, signal, ({ chat }, until) =>
        api.calls.deleteMessage({ chat_id: chat, message_id: Number(ref) }, patient(until)).catch(unless(/not found/i)),
      );
    },
    async react(to, ref, emoji, signal) {
      // Telegram itself says which ones it takes
      const reaction = [{ type: "emoji", emoji: emoji as ReactionTypeEmoji["emoji"] }] as const;
      await attempt(to, signal, ({ chat }, until) =>
        api.calls.setMessageReaction(
          { chat_id: chat, message_id: Number(ref), reaction: [...reaction] },
          patient(until),
        ),
      );
    },
    async typing(to, signal) {
      await attempt(to, signal, (place, until) =>
        api.calls.sendChatAction({ ...placeOf(place), action: "typing" }, patient(until)),
      );
    },
  };

  async function attempt<Done>(to: Address, signal: AbortSignal, act: Act<Done>): Promise<Done> {
    const until = AbortSignal.any([signal, stopped]);
    if (until.aborted) throw new SendFailure("Stopped before it was sent.", { retry: "again", arrived: "no" });
    try {
      return await act({ ...to, chat: moved.get(to.chat) ?? to.chat }, until);
    } catch (cause) {
      const chat = readMove(cause);
      if (chat === undefined || moved.has(to.chat)) throw sendFailureOf(cause);
      moved.set(to.chat, chat);
      trouble(`Telegram gave the group ${to.chat} the new id ${chat}; messages for it go there now.`, undefined);
      return act({ ...to, chat }, until).catch((again: unknown) => {
        throw sendFailureOf(again);
      });
    }
  }

  async function sendTo(to: Address, message: OutgoingMessage, signal: AbortSignal): Promise<Sent> {
    const { piece, file, buttons } = message;
    if (!file) return sendText(to, piece ?? { markup: "", plain: "" }, buttons, signal);
    const isCaption = piece === undefined || piece.plain.length <= maxCaption;
    if (!isCaption) await sendText(to, piece, undefined, signal);
    const extra = { ...placeOf(to), ...keyboardOf(buttons) };
    try {
      return readSent(await sendFile(api, { file, caption: isCaption ? piece : undefined, extra }, signal));
    } catch (cause) {
      const failure = sendFailureOf(cause);
      // the words are there already, so a second try shows them twice
      throw isCaption ? cause : new SendFailure(failure.message, { ...failure, arrived: "maybe" });
    }
  }

  async function sendText(to: Address, piece: RenderedPiece, buttons: OutgoingMessage["buttons"], signal: AbortSignal) {
    const extra = { ...placeOf(to), ...keyboardOf(buttons), link_preview_options: { is_disabled: true } };
    const answer = await markedOrPlain(piece, ({ text, ...mode }) =>
      api.calls.sendMessage({ ...extra, ...mode, text }, patient(signal)),
    );
    return readSent(answer);
  }

  async function editIn(to: Address, ref: string, message: Omit<OutgoingMessage, "file">, signal: AbortSignal) {
    const { piece, buttons } = message;
    const place = { chat_id: to.chat, message_id: Number(ref), ...keyboardOf(buttons) };
    const same = unless(/message is not modified/i);
    if (!piece) {
      await api.calls.editMessageReplyMarkup(place, patient(signal)).catch(same);
      return;
    }
    const extra = { ...place, link_preview_options: { is_disabled: true } };
    await markedOrPlain(piece, ({ text, ...mode }) =>
      api.calls.editMessageText({ ...extra, ...mode, text }, patient(signal)).catch((cause: unknown) => {
        // below a file the words are its caption
        if (!isRefusedAs(cause, /no text in the message/i)) throw cause;
        return api.calls.editMessageCaption({ ...place, ...mode, caption: text }, patient(signal));
      }),
    ).catch(same);
  }
}

function readMove(cause: unknown): string | undefined {
  const fault = cause instanceof SendFailure ? undefined : readFault(cause);
  return fault?.kind === "answered" ? fault.movedTo : undefined;
}

function readSent(answer: unknown): Sent {
  const sent = SentMessage.safeParse(answer);
  if (sent.success) return { ref: String(sent.data.message_id) };
  throw new SendFailure("Telegram's answer could not be read.", { retry: "again", arrived: "maybe" });
}

/** For `catch`: what was wanted is so already. */
function unless(reason: RegExp): (cause: unknown) => void {
  return (cause) => {
    if (!isRefusedAs(cause, reason)) throw cause;
  };
}
