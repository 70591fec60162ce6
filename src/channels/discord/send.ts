// What goes out: messages with buttons and files, changes of them, and the small signs beside them.
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Address } from "../../contract/channel/address.ts";
import type { Channel } from "../../contract/channel/channel.ts";
import type { Button, OutgoingMessage, Sent } from "../../contract/channel/outgoing-message.ts";
import type { Api } from "./api/api.ts";
import { DiscordFailure } from "./api/discord-failure.ts";
import { openDirectChannel } from "./direct-channel.ts";
import { Snowflake } from "./read-update.ts";
import type { SentMessages } from "./sent-messages.ts";

export type Sender = Required<
  Pick<Channel, "send" | "edit" | "remove" | "react" | "typing" | "find" | "directAddress">
>;

export type SenderDeps = {
  api: Api;
  sent: SentMessages;
  /** A message of ours stands there. */
  spoke(channelId: string, messageId: string): void;
};

const WithId = z.object({ id: Snowflake });
const [suppressEmbeds, longestText, longestLabel] = [1 << 2, 2_000, 80];
const unknownMessage = 10_008;
const styles = { yes: 3, no: 4, plain: 2 } as const;

export function openSender({ api, sent, spoke }: SenderDeps): Sender {
  return {
    async send(to, message, signal) {
      const channel = channelOf(to);
      const nonce = nonceOf(message.key);
      const { file } = message;
      const post = async (text: string) => {
        await sent.begins(channel, nonce, { text, fileBytes: file?.data.byteLength });
        // a second one with the same nonce is answered with the first one for some minutes, and not shown again
        const body = { ...bodyOf(text, message.buttons), nonce, enforce_nonce: true, ...attachmentsOf(message) };
        return await api.ask({ method: "POST", path: `/channels/${channel}/messages`, body, file, signal });
      };
      const ref = readId(await inWordsOrPlain(message, post));
      sent.arrived(channel, nonce, ref);
      spoke(channel, ref);
      return { ref };
    },
    async edit(to, ref, message, signal) {
      const path = `/channels/${channelOf(to)}/messages/${ref}` as const;
      await inWordsOrPlain(message, (text) =>
        api.ask({ method: "PATCH", path, body: bodyOf(text, message.buttons), signal }),
      );
    },
    async remove(to, ref, signal) {
      try {
        await api.ask({ method: "DELETE", path: `/channels/${channelOf(to)}/messages/${ref}`, signal });
      } catch (cause) {
        // it is gone, and that is what was wanted
        if (!(cause instanceof DiscordFailure) || cause.code !== unknownMessage) throw cause;
      }
    },
    async react(to, ref, emoji, signal) {
      const path = `/channels/${channelOf(to)}/messages/${ref}/reactions/${encodeURIComponent(emoji)}/@me` as const;
      await api.ask({ method: "PUT", path, signal });
    },
    async typing(to, signal) {
      await api.ask({ method: "POST", path: `/channels/${channelOf(to)}/typing`, signal });
    },
    async find(to, key, signal): Promise<Sent | "unknown" | undefined> {
      const found = await sent.find(channelOf(to), nonceOf(key), signal);
      return typeof found === "object" ? { ref: found.id } : found;
    },
    async directAddress(personId, signal) {
      return { chat: (await openDirectChannel(api, personId, signal)).id };
    },
  };
}

function channelOf({ chat, thread }: Address): string {
  return thread ?? chat;
}

/** At most 25 characters, and the same for the same key in every process. */
function nonceOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 25);
}

function bodyOf(text: string, buttons: OutgoingMessage["buttons"]): Record<string, unknown> {
  return {
    ...(text === "" ? {} : { content: text }),
    components: rowsOf(buttons ?? []),
    allowed_mentions: { parse: [] },
    flags: suppressEmbeds,
  };
}

function attachmentsOf({ file }: OutgoingMessage): Record<string, unknown> {
  return file ? { attachments: [{ id: 0, filename: file.name }] } : {};
}

/** Discord takes five rows of five. */
function rowsOf(rows: readonly (readonly Button[])[]): unknown[] {
  return rows
    .filter((row) => row.length > 0)
    .slice(0, 5)
    .map((row) => ({ type: 1, components: row.slice(0, 5).map(asComponent) }));
}

function asComponent({ label, press, tone }: Button): unknown {
  return { type: 2, style: styles[tone], label: label.slice(0, longestLabel), custom_id: press };
}

/** What Discord refuses as it stands is sent again at once without marks: the words are never lost. */
async function inWordsOrPlain(
  { piece }: Pick<OutgoingMessage, "piece">,
  ask: (text: string) => Promise<unknown>,
): Promise<unknown> {
  const markup = piece?.markup.slice(0, longestText) ?? "";
  const plain = piece?.plain.slice(0, longestText) ?? "";
  try {
    return await ask(piece && piece.markup.length > longestText ? plain : markup);
  } catch (cause) {
    const mayHelp = cause instanceof DiscordFailure && cause.status === 400 && plain !== "" && plain !== markup;
    if (!mayHelp) throw cause;
    return await ask(plain);
  }
}

function readId(answer: unknown): string {
  const read = WithId.safeParse(answer);
  if (read.success) return read.data.id;
  throw new DiscordFailure("Discord answered something that is no message.", { retry: "again", arrived: "maybe" });
}
