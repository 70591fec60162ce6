// Messages leave the log for good, with all that was done and said for them. The words go in the transaction that appends the event.
import type { EventOf, NewEvent } from "../../contract/event.ts";
import type { Sender } from "../../contract/sender.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readEvent } from "../../store/log/event-row.ts";
import { findTaking } from "../../store/tables/task-queries.ts";
import type { ToForget } from "../memory.ts";
import { isMessage } from "./said-of-it.ts";

const mostSeqs = 10_000;

/** The events by which they go, and why they were recalled elsewhere; what is gone already is passed over. `stayed` is told why a message does not go. */
export async function chooseMessages(
  tx: Queryable,
  { asked, recalls, by }: { asked: ToForget["messages"]; recalls: ToForget["messages"]; by: Sender },
  stayed: (why: string) => void,
): Promise<{ events: readonly NewEvent[]; messages: number }> {
  const events: NewEvent[] = [];
  let messages = 0;
  for (const conversation of new Set([...asked, ...recalls].map(({ sessionKey }) => sessionKey))) {
    const choice = await choose(tx, conversation, seqsIn(asked, conversation));
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

async function choose(tx: Queryable, conversation: string, asked: readonly number[]): Promise<Choice> {
  const stayed: string[] = [];
  const chosen: Message[] = [];
  const turns = new Set<string>();
  for (const message of await messagesAt(tx, conversation, asked)) {
    const { state, turn } = await stateOf(tx, message);
    if (state === "open") {
      stayed.push(`“${shortly(message.text)}” is still being answered. Forget it when the answer is there.`);
      continue;
    }
    chosen.push(message);
    if (turn !== undefined) turns.add(turn);
  }
  if (chosen.length === 0) return { seqs: [], messages: 0, stayed };
  const seqs = new Set(chosen.map(({ seq }) => seq));
  for (const turn of turns) for (const seq of await workOf(tx, conversation, turn)) seqs.add(seq);
  for (const seq of await undoneAfter(tx, conversation, seqs)) seqs.add(seq);
  for (const seq of await summariesOf(tx, conversation, Math.min(...seqs))) seqs.add(seq);
  return { seqs: [...seqs], messages: chosen.length, stayed };
}

/** Those that still say something. */
async function messagesAt(tx: Queryable, conversation: string, seqs: readonly number[]): Promise<readonly Message[]> {
  const rows = await tx.query(
    "SELECT * FROM events WHERE conversation = ? AND seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
    [conversation, JSON.stringify(seqs)],
  );
  const messages = rows.map(readEvent).filter(isMessage);
  return messages.filter(({ text, attachments }) => text !== "" || attachments.length > 0);
}

/** open: it waits, or somebody works on it. */
async function stateOf(
  tx: Queryable,
  message: Message,
): Promise<{ state: "open" | "over"; turn?: string | undefined }> {
  const waits = await tx.query("SELECT seq FROM inbox WHERE seq = ?", [message.seq]);
  if (waits.length > 0) return { state: "open" };
  const turn = await turnOf(tx, message);
  const open = turn === undefined ? [] : await tx.query("SELECT turn FROM open_turns WHERE turn = ?", [turn]);
  return { state: open.length > 0 ? "open" : "over", turn };
}

async function turnOf(tx: Queryable, message: Message): Promise<string | undefined> {
  if (message.type === "reply.written") return message.turn;
  return message.type === "message.received" ? (await findTaking(tx, message))?.turn : undefined;
}

/** That it began and which messages it took stays: others of them may stay, too. */
async function workOf(tx: Queryable, conversation: string, turn: string): Promise<readonly number[]> {
  const rows = await tx.query(
    "SELECT seq FROM events WHERE turn = ? AND conversation = ? AND type NOT IN ('turn.started', 'turn.steered')",
    [turn, conversation],
  );
  return rows.map(({ seq }) => Number(seq));
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
