// Messages leave the log for good, with what was done and said for them. The words go in the transaction that appends the event.
import type { Event, EventOf, NewEvent } from "../../contract/event.ts";
import type { Sender } from "../../contract/sender.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readEvent } from "../../store/log/event-row.ts";
import { findTaking } from "../../store/tables/task-queries.ts";
import type { ToForget } from "../memory.ts";
import { readAsked, type SpeaksOf } from "./asked-words.ts";
import { isHeadline, isMessage, isWork } from "./said-of-it.ts";
import { takenWords } from "./taken-words.ts";

const mostSeqs = 10_000;

export type MessagesAsked = { asked: ToForget["messages"]; about: string | undefined };

/** The events by which they go, and why they were recalled elsewhere; what is gone already is passed over. `stayed` is told why a message does not go. */
export async function chooseMessages(
  tx: Queryable,
  { asked, about, recalls, by }: MessagesAsked & { recalls: ToForget["messages"]; by: Sender },
  stayed: (why: string) => void,
): Promise<{ events: readonly NewEvent[]; messages: number }> {
  const speaksOf = about === undefined ? undefined : readAsked(about);
  const events: NewEvent[] = [];
  let messages = 0;
  for (const conversation of new Set([...asked, ...recalls].map(({ sessionKey }) => sessionKey))) {
    const choice = await choose(tx, { conversation, asked: seqsIn(asked, conversation), speaksOf });
    choice.stayed.forEach(stayed);
    messages += choice.messages;
    const seqs = new Set([...choice.seqs, ...seqsIn(recalls, conversation)]);
    events.push(
      ...eventsFor(
        conversation,
        [...seqs].sort((one, other) => one - other),
        by,
      ),
    );
  }
  return { events, messages };
}

function seqsIn(messages: ToForget["messages"], conversation: string): readonly number[] {
  return [...new Set(messages.flatMap(({ sessionKey, seq }) => (sessionKey === conversation ? [seq] : [])))];
}

function eventsFor(conversation: string, seqs: readonly number[], by: Sender): readonly NewEvent[] {
  const events: NewEvent[] = [];
  for (let from = 0; from < seqs.length; from += mostSeqs)
    events.push({ type: "messages.forgotten", conversation, seqs: seqs.slice(from, from + mostSeqs), by });
  return events;
}

type Choice = { seqs: readonly number[]; messages: number; stayed: readonly string[] };
type Message = EventOf<"message.received" | "message.overheard" | "reply.written">;
/** `speaksOf`: undefined where nobody says what it is about. */
type Wish = { conversation: string; asked: readonly number[]; speaksOf: SpeaksOf | undefined };

async function choose(tx: Queryable, wish: Wish): Promise<Choice> {
  const { conversation } = wish;
  const stayed: string[] = [];
  const seqs = new Set<number>();
  let messages = 0;
  for (const event of await eventsAt(tx, conversation, wish.asked)) {
    const { state, turn } = await stateOf(tx, event);
    if (state === "open") {
      stayed.push(openWords(event));
      continue;
    }
    const along = turn === undefined ? [] : await workOf(tx, conversation, turn);
    const gone = isHeadline(event)
      ? [event.seq]
      : isMessage(event)
        ? [event.seq, ...goesAlong(event, along, wish.speaksOf)]
        : workGone(event, along, wish);
    for (const seq of withTheirCalls(gone, along)) seqs.add(seq);
    if (gone.length > 0) messages += 1;
  }
  if (seqs.size === 0) return { seqs: [], messages: 0, stayed };
  for (const seq of await undoneAfter(tx, conversation, seqs)) seqs.add(seq);
  for (const seq of await summariesOf(tx, conversation, Math.min(...seqs))) seqs.add(seq);
  return { seqs: [...seqs], messages, stayed };
}

/** A reply takes along all by which it came about; what somebody said, only what of its answer speaks of it too. */
function goesAlong(message: Message, turn: readonly Event[], speaksOf: SpeaksOf | undefined): readonly number[] {
  const speaks = (event: Event) => speaksOf === undefined || speaksOf.times(takenWords(event)) > 0;
  const goes = (event: Event) => event.seq === message.seq || speaks(event);
  const repliesGo = turn.some((event) => event.type === "reply.written" && goes(event));
  const along = turn.filter((event) => (repliesGo && event.type !== "reply.written") || goes(event));
  return along.map(({ seq }) => seq);
}

/** Of what was only looked up or done everything that speaks of it, and nothing that was said. */
function workGone(named: Event, turn: readonly Event[], { speaksOf }: Wish): readonly number[] {
  const speaks = (event: Event) =>
    event.seq === named.seq || (speaksOf !== undefined && speaksOf.times(takenWords(event)) > 0);
  const gone = turn.filter((event) => !isMessage(event) && speaks(event));
  return gone.map(({ seq }) => seq);
}

/** With a step go the answers to its calls: in the audit log each of them tells again what it was called with. */
export function withTheirCalls(seqs: readonly number[], turn: readonly Event[]): readonly number[] {
  const steps = turn.filter((event) => event.type === "step.finished" && seqs.includes(event.seq));
  const calls = new Set(
    steps.flatMap((step) => (step.type === "step.finished" ? step.toolCalls : [])).map((call) => call.callId),
  );
  const answers = turn.filter((event) => "callId" in event && calls.has(String(event.callId)));
  return [...seqs, ...answers.map(({ seq }) => seq)];
}

function openWords(event: Event): string {
  if (isMessage(event)) return `“${shortly(event.text)}” is still being answered. Forget it when the answer is there.`;
  return "Something that speaks of it is still being worked on. Forget it when the answer is there.";
}

/** Those that still say something. */
async function eventsAt(tx: Queryable, conversation: string, seqs: readonly number[]): Promise<readonly Event[]> {
  const rows = await tx.query(
    "SELECT * FROM events WHERE conversation = ? AND seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
    [conversation, JSON.stringify(seqs)],
  );
  return rows.map(readEvent).filter((event) => {
    if (isMessage(event)) return event.text !== "" || event.attachments.length > 0;
    return (isHeadline(event) || isWork(event)) && takenWords(event) !== "";
  });
}

/** open: it waits, or somebody works on it. */
async function stateOf(tx: Queryable, event: Event): Promise<{ state: "open" | "over"; turn?: string | undefined }> {
  const waits = await tx.query("SELECT seq FROM inbox WHERE seq = ?", [event.seq]);
  if (waits.length > 0) return { state: "open" };
  const turn = await turnOf(tx, event);
  const open = turn === undefined ? [] : await tx.query("SELECT turn FROM open_turns WHERE turn = ?", [turn]);
  return { state: open.length > 0 ? "open" : "over", turn };
}

async function turnOf(tx: Queryable, event: Event): Promise<string | undefined> {
  if (event.type === "message.received") return (await findTaking(tx, event))?.turn;
  return "turn" in event ? event.turn : undefined;
}

/** That it began and which messages it took stays: others of them may stay, too. */
async function workOf(tx: Queryable, conversation: string, turn: string): Promise<readonly Event[]> {
  const rows = await tx.query(
    "SELECT * FROM events WHERE turn = ? AND conversation = ? AND type NOT IN ('turn.started', 'turn.steered')",
    [turn, conversation],
  );
  return rows.map(readEvent);
}

async function undoneAfter(tx: Queryable, conversation: string, seqs: ReadonlySet<number>): Promise<readonly number[]> {
  const rows = await tx.query("SELECT * FROM events WHERE conversation = ? AND type = 'changes.undone'", [
    conversation,
  ]);
  return rows
    .map(readEvent)
    .flatMap((event) => (event.type === "changes.undone" && seqs.has(event.returned) ? event.seq : []));
}

/** Summaries of what went hold it in other words; each later one was made from the one before it. */
async function summariesOf(tx: Queryable, conversation: string, fromSeq: number): Promise<readonly number[]> {
  const rows = await tx.query(
    "SELECT * FROM events WHERE conversation = ? AND seq > ? AND type = 'conversation.compacted'",
    [conversation, fromSeq],
  );
  return rows
    .map(readEvent)
    .flatMap((event) => (event.type === "conversation.compacted" && event.throughSeq >= fromSeq ? event.seq : []));
}

function shortly(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
