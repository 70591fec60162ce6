// What the conversations of a memory hold of something: what was said, and what was read and done for it.
import { setImmediate } from "node:timers/promises";
import type { Event, EventOf } from "../../contract/event.ts";
import { installationKey } from "../../contract/event.ts";
import type { Mention } from "../../contract/wire/methods/memory.ts";
import type { Queryable, Row } from "../../store/database/database.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import { readEvent } from "../../store/log/event-row.ts";
import type { SpeaksOf } from "./asked-words.ts";
import { textsIn } from "./taken-words.ts";

export type SaidDeps = {
  database: Queryable;
  log: Pick<EventLog, "ofTurn">;
  isTheirs(conversation: string): Promise<boolean>;
  /** Of a long output the whole text, as long as it is kept. */
  wholeOutput(conversation: string, handle: string): Promise<string | undefined>;
};

export type Weighed = { mention: Mention; times: number };

const eventsAtOnce = 200;
const shownCharacters = 1_200;
const shownOfWork = 300;
/** With which what was looked up or done in a turn begins, all of it together. */
export const workWords = "(looked up or done) ";
const headlineWords: Readonly<Record<Headline["type"], string>> = {
  "conversation.configured": "(what a conversation is called) ",
  "conversation.compacted": "(a summary of a conversation) ",
};
// whoever has so many looks for something else
const mostFound = 5_000;

/** The whole log is looked through: an index of words knows nothing of what tools have read. */
export async function findSaid(
  deps: SaidDeps,
  speaksOf: SpeaksOf,
): Promise<{ found: readonly Weighed[]; more: boolean }> {
  const said: (Weighed & { turn: string | undefined })[] = [];
  const work = new Map<string, Weighed & { isHidden: boolean }>();
  for await (const { event, text, isHidden } of wordsIn(deps, speaksOf)) {
    const times = speaksOf.times(text);
    if (times === 0 || !(await deps.isTheirs(event.conversation))) continue;
    const { conversation: sessionKey, seq, atMs } = event;
    const found = { mention: { sessionKey, seq, atMs, ...shownAs(event, text, speaksOf) }, times };
    if (!isWork(event)) said.push({ ...found, turn: event.type === "reply.written" ? event.turn : undefined });
    // what only the middle of a long output says, nothing else of its turn takes along
    else if (isHidden || !work.has(event.turn)) work.set(event.turn, { ...found, isHidden });
    if (said.length + work.size > mostFound) break;
  }
  const turns = new Set(said.map(({ turn }) => turn));
  const seqs = new Set(said.map(({ mention }) => mention.seq));
  const further: Weighed[] = [];
  // what speaks of it too takes along what was done for it
  for (const [turn, found] of work)
    if (found.isHidden || (!turns.has(turn) && !takesAny(await deps.log.ofTurn(turn), seqs)))
      further.push({ mention: found.mention, times: found.times });
  return {
    found: [...said.map(({ mention, times }) => ({ mention, times })), ...further],
    more: said.length + work.size > mostFound,
  };
}

type Said = EventOf<"message.received" | "message.overheard" | "reply.written">;

export function isMessage(event: Event): event is Said {
  return event.type === "message.received" || event.type === "message.overheard" || event.type === "reply.written";
}

/** What a conversation is called or was summed up as: words that belong to no turn. */
type Headline = EventOf<"conversation.configured" | "conversation.compacted">;

export function isHeadline(event: Event): event is Headline {
  return event.type === "conversation.configured" || event.type === "conversation.compacted";
}

type Work = EventOf<"step.finished" | "tool.returned" | "approval.asked">;

/** What is no answer, but led to one. */
export function isWork(event: Event): event is Work {
  return event.type === "step.finished" || event.type === "tool.returned" || event.type === "approval.asked";
}

function takesAny(events: readonly Event[], seqs: ReadonlySet<number | undefined>): boolean {
  return events.some(
    (event) =>
      (event.type === "turn.started" || event.type === "turn.steered") && event.messages.some((seq) => seqs.has(seq)),
  );
}

type Worded = { event: Event; text: string; isHidden: boolean };

const handleOfRest = /read_output with handle (out_[0-9a-f]{16})/;

async function* wordsIn({ database: db, wholeOutput }: SaidDeps, speaksOf: SpeaksOf): AsyncGenerator<Worded> {
  for (let through = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await db.query(
      `SELECT * FROM events WHERE seq < ? AND conversation <> ? AND type IN
         ('message.received', 'message.overheard', 'reply.written', 'step.finished', 'tool.returned', 'approval.asked',
          'conversation.configured', 'conversation.compacted')
       ORDER BY seq DESC LIMIT ?`,
      [through, installationKey, eventsAtOnce],
    );
    for (const row of rows) {
      const worded = await wordsOfRow(row, { wholeOutput, speaksOf });
      if (worded) yield worded;
    }
    const last = rows.at(-1);
    if (!last || rows.length < eventsAtOnce) return;
    through = Number(last.seq);
    await setImmediate();
  }
}

async function wordsOfRow(
  row: Row,
  { wholeOutput, speaksOf }: Pick<SaidDeps, "wholeOutput"> & { speaksOf: SpeaksOf },
): Promise<Worded | undefined> {
  const body = String(row.body);
  const event = speaksOf.mayHold(body) ? readEvent(row) : undefined;
  const text = event ? textOf(event) : "";
  if (event && speaksOf.times(text) > 0) return { event, text, isHidden: false };
  const handle = row.type === "tool.returned" ? handleOfRest.exec(body)?.[1] : undefined;
  const whole = handle === undefined ? undefined : await wholeOutput(String(row.conversation), handle);
  return whole === undefined ? undefined : { event: readEvent(row), text: whole, isHidden: true };
}

/** Of what tools have read, which may be long, the line that speaks of it. */
function lineOf(text: string, speaksOf: SpeaksOf): string {
  const line = text.split("\n").find((each) => speaksOf.times(each) > 0) ?? text;
  // as a search of the memory marks what fits best
  return shownOf(line.replace(/^>> /, "").trim(), speaksOf, shownOfWork);
}

function textOf(event: Event): string {
  if (event.type === "message.received") return [event.text, event.data ?? "", namesOf(event)].join("\n");
  if (event.type === "tool.returned") return event.output;
  if (event.type === "approval.asked") return [event.display, event.reason ?? ""].join("\n");
  if (event.type === "step.finished")
    return [event.text, event.reasoning ?? "", ...event.toolCalls.flatMap(wordsOfCall)].join("\n");
  if (event.type === "conversation.configured") return event.title ?? "";
  if (event.type === "conversation.compacted") return event.summary;
  return isMessage(event) ? [event.text, namesOf(event)].join("\n") : "";
}

function namesOf({ attachments }: Said): string {
  return attachments.map(({ name }) => name).join("\n");
}

function wordsOfCall(call: EventOf<"step.finished">["toolCalls"][number]): readonly string[] {
  return [...textsIn(call.arguments), call.malformed ?? ""];
}

function shownAs(event: Event, text: string, speaksOf: SpeaksOf): Pick<Mention, "text" | "who"> {
  if (isWork(event)) return { text: `${workWords}${lineOf(text, speaksOf)}`, who: "assistant" };
  const isOwn = event.type === "reply.written" || event.type === "conversation.compacted";
  const headline = isHeadline(event) ? headlineWords[event.type] : "";
  return { text: `${headline}${shownOf(text, speaksOf)}`, who: isOwn ? "assistant" : "person" };
}

function shownOf(text: string, speaksOf: SpeaksOf, most = shownCharacters): string {
  const whole = text.trim();
  if (whole.length <= most) return whole;
  const from = Math.max(0, Math.min(speaksOf.firstIn(whole) - most / 4, whole.length - most));
  const shown = whole.slice(from, from + most).toWellFormed();
  return `${from > 0 ? "…" : ""}${shown}${from + most < whole.length ? "…" : ""}`;
}
