// A message as ntfy takes it: the text or the file is the body, everything else stands in headers. The other form, one JSON object,
// has a limit of its own that a text with buttons can exceed.
import { createHash } from "node:crypto";
import {
  type Button,
  type OutgoingFile,
  type OutgoingMessage,
  type RenderedPiece,
  SendFailure,
} from "../../contract/channel/outgoing-message.ts";
import { formatBytes } from "../../contract/words/amounts.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { type NtfyLine, readLine } from "./read-update.ts";
import { type ReplyTopic, sealPress } from "./reply-topic.ts";
import { askServer, type NtfyServer } from "./server-call.ts";

export type SendDeps = {
  server: NtfyServer;
  reply: ReplyTopic;
  /** For the buttons; everybody who reads along reads it. */
  pressToken: string | undefined;
  /** The server is too old to know sequence ids, or it is not known yet. */
  marksWithTag: boolean;
};

const largestFileBytes = 2_000_000;
const mostActions = 3;
const keptHours = 12;
const titled = { Title: "Steward" };

/** What the server has made of it. Throws a SendFailure. */
export async function sendNtfy(
  deps: SendDeps,
  topic: string,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<NtfyLine> {
  const { file, ...words } = message;
  if (!file) return post(deps, topic, words, signal);
  if (file.data.byteLength <= largestFileBytes) {
    try {
      return await post(deps, topic, message, signal);
    } catch (cause) {
      // this server takes no files, or none so large; that there is one is told all the same
      if (!(cause instanceof SendFailure) || cause.retry === "again") throw cause;
    }
  }
  return post(deps, topic, { ...words, piece: withSentence(message.piece, file) }, signal);
}

/** What Steward says by itself, such as what came of a press: without a sound. */
export async function tellQuietly(server: NtfyServer, topic: string, text: string, signal: AbortSignal): Promise<void> {
  const headers = { ...titled, Priority: "2", Tags: "information_source" };
  await askServer(server, topic, { method: "POST", headers, body: text }, signal);
}

/** The message with this mark, as long as the server keeps it. */
export async function findMarked(
  server: NtfyServer,
  topic: string,
  mark: string,
  signal: AbortSignal,
): Promise<NtfyLine | undefined> {
  const text = await askServer(server, `${topic}/json?poll=1&since=${keptHours}h`, { method: "GET" }, signal);
  const messages = text.split("\n").flatMap((line) => readLine(line) ?? []);
  return messages.find((line) => line.event === "message" && (line.sequence_id === mark || line.tags.includes(mark)));
}

/** Whether the server has had the time to drop the message with this key, which ends with when it was written. */
export function mayBeForgotten(key: string, nowMs: number): boolean {
  const writtenAtMs = Number(/\.(\d+)$/.exec(key)?.[1] ?? 0);
  return nowMs - writtenAtMs >= keptHours * 3_600_000;
}

/** Takes a message from the phone, if the server is new enough for that. */
export async function removeMarked(
  server: NtfyServer,
  topic: string,
  mark: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await askServer(server, `${topic}/${mark}`, { method: "DELETE" }, signal);
  } catch (cause) {
    // an older server knows no such page, and the message stays on the phone
    if (!(cause instanceof SendFailure) || cause.retry === "again") throw cause;
  }
}

/** By this a message is found again: people never see it as a sequence id, only as the tag that older servers get. */
export function markOf(key: string): string {
  return `s-${createHash("sha256").update(key).digest("hex").slice(0, 12)}`;
}

async function post(deps: SendDeps, topic: string, message: OutgoingMessage, signal: AbortSignal): Promise<NtfyLine> {
  const { server, marksWithTag } = deps;
  const { file, piece, isUrgent } = message;
  const mark = markOf(message.key);
  const buttons = (message.buttons ?? []).flat().slice(0, mostActions);
  const sign = buttons.length > 0 ? ["question"] : isUrgent ? ["warning"] : [];
  const tags = [...sign, ...(marksWithTag ? [mark] : [])].join(",");
  const headers = {
    ...titled,
    Markdown: "yes",
    Priority: isUrgent ? "4" : "3",
    "X-Sequence-ID": mark,
    ...(tags !== "" && { Tags: tags }),
    ...(buttons.length > 0 && { Actions: headerText(JSON.stringify(buttons.map((one) => actionOf(deps, one)))) }),
    ...(file && { Filename: headerText(visibleLine(file.name, 200)) }),
    ...(file && piece && { Message: headerText(piece.markup) }),
  };
  const body = file ? new Uint8Array(file.data) : (piece?.markup ?? "");
  const answer = await askServer(server, topic, { method: file ? "PUT" : "POST", headers, body }, signal);
  const line = readLine(answer);
  if (line) return line;
  throw new SendFailure(`${server.host} does not answer as ntfy does. Look at channels.ntfy.url.`, {
    ...{ retry: "again", arrived: "maybe" },
  });
}

// what a button sends stands in the message, which the server keeps and passes on: Steward's own token is never in it
function actionOf({ server, reply, pressToken }: SendDeps, { label, press }: Button) {
  return {
    ...{ action: "http", label, url: `${server.url}/${reply.name}`, method: "POST", clear: true },
    body: sealPress(reply.key, press),
    ...(pressToken !== undefined && { headers: { Authorization: `Bearer ${pressToken}` } }),
  };
}

function withSentence(piece: RenderedPiece | undefined, { name, data }: OutgoingFile): RenderedPiece {
  const size = formatBytes(data.byteLength);
  const sentence = `The file ${visibleLine(name, 100)} (${size}) cannot be sent here: you find it in the conversation, on the page.`;
  const add = (text: string | undefined) => (text ? `${text}\n\n${sentence}` : sentence);
  return { markup: add(piece?.markup), plain: add(piece?.plain) };
}

// a header holds nothing but ASCII; ntfy reads encoded words (RFC 2047)
function headerText(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`;
}
