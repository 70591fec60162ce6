import type { AttachmentRef, AttachmentStore } from "../contract/attachment.ts";
import type { Group } from "../contract/channel/group.ts";
import type { Event, EventOf } from "../contract/event.ts";
import type { FilePart, ImagePart, ModelMessage, TextPart } from "../contract/model.ts";
import { isBackground } from "../contract/task/task.ts";
import { standingEvents } from "../contract/wire/chat-messages.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { cutMiddle } from "../tools/outputs/cut-long-output.ts";
import { catchUp, type Spoken, spokenLine } from "../workspace/group-talk.ts";

const maxEvents = 4_000;
const oldOutputLength = 4_000;
const mostAround = 100;

export type WindowDeps = { log: EventLog; attachments: AttachmentStore; group?: Group | undefined };
/** `group`: several people speak, and each line says who and when. */
type Attached = Pick<WindowDeps, "attachments"> & { group?: unknown; timeZone: string };

/** The part of a conversation that the model may see: everything since the last compaction, whole turns only. */
export async function loadWindow(
  deps: WindowDeps,
  conversation: string,
  compactedSeq: number,
): Promise<readonly Event[]> {
  const compaction = compactedSeq > 0 ? (await deps.log.at([compactedSeq]))[0] : undefined;
  const throughSeq = endOfPast(compaction);
  const own = standingEvents(await deps.log.latest(conversation, maxEvents, undefined, throughSeq));
  const events = [...(await saidAround(deps, conversation, own)), ...own];
  // a run begins afresh: what the one before it said would cost more with every day
  const firstTurn = isBackground(conversation)
    ? lastRunIndex(events)
    : events.findIndex((event) => event.type === "turn.started");
  const overheard = events.slice(0, Math.max(0, firstTurn)).filter(({ type }) => type === "message.overheard");
  const whole = firstTurn < 0 ? events : [...overheard, ...events.slice(firstTurn)];
  const messages = await deps.log.at(missingMessages(whole));
  // the summary of an earlier run is no part of this one
  const isEarlier = isBackground(conversation) && compaction !== undefined && compaction.seq < (whole[0]?.seq ?? 0);
  const compactions = compaction?.type === "conversation.compacted" && !isEarlier ? [compaction] : [];
  return [...compactions, ...messages, ...whole.filter((event) => event.type !== "conversation.compacted")];
}

/** What begins in a thread of a group comes from what was said before it in the group itself. */
async function saidAround(deps: WindowDeps, conversation: string, own: readonly Event[]): Promise<readonly Event[]> {
  const { group } = deps;
  const [first] = own;
  const isThread = group !== undefined && group.conversation !== conversation && !isBackground(conversation);
  if (!isThread || first?.type === undefined || own.some(({ type }) => type === "turn.finished")) return [];
  const around = await deps.log.latest(group.conversation, mostAround, first.seq);
  return around.filter((event) => event.type === "message.overheard" && !isForgotten(event));
}

/** What lies before it is no longer read: it was summarised, or the owner began anew. */
function endOfPast(cut: Event | undefined): number {
  if (cut?.type === "conversation.compacted") return cut.throughSeq;
  return cut?.type === "conversation.renewed" ? cut.seq : 0;
}

function lastRunIndex(events: readonly Event[]): number {
  const runs = new Set(events.flatMap((event) => (event.type === "message.received" && event.run ? [event.seq] : [])));
  return events.findLastIndex((event) => event.type === "turn.started" && event.messages.some((seq) => runs.has(seq)));
}

const breakdowns: readonly EventOf<"turn.finished">["ending"][] = ["unavailable", "refused", "failed"];

/** A part of the message it was found for, so that the history before it stays the same for a provider's cache. */
function layBeside(messages: ModelMessage[], text: string): void {
  const last = messages.at(-1);
  if (last?.role === "user")
    messages[messages.length - 1] = { ...last, content: [...last.content, { type: "text", text }] };
}

type WindowIndex = {
  received: ReadonlyMap<number, EventOf<"message.received">>;
  returned: ReadonlyMap<string, EventOf<"tool.returned">>;
  brokenTurns: ReadonlySet<string>;
};

/** Turns the window into the history a model reads; a tool call is always followed by its result. */
export async function toModelMessages(
  deps: Attached,
  window: readonly Event[],
  currentTurn: string,
  beside?: string,
): Promise<readonly ModelMessage[]> {
  const index = indexOf(window);
  const messages: ModelMessage[] = [];
  let overheard: Spoken[] = [];
  for (const event of window) {
    switch (event.type) {
      case "conversation.compacted":
        messages.push(summaryMessage(event));
        break;
      case "message.overheard":
        overheard.push(event);
        break;
      case "turn.started":
      case "turn.steered": {
        const lastSeq = Math.max(...event.messages);
        const said = catchUp(
          overheard.filter(({ seq }) => seq < lastSeq),
          deps.timeZone,
        );
        if (said !== undefined) messages.push({ role: "user", content: [{ type: "text", text: said }] });
        overheard = overheard.filter(({ seq }) => seq > lastSeq);
        const isOpen = event.turn === currentTurn;
        for (const seq of event.messages) messages.push(...(await userMessage(deps, index.received.get(seq), isOpen)));
        if (isOpen && event.type === "turn.started" && beside !== undefined) layBeside(messages, beside);
        break;
      }
      case "step.finished":
        messages.push(...(await stepMessages(deps, event, index.returned, event.turn === currentTurn)));
        break;
      case "reply.written":
        if (event.task) messages.push(taskMessage(event, event.task.title));
        else if (event.turn && !index.brokenTurns.has(event.turn)) addSpokenEnding(messages, event);
        break;
      default:
        break;
    }
  }
  return messages;
}

function indexOf(window: readonly Event[]): WindowIndex {
  const received = new Map<number, EventOf<"message.received">>();
  const returned = new Map<string, EventOf<"tool.returned">>();
  const brokenTurns = new Set<string>();
  for (const event of window) {
    if (event.type === "message.received") received.set(event.seq, event);
    if (event.type === "tool.returned") returned.set(callKey(event.turn, event.callId), event);
    // an apology for a model that did not answer would only confuse the next one
    if (event.type === "turn.finished" && breakdowns.includes(event.ending)) brokenTurns.add(event.turn);
  }
  return { received, returned, brokenTurns };
}

async function stepMessages(
  deps: Attached,
  event: EventOf<"step.finished">,
  returned: ReadonlyMap<string, EventOf<"tool.returned">>,
  isCurrent: boolean,
): Promise<readonly ModelMessage[]> {
  if (event.text === "" && event.toolCalls.length === 0) return [];
  const { text, reasoning, toolCalls, providerState, model } = event;
  const messages: ModelMessage[] = [{ role: "assistant", text, reasoning, toolCalls, providerState, model }];
  for (const call of event.toolCalls) {
    const result = returned.get(callKey(event.turn, call.callId));
    const images = isCurrent ? (result?.attachments ?? []).filter(isImage) : [];
    const output = result?.output ?? "The outcome of this call is not known.";
    messages.push({
      role: "tool",
      callId: call.callId,
      tool: call.tool,
      failed: result?.outcome !== "done",
      output: isCurrent ? output : cutMiddle(output, oldOutputLength),
      images: await Promise.all(images.map((ref) => imagePart(deps, ref))),
    });
  }
  return messages;
}

type Heard = EventOf<"message.received"> | undefined;

async function userMessage(deps: Attached, message: Heard, isOpen: boolean): Promise<readonly ModelMessage[]> {
  if (!message || isForgotten(message)) return [];
  const content: (TextPart | ImagePart | FilePart)[] = [{ type: "text", text: wordsOf(deps, message) }];
  // a part of its own: what somebody asks for and what came with it are two things
  if (message.data !== undefined) content.push({ type: "text", text: message.data });
  for (const ref of message.attachments) {
    const { mediaType, name } = ref;
    if (isImage(ref)) content.push(await imagePart(deps, ref));
    else content.push({ type: "file", mediaType, name, data: await deps.attachments.read(ref) });
  }
  return [{ role: "user", content, isOpen }];
}

// a turn took it with others, and it has lost its words since
function isForgotten(message: EventOf<"message.received" | "message.overheard">): boolean {
  const { text, attachments } = message;
  return (
    text === "" && attachments.length === 0 && (message.type === "message.overheard" || message.data === undefined)
  );
}

function wordsOf({ group, timeZone }: Attached, message: EventOf<"message.received">): string {
  const { sender, run, text } = message;
  if (group !== undefined && !run && sender.kind !== "system")
    return spokenLine({ ...message, attachments: [] }, timeZone);
  return sender.kind === "owner" || run ? text : `[${sender.name ?? sender.id}] ${text}`;
}

function summaryMessage(event: EventOf<"conversation.compacted">): ModelMessage {
  return { role: "user", content: [{ type: "text", text: `[What was said before, in short]\n${event.summary}` }] };
}

/** What a task has said in between, so that an answer to it is understood. */
function taskMessage({ text }: EventOf<"reply.written">, title: string): ModelMessage {
  return { role: "assistant", text: `[from the task “${title}”] ${text}`, toolCalls: [], model: "steward" };
}

// how a turn ended is said in a reply that no model wrote; the model should know that it was said
function addSpokenEnding(messages: ModelMessage[], event: EventOf<"reply.written">): void {
  const last = messages.findLast((message) => message.role === "assistant");
  if (last?.role === "assistant" && event.text.startsWith(last.text) && last.text !== "") return;
  messages.push({ role: "assistant", text: event.text, toolCalls: [], model: "steward" });
}

function isImage(ref: AttachmentRef): boolean {
  return ref.mediaType.startsWith("image/");
}

async function imagePart(deps: Attached, ref: AttachmentRef): Promise<ImagePart> {
  return { type: "image", mediaType: ref.mediaType, data: await deps.attachments.read(ref) };
}

// a message may have waited through the compaction that came before its turn
function missingMessages(events: readonly Event[]): readonly number[] {
  const present = new Set(events.filter((event) => event.type === "message.received").map((event) => event.seq));
  return events.flatMap((event) =>
    event.type === "turn.started" || event.type === "turn.steered"
      ? event.messages.filter((seq) => !present.has(seq))
      : [],
  );
}

function callKey(turn: string, callId: string): string {
  return `${turn} ${callId}`;
}

/** What the owner has written in the conversation, or in HEARTBEAT.md, which nobody changes without asking them. */
export function ownWords(window: readonly Event[]): string {
  return window.flatMap((event) => (event.type === "message.received" ? ownWordsOf(event) : [])).join("\n");
}

function ownWordsOf({ sender, run, named, text }: EventOf<"message.received">): readonly string[] {
  if (sender.kind !== "owner" && run?.cause !== "heartbeat") return [];
  return named ?? [text];
}
