// What the memory has told in a turn is not remembered again: replies come in, and of those that repeat it what is new goes out.
import type { EventOf } from "../../contract/event.ts";
import type { Queryable } from "../../store/database/database.ts";
import { placeholders } from "../../store/database/rows.ts";
import { readEvent } from "../../store/log/event-row.ts";

type Reply = Pick<EventOf<"reply.written">, "seq" | "turn" | "text">;
type Told = { seq: number; text: string };
type Recalled = { seq: number; messages: readonly number[] };
type Turn = { returned: Told[]; recalled: Recalled[] };

const memoryTools: readonly string[] = ["memory_search", "memory_get"];
// it says the same words again and again
const rulesModel = "offline/rules";
const mostRecalled = 50;
const askedAtOnce = 500;
// what is shorter stands in many a text by chance
const longEnough = 16;
const mostCompared = 60_000;

/** By the number of the reply; one that is missing says nothing that the memory had told. */
export async function newInReplies(db: Queryable, replies: readonly Reply[]): Promise<ReadonlyMap<number, string>> {
  const turns = await readTurns(db, [...new Set(replies.flatMap(({ turn }) => turn ?? []))]);
  const recalled = await readMessages(
    db,
    [...turns.values()].flatMap((turn) => turn.recalled.flatMap((each) => each.messages)),
  );
  const byRules = await turnsOfRules(db, [...new Set(replies.flatMap(({ turn }) => turn ?? []))]);
  const found = new Map<number, string>();
  for (const { seq, turn: id = "", text } of replies) {
    // help, and the owner's own words said back to them
    if (byRules.has(id)) found.set(seq, "");
    const turn = turns.get(id);
    if (!turn || byRules.has(id)) continue;
    const returned = turn.returned.filter((each) => each.seq < seq);
    const texts = [
      ...returned.map((each) => each.text),
      ...turn.recalled.flatMap((each) =>
        each.seq < seq ? each.messages.flatMap((one) => recalled.get(one) ?? []) : [],
      ),
    ];
    if (texts.length > 0) found.set(seq, withoutRepeats(text, withinBounds(texts)));
  }
  return found;
}

/** In most turns nothing was looked for; what other tools return is long, and not even parsed. */
async function readTurns(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Turn>> {
  const turns = new Map<string, Turn>();
  if (ids.length === 0) return turns;
  const rows = await db.query(
    `SELECT * FROM events WHERE turn IN (${placeholders(ids)})
       AND (type = 'memory.recalled' OR (type = 'tool.returned' AND body LIKE '%"tool":"memory%')) ORDER BY seq`,
    ids,
  );
  for (const event of rows.map(readEvent)) {
    if (event.type !== "tool.returned" && event.type !== "memory.recalled") continue;
    const turn = turns.get(event.turn) ?? { returned: [], recalled: [] };
    turns.set(event.turn, turn);
    if (event.type === "memory.recalled") turn.recalled.push({ seq: event.seq, messages: messagesOf(event) });
    else if (memoryTools.includes(event.tool)) turn.returned.push({ seq: event.seq, text: event.output });
  }
  return turns;
}

/** What it recalled from notes is not in the log. */
function messagesOf({ finds }: EventOf<"memory.recalled">): readonly number[] {
  const found = finds.flatMap(({ fromSeq, toSeq = fromSeq }) => {
    const count = fromSeq === undefined || toSeq === undefined ? 0 : Math.min(toSeq - fromSeq + 1, mostRecalled);
    return Array.from({ length: Math.max(0, count) }, (_, at) => (fromSeq ?? 0) + at);
  });
  return found.slice(0, mostRecalled);
}

async function readMessages(db: Queryable, seqs: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  const all = [...new Set(seqs)];
  for (let from = 0; from < all.length; from += askedAtOnce) {
    const some = all.slice(from, from + askedAtOnce);
    const rows = await db.query(
      `SELECT * FROM events WHERE seq IN (${placeholders(some)}) AND type IN ('message.received', 'reply.written')`,
      some,
    );
    for (const event of rows.map(readEvent)) if ("text" in event) texts.set(event.seq, event.text);
  }
  return texts;
}

/** Whose last step was that of the built-in rules. */
async function turnsOfRules(db: Queryable, turns: readonly string[]): Promise<ReadonlySet<string>> {
  if (turns.length === 0) return new Set();
  const rows = await db.query(
    `SELECT turn, MAX(seq) AS last, MAX(CASE WHEN instr(body, ?) > 0 THEN seq END) AS by_rules FROM events
     WHERE turn IN (${placeholders(turns)}) AND type = 'step.finished' GROUP BY turn`,
    [`"model":"${rulesModel}"`, ...turns],
  );
  return new Set(rows.flatMap((row) => (row.last === row.by_rules ? [String(row.turn)] : [])));
}

/** The newest, as far as a moment suffices to compare with them. */
function withinBounds(texts: readonly string[]): readonly string[] {
  let left = mostCompared;
  return texts.toReversed().filter(({ length }) => {
    left -= length;
    return left >= 0;
  });
}

/** Lines, and sentences of the others, that stood in what was told are left out. */
export function withoutRepeats(text: string, told: readonly string[]): string {
  const texts = told.map(signsOf);
  const pieces = new Set(
    told.flatMap((each) => each.split("\n").flatMap((line) => [line, ...sentencesOf(line)])).map(signsOf),
  );
  const isTold = (piece: string) => {
    const signs = signsOf(piece);
    return pieces.has(signs) || (signs.length >= longEnough && texts.some((each) => each.includes(signs)));
  };
  const lines = text.split("\n").flatMap((line) => {
    if (signsOf(line) === "") return [line];
    const left = isTold(line)
      ? ""
      : sentencesOf(line)
          .filter((sentence) => signsOf(sentence) === "" || !isTold(sentence))
          .join("");
    return signsOf(left) === "" ? [] : [left.trimEnd()];
  });
  const left = lines.join("\n").trim();
  return signsOf(left) === "" ? "" : left;
}

/** With the signs and spaces behind them; what is quoted is one, too. */
function sentencesOf(line: string): readonly string[] {
  return line.split(/(?<=[.!?…]["”’»)\]]{0,3}\s)|(?<=[。！？])|(?<=[:：]\s)|(?=[“„«「"])|(?<=[”»」"])/);
}

function signsOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
