// How replies reach a channel: rendered into pieces, files behind the words, buttons below a question, and a draft turned into the answer.
import type { Chat } from "../../contract/channel/address.ts";
import { removedGroupName } from "../../contract/channel/group.ts";
import type { OutgoingMessage, RenderedPiece, Sent } from "../../contract/channel/outgoing-message.ts";
import { SendFailure } from "../../contract/channel/outgoing-message.ts";
import type { ReplyOutlet, SendHow, SentPiece } from "../../contract/channel/reply-outlet.ts";
import type { EventOf } from "../../contract/event.ts";
import type { ChannelsDeps, OpenChannel } from "../channels-deps.ts";
import { mayStillTalk } from "../intake/people.ts";
import { questionButtons } from "../questions/presses.ts";
import type { Drafts } from "./drafts.ts";

type Reply = EventOf<"reply.written">;
type OutletDeps = ChannelsDeps & { drafts: Drafts };
type Part = { piece: RenderedPiece } | { file: Reply["attachments"][number] };

/** A note of Steward's own goes before a piece if there is surely room for it. */
const mostBesideNote = 1_500;

export function openOutlet(deps: OutletDeps, { definition, channel }: OpenChannel): ReplyOutlet {
  const { capabilities, name, title } = definition;
  // while the piece behind it is tried again
  const saidBefore = new Set<string>();
  return {
    dropsRepeats: capabilities.repeats === "refused",
    pieces: async (reply) =>
      (await isAnswered(reply)) || (await isSilenced(reply)) ? 0 : (await partsOf(reply)).length,
    send,
    ...(channel.find && {
      async find(reply: Reply, number: number, signal: AbortSignal): Promise<SentPiece | "unknown" | undefined> {
        const chat = await requireChat(reply);
        const found = await channel.find?.(chat.address, keyOf(reply, number), signal);
        return typeof found === "object" ? { ref: found.ref } : found;
      },
    }),
  };

  async function send(reply: Reply, number: number, how: SendHow): Promise<SentPiece> {
    const chat = await requireChat(reply);
    const parts = await partsOf(reply);
    const part = parts[number];
    if (!part) return { ref: "" };
    const draft = number === 0 && "piece" in part ? await deps.drafts.takeOver(reply.turn) : undefined;
    // put in the place of what was streamed it stands there once, however often that is done
    const note = noteOf(reply, number, draft === undefined ? how : { ...how, mayRepeat: false });
    if (note !== undefined && !hasRoom(part)) await sayBefore(chat, reply, number, note, how.signal);
    const message: OutgoingMessage = {
      key: keyOf(reply, number),
      piece: "piece" in part ? withNote(part.piece, note) : undefined,
      details: chat.details,
      ...(isLastOfWords(parts, number) && questionPart(reply)),
      ...("file" in part && { file: await fileOf(part.file) }),
    };
    const sent = await handOver(chat, draft, message, how.signal);
    saidBefore.delete(message.key);
    if (reply.turn !== undefined && number === 0) deps.drafts.clear(reply.turn);
    await noteDetails(chat, sent);
    return { ref: sent.ref };
  }

  async function handOver(chat: Chat, draft: string | undefined, message: OutgoingMessage, signal: AbortSignal) {
    try {
      if (draft !== undefined) return await replaceDraft(chat, draft, message, signal);
      return await channel.send(chat.address, message, signal);
    } catch (cause) {
      if (message.file && isRefused(cause)) return sayWhereFileIs(chat, message, signal);
      const waitMs = cause instanceof SendFailure ? cause.retryAfterMs : undefined;
      if (waitMs !== undefined) deps.drafts.holdBack(chat.conversation, waitMs);
      throw cause;
    }
  }

  /** What the platform does not take keeps nothing from coming that stands behind it. */
  async function sayWhereFileIs(chat: Chat, { file, ...message }: OutgoingMessage, signal: AbortSignal): Promise<Sent> {
    const [piece] = channel.render(`[${file?.name}: ${title} does not take it. It is on the page of Steward]`);
    return channel.send(chat.address, { ...message, piece }, signal);
  }

  /** To put the answer in the place of what was streamed is the same however often it is done. */
  async function replaceDraft(chat: Chat, ref: string, message: OutgoingMessage, signal: AbortSignal): Promise<Sent> {
    try {
      await channel.edit?.(chat.address, ref, message, signal);
      return { ref };
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
      // somebody has removed it meanwhile
      return channel.send(chat.address, message, signal);
    }
  }

  async function partsOf(reply: Reply): Promise<readonly Part[]> {
    const words = await wordsOf(reply);
    const pieces = words.trim() === "" ? [] : channel.render(words);
    const files = capabilities.files ? reply.attachments : [];
    return [...pieces.map((piece) => ({ piece })), ...files.map((file) => ({ file }))];
  }

  async function wordsOf(reply: Reply): Promise<string> {
    const group = await deps.ledger.groupOf(reply.conversation);
    const left = capabilities.files ? [] : reply.attachments.map((ref) => `[${ref.name}: on the page of Steward]`);
    const words = [reply.text, ...left].filter((part) => part !== "").join("\n\n");
    const isPrivate = (await deps.ledger.chat(reply.conversation))?.isDirect === true;
    if (!group || isPrivate || reply.asks !== undefined || words === "") return words;
    // a list, a table or code begins a line of its own
    const isPlain = /^[\p{L}\p{N}"'“‘(¿¡\p{Extended_Pictographic}]/u.test(words) && !/^\d+[.)]\s/.test(words);
    return `${deps.settings.agent.name}:${isPlain ? " " : "\n\n"}${words}`;
  }

  function questionPart(reply: Reply): Pick<OutgoingMessage, "buttons" | "isUrgent"> {
    const approvalId = askedIn(reply);
    if (approvalId === undefined) return {};
    return { isUrgent: true, ...(capabilities.buttons && { buttons: questionButtons(approvalId) }) };
  }

  function isLastOfWords(parts: readonly Part[], number: number): boolean {
    const after = parts[number + 1];
    return after === undefined || "file" in after;
  }

  async function isAnswered(reply: Reply): Promise<boolean> {
    const approvalId = askedIn(reply);
    if (approvalId === undefined) return false;
    return !(await deps.ledger.openApprovals()).some((open) => open.approvalId === approvalId);
  }

  /** Of a group that is no more: what its tasks still say is not said there. */
  async function isSilenced({ conversation }: Reply): Promise<boolean> {
    return (await deps.ledger.groupOf(conversation))?.name === removedGroupName;
  }

  function noteOf(reply: Reply, number: number, { mayRepeat, late }: SendHow): string | undefined {
    if (mayRepeat) return "(This may be a repeat: Steward was cut off while it sent it.)";
    if (!late || number > 0) return undefined;
    const parts = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
    const at = new Date(reply.atMs).toLocaleString("en-GB", { ...parts, timeZone: deps.timeZone });
    return `(Late: this was written on ${at} and could not be delivered before.)`;
  }

  /** What has no room for the note gets it as a message before it. */
  async function sayBefore(chat: Chat, reply: Reply, number: number, note: string, signal: AbortSignal): Promise<void> {
    const key = keyOf(reply, number);
    if (saidBefore.has(key)) return;
    const [piece] = channel.render(note);
    await channel.send(chat.address, { key: `note.${key}`, piece, details: chat.details }, signal);
    saidBefore.add(key);
  }

  function withNote(piece: RenderedPiece, note: string | undefined): RenderedPiece {
    if (note === undefined || !hasRoom({ piece })) return piece;
    const [rendered] = channel.render(note);
    return { markup: `${rendered?.markup ?? note}\n\n${piece.markup}`, plain: `${note}\n\n${piece.plain}` };
  }

  function hasRoom(part: Part): boolean {
    // a mail may be as long as it likes
    return "piece" in part && (name === "email" || part.piece.markup.length <= mostBesideNote);
  }

  async function fileOf(ref: Reply["attachments"][number]) {
    return { name: ref.name, mediaType: ref.mediaType, data: await deps.store.attachments.read(ref) };
  }

  async function requireChat({ conversation }: Reply): Promise<Chat> {
    const chat = await deps.ledger.chat(conversation);
    if (chat && !(await mayStillTalk(deps, chat)))
      throw new SendFailure("Whoever reads there may no longer talk to Steward.", { retry: "never", arrived: "no" });
    if (chat) return chat;
    throw new SendFailure(`It is not known where on ${title} this conversation takes place.`, {
      retry: "never",
      arrived: "no",
    });
  }

  async function noteDetails(chat: Chat, { details = {} }: Sent): Promise<void> {
    if (Object.keys(details).length === 0) return;
    const { conversation, address, isDirect, title: called, person } = chat;
    await deps.store.log.append([
      {
        type: "chat.met",
        conversation,
        channel: name,
        address,
        isDirect,
        title: called,
        details: { ...chat.details, ...details },
        ...(person !== undefined && { person }),
      },
    ]);
  }
}

function isRefused(cause: unknown): boolean {
  return cause instanceof SendFailure && cause.retry === "never";
}

/** Unlike that of any other piece, also of a Steward that began anew in the same chat. */
function keyOf({ seq, atMs }: Reply, number: number): string {
  return `${seq}.${number}.${atMs}`;
}

function askedIn({ asks, task }: Reply): string | undefined {
  return asks ?? task?.ask;
}
