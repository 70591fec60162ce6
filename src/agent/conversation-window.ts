import type { AttachmentRef, AttachmentStore } from "../contract/attachment.ts";
import type { Event, EventOf, Sender } from "../contract/event.ts";
import type { FilePart, ImagePart, ModelMessage, TextPart } from "../contract/model.ts";
import { standingEvents } from "../contract/wire/chat-messages.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { cutMiddle } from "../tools/outputs/cut-long-output.ts";

const maxEvents = 4_000;
const oldOutputLength = 4_000;

export type WindowDeps = { log: EventLog; attachments: AttachmentStore };
type Attached = Pick<WindowDeps, "attachments">;

/** The part of a conversation that the model may see: everything since the last compaction, whole turns only. */
export async function loadWindow(
  deps: WindowDeps,
  conversation: string,
  compactedSeq: number,
): Promise<readonly Event[]> {
  const compaction = compactedSeq > 0 ? (await deps.log.at([compactedSeq]))[0] : undefined;
  const throughSeq = compaction?.type === "conversation.compacted" ? compaction.throughSeq : 0;
  const events = standingEvents(await deps.log.latest(conversation, maxEvents, undefined, throughSeq));
  const firstTurn = events.findIndex((event) => event.type === "turn.started");
  const whole = firstTurn < 0 ? events : events.slice(firstTurn);
  const messages = await deps.log.at(missingMessages(whole));
  const compactions = compaction ? [compaction] : [];
  return [...compactions, ...messages, ...whole.filter((event) => event.type !== "conversation.compacted")];
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
): Promise<readonly ModelMessage[]> {
  const index = indexOf(window);
  const messages: ModelMessage[] = [];
  for (const event of window) {
    switch (event.type) {
      case "conversation.compacted":
        messages.push(summaryMessage(event));
        break;
      case "turn.started":
      case "turn.steered":
        for (const seq of event.messages) messages.push(...(await userMessage(deps, index.received.get(seq))));
        break;
      case "step.finished":
        messages.push(...(await stepMessages(deps, event, index.returned, event.turn === currentTurn)));
        break;
      case "reply.written":
        if (event.turn && !index.brokenTurns.has(event.turn)) addSpokenEnding(messages, event);
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
    if (event.type === "turn.finished" && isBreakdown(event)) brokenTurns.add(event.turn);
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

async function userMessage(deps: Attached, message?: EventOf<"message.received">): Promise<readonly ModelMessage[]> {
  if (!message) return [];
  const speaker = message.sender.kind === "owner" ? "" : `[${message.sender.name ?? message.sender.id}] `;
  const content: (TextPart | ImagePart | FilePart)[] = [{ type: "text", text: `${speaker}${message.text}` }];
  for (const ref of message.attachments) {
    const { mediaType, name } = ref;
    if (isImage(ref)) content.push(await imagePart(deps, ref));
    else content.push({ type: "file", mediaType, name, data: await deps.attachments.read(ref) });
  }
  return [{ role: "user", content }];
}

function summaryMessage(event: EventOf<"conversation.compacted">): ModelMessage {
  return { role: "user", content: [{ type: "text", text: `[What was said before, in short]\n${event.summary}` }] };
}

// how a turn ended is said in a reply that no model wrote; the model should know that it was said
function addSpokenEnding(messages: ModelMessage[], event: EventOf<"reply.written">): void {
  const last = messages.findLast((message) => message.role === "assistant");
  if (last?.role === "assistant" && event.text.startsWith(last.text) && last.text !== "") return;
  messages.push({ role: "assistant", text: event.text, toolCalls: [], model: "steward" });
}

// an apology for a model that did not answer would only confuse the next one
function isBreakdown(event: EventOf<"turn.finished">): boolean {
  return event.ending === "unavailable" || event.ending === "refused" || event.ending === "failed";
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

/** What the owner has written in the conversation. */
export function ownWords(window: readonly Event[]): string {
  return window
    .flatMap((event) => (event.type === "message.received" && event.sender.kind === "owner" ? [event.text] : []))
    .join("\n");
}

/** A turn acts with the rights of the least trusted person who speaks in it. */
export function askerOf(window: readonly Event[], turn: string): Sender {
  const seqs = new Set(
    window.flatMap((event) =>
      (event.type === "turn.started" || event.type === "turn.steered") && event.turn === turn ? event.messages : [],
    ),
  );
  const senders = window.flatMap((event) =>
    event.type === "message.received" && seqs.has(event.seq) ? [event.sender] : [],
  );
  const order = ["stranger", "group", "owner", "system"] as const;
  const least = order.flatMap((kind) => senders.filter((sender) => sender.kind === kind))[0];
  return least ?? { kind: "stranger", id: "nobody" };
}
