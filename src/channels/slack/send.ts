import { z } from "zod";
import type { Address } from "../../contract/channel/address.ts";
import type { Button, OutgoingMessage, RenderedPiece, Sent } from "../../contract/channel/outgoing-message.ts";
import { SlackFailure } from "./connection/slack-failure.ts";
import { type FileDeps, upload } from "./files.ts";
import { type FindDeps, fileIdOf, fileRef, readSentText } from "./find-sent.ts";
import { escapeText } from "./reading/read-text.ts";

export type SendDeps = FindDeps & {
  files: FileDeps;
  note(message: string, fields: Readonly<Record<string, unknown>>): void;
  /** A message of ours stands there: what is said after it is not to be missed. */
  spoke(chat: string, ts: string): void;
};

const Posted = z.object({ ts: z.string().min(1) });
const Done = z.object({ ok: z.literal(true) });
const maxSectionLength = 3_000;
const fence = "```";
const maxLabelLength = 75;
const refusedForms = new Set(["invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "invalid_arguments"]);

export async function sendMessage(
  deps: SendDeps,
  to: Address,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<Sent> {
  const { file, piece, buttons = [] } = message;
  if (file) {
    const isWhole = buttons.length === 0;
    const sent = await sendFile(deps, to, { ...message, file, piece: isWhole ? piece : undefined }, signal);
    if (isWhole) return sent;
  }
  const where = { channel: to.chat, ...(to.thread && { thread_ts: to.thread }) };
  const { key } = message;
  const marked = { metadata: { event_type: "steward_piece", event_payload: { key } } };
  const quiet = { unfurl_links: false, unfurl_media: false };
  const { ts } = await inEitherForm(piece, buttons, (form) =>
    deps.call("chat.postMessage", { ...where, ...quiet, ...marked, ...form }, Posted, signal),
  );
  deps.spoke(to.chat, ts);
  return { ref: ts };
}

export async function editMessage(
  deps: SendDeps,
  to: Address,
  ref: string,
  { piece, buttons = [] }: Omit<OutgoingMessage, "file">,
  signal: AbortSignal,
): Promise<void> {
  if (fileIdOf(ref))
    throw new SlackFailure("FILE", "A file in Slack cannot be changed.", { retry: "never", arrived: "no" });
  const markup = piece ? piece.markup : await readSentText(deps, to, ref, signal);
  await inEitherForm({ markup, plain: piece?.plain ?? markup }, buttons, (form) =>
    // without blocks of its own an edit would leave the old ones, buttons and all
    deps.call("chat.update", { channel: to.chat, ts: ref, blocks: [], ...form }, Done, signal),
  );
}

export async function removeMessage(deps: SendDeps, to: Address, ref: string, signal: AbortSignal): Promise<void> {
  const file = fileIdOf(ref);
  const [method, args] = file ? ["files.delete", { file }] : ["chat.delete", { channel: to.chat, ts: ref }];
  await unless(["message_not_found", "file_not_found", "file_deleted"], deps.call(method, args, Done, signal));
}

/** Slack shows it in the threads of its assistant pane and nowhere else. */
export async function showTyping(deps: SendDeps, to: Address, signal: AbortSignal): Promise<void> {
  if (to.thread === undefined || !to.chat.startsWith("D")) return;
  const args = { channel_id: to.chat, thread_ts: to.thread, status: "is thinking…" };
  await deps.call("assistant.threads.setStatus", args, Done, signal).catch((cause: unknown) => {
    deps.note("Slack does not show that Steward is thinking", { cause: String(cause) });
  });
}

const reactionNames: Readonly<Record<string, string>> = {
  ...{
    "👀": "eyes",
    "👍": "thumbsup",
    "👎": "thumbsdown",
    "✅": "white_check_mark",
    "❌": "x",
    "⏳": "hourglass_flowing_sand",
  },
  ...{
    "🎉": "tada",
    "❤": "heart",
    "🔥": "fire",
    "🤔": "thinking_face",
    "⚠": "warning",
    "🙏": "pray",
    "🚫": "no_entry_sign",
  },
};

export async function addReaction(
  deps: SendDeps,
  to: Address,
  { ref, emoji }: { ref: string; emoji: string },
  signal: AbortSignal,
): Promise<void> {
  const bare = emoji.replaceAll("\u{fe0f}", "").replaceAll(":", "");
  const name = reactionNames[bare] ?? bare;
  // Slack knows reactions by words; one without a word is left out
  if (!/^[a-z0-9_+'-]+$/.test(name)) return;
  const args = { channel: to.chat, timestamp: ref, name };
  await unless(["already_reacted"], deps.call("reactions.add", args, Done, signal));
}

async function sendFile(
  deps: SendDeps,
  to: Address,
  message: OutgoingMessage & { file: NonNullable<OutgoingMessage["file"]> },
  signal: AbortSignal,
): Promise<Sent> {
  const id = await upload(deps.files, message.file, signal);
  // noted before anybody can see it, so that it can be found if the answer is lost
  await deps.uploads.add(message.key, id);
  const args = {
    files: [{ id, title: message.file.name }],
    channel_id: to.chat,
    ...(to.thread && { thread_ts: to.thread }),
    ...(message.piece && { initial_comment: message.piece.markup }),
  };
  await deps.call("files.completeUploadExternal", args, Done, signal);
  return { ref: fileRef(id) };
}

type Form = { text: string; mrkdwn?: boolean; blocks?: readonly unknown[] };

/** With marks; if Slack refuses their form, the words alone. */
async function inEitherForm<Answer>(
  piece: RenderedPiece | undefined,
  rows: readonly (readonly Button[])[],
  send: (form: Form) => Promise<Answer>,
): Promise<Answer> {
  const markup = piece?.markup ?? "";
  const plain = piece?.plain ?? "";
  const fallback = markup || rows.flatMap((row) => row.map(({ label }) => escapeText(label))).join(" · ");
  try {
    return await send({ text: fallback, mrkdwn: true, ...blocksOf(markup, "mrkdwn", rows) });
  } catch (cause) {
    if (!(cause instanceof SlackFailure) || !refusedForms.has(cause.word)) throw cause;
    const text = escapeText(plain) || fallback;
    return await send({ text, mrkdwn: false, ...blocksOf(plain, "plain_text", rows) });
  }
}

function blocksOf(text: string, type: "mrkdwn" | "plain_text", rows: readonly (readonly Button[])[]) {
  if (!rows.some((row) => row.length > 0)) return {};
  const sections = cut(text).map((part) => ({ type: "section", text: { type, text: part } }));
  const actions = rows
    .map((row, index) => ({
      type: "actions",
      elements: row.map((button, place) => element(button, `press:${index}:${place}`)),
    }))
    .filter(({ elements }) => elements.length > 0);
  return { blocks: [...sections, ...actions] };
}

function element({ label, press, tone }: Button, action_id: string) {
  const text = { type: "plain_text", text: label.slice(0, maxLabelLength), emoji: true };
  const style = tone === "yes" ? "primary" : tone === "no" ? "danger" : undefined;
  return { type: "button", action_id, text, value: press, ...(style && { style }) };
}

// a section holds less than a message; the seams lie at line ends where there are any, and code goes on as code
function cut(text: string): readonly string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > maxSectionLength) {
    const room = maxSectionLength - 2 * fence.length;
    const lineEnd = rest.lastIndexOf("\n", room);
    const end = lineEnd > room / 2 ? lineEnd : room;
    const part = rest.slice(0, end);
    const isInCode = part.split(fence).length % 2 === 0;
    parts.push(isInCode ? `${part}\n${fence}` : part);
    rest = (isInCode ? `${fence}\n` : "") + rest.slice(end).replace(/^\n/, "");
  }
  return rest.trim() ? [...parts, rest] : parts;
}

async function unless(expected: readonly string[], done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (cause) {
    if (!(cause instanceof SlackFailure) || !expected.includes(cause.word)) throw cause;
  }
}
