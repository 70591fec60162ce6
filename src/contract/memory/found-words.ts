// What a search of the memory found, in words: a model reads them as they are, and the built-in rules read the finds back out.
import { visibleLine } from "../words/visible-line.ts";
import type { MemoryFind } from "./memory-place.ts";

const indent = "   ";
// as wide as the indent: before each line of the one paragraph or message that fits best
const bestMark = ">> ";
export const nothingFoundWords = "Nothing in the notes or conversations fits this.";

/** `note`: why it may not have seen everything. */
export function writeFinds(finds: readonly MemoryFind[], note?: string): string {
  const found = finds.map((find, at) => `${at + 1}. ${headOf(find)}\n${indented(find)}`);
  return [
    ...(finds.length === 0 ? [nothingFoundWords] : found),
    ...(note === undefined ? [] : [`[${plain(note)}]`]),
  ].join("\n");
}

/** All but why each was found, which nobody is told. */
export function readFinds(words: string): { finds: readonly MemoryFind[]; note?: string } {
  const found: { head: Head; lines: string[] }[] = [];
  let note: string | undefined;
  for (const line of words.split("\n")) {
    const opened = readHead(line);
    if (opened) found.push({ head: opened, lines: [] });
    else if (/^\[.*\]$/.test(line)) note = line.slice(1, -1);
    else found.at(-1)?.lines.push(line);
  }
  return { finds: found.map(({ head, lines }) => findOf(head, lines)), ...(note !== undefined && { note }) };
}

type Place = Pick<MemoryFind, "path" | "startLine" | "endLine" | "sessionKey" | "fromSeq" | "toSeq">;
type Head = Omit<MemoryFind, "text" | "best"> & { best?: { at: number; date?: string } };

function findOf({ best, ...head }: Head, lines: readonly string[]): MemoryFind {
  const bare = (each: readonly string[]) => each.map((line) => line.slice(indent.length)).join("\n");
  const find = { ...head, text: bare(lines) };
  if (!best) return find;
  const words = bare(lines.filter((line) => line.startsWith(bestMark)));
  const speaker = head.speakers.find((name) => words.startsWith(`${name}: `));
  const place = head.path === undefined ? { seq: best.at } : { startLine: best.at };
  return {
    ...find,
    best: {
      text: speaker === undefined ? words : words.slice(speaker.length + 2),
      ...(speaker !== undefined && { speaker }),
      ...(best.date !== undefined && { date: best.date }),
      ...place,
    },
  };
}

function headOf({ date, score, speakers, labels, best, ...place }: MemoryFind): string {
  const bestAt = best?.startLine ?? best?.seq;
  return [
    placeOf(place),
    ...(date === undefined ? [] : [date]),
    ...(bestAt === undefined ? [] : [`best: ${[bestAt, ...(best?.date === undefined ? [] : [best.date])].join(", ")}`]),
    `score ${score.toFixed(2)}`,
    ...(speakers.length === 0 ? [] : [`said by: ${listed(speakers)}`]),
    ...(labels.length === 0 ? [] : [`from outside: ${listed(labels)}`]),
  ].join(" · ");
}

function placeOf({ path, startLine, endLine, sessionKey, fromSeq, toSeq }: Place): string {
  const isFile = path !== undefined;
  const [from, to] = isFile ? [startLine, endLine] : [fromSeq, toSeq];
  const name = isFile ? plain(path) : `conversation ${plain(sessionKey ?? "")}`;
  if (from === undefined) return name;
  const one = isFile ? "line" : "message";
  return to === undefined || to === from ? `${name}, ${one} ${from}` : `${name}, ${one}s ${from} to ${to}`;
}

const day = "\\d{4}-\\d\\d-\\d\\d";
const headForm = new RegExp(
  `^\\d+\\. (?<place>.+?)(?: · (?<date>${day}))?(?: · best: (?<bestAt>\\d+)(?:, (?<bestDate>${day}))?)? · score (?<score>\\d\\.\\d\\d)(?: · said by: (?<speakers>.*?))?(?: · from outside: (?<labels>.*))?$`,
);

function readHead(line: string): Head | undefined {
  const { place = "", date, bestAt, bestDate, score, speakers, labels } = headForm.exec(line)?.groups ?? {};
  if (score === undefined) return undefined;
  return {
    ...readPlace(place),
    ...(date !== undefined && { date }),
    ...(bestAt !== undefined && { best: { at: Number(bestAt), ...(bestDate !== undefined && { date: bestDate }) } }),
    ...{ score: Number(score), why: [] },
    ...{ speakers: speakers?.split(", ") ?? [], labels: labels?.split(", ") ?? [] },
  };
}

function readPlace(place: string): Place {
  const [, path, startLine, endLine] = /^(.+), lines? (\d+)(?: to (\d+))?$/.exec(place) ?? [];
  if (path !== undefined) return { path, startLine: Number(startLine), endLine: Number(endLine ?? startLine) };
  const [, sessionKey, from, to] = /^conversation (.+), messages? (\d+)(?: to (\d+))?$/.exec(place) ?? [];
  if (sessionKey !== undefined) return { sessionKey, fromSeq: Number(from), toSeq: Number(to ?? from) };
  return { path: place };
}

/** Nothing in a name passes for another part of the line. */
function plain(words: string): string {
  return visibleLine(words, 1_000).replaceAll("·", "-");
}

function listed(names: readonly string[]): string {
  return names.map((name) => plain(name).replaceAll(",", ";")).join(", ");
}

// what was found stands to the right, so that none of it begins a find of its own
function indented({ text, best }: MemoryFind): string {
  // whatever may begin a line, so that none of it passes for one of ours
  const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/);
  const [from, to] = best ? rowsOf(best, lines) : [0, 0];
  return lines.map((line, at) => `${at >= from && at < to ? bestMark : indent}${line}`).join("\n");
}

function rowsOf({ text, speaker }: NonNullable<MemoryFind["best"]>, lines: readonly string[]): [number, number] {
  const rows = (speaker === undefined ? text : `${speaker}: ${text}`).split("\n");
  const from = lines.findIndex((_, at) => rows.every((row, after) => lines[at + after] === row));
  return from < 0 ? [0, 0] : [from, from + rows.length];
}
