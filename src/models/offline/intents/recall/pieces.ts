// A find may be a passage of many lines and messages; what answers a question is one of them.

import type { MemoryFind } from "../../../../contract/memory/memory-place.ts";
import { isNote } from "../../../../contract/names/protected-names.ts";
import { tableRows } from "./table-rows.ts";

/** A paragraph, a list item or a message, bare of what stands around its words. */
export type Piece = {
  text: string;
  /** Words that stand above it and belong to it. */
  context: string;
  /** The nearest of the headings above it. */
  heading: string | undefined;
  /** Where it stands among the lines that were found together. */
  row: number;
  /** An answer that was given before, or part of one. */
  isAssistants: boolean;
  day: string | undefined;
  score: number;
  /** The search thinks most of it among its neighbours. */
  isBest: boolean;
  by: { kind: "owner" } | { kind: "named"; name: string } | { kind: "unknown" };
  labels: readonly string[];
  place: { kind: "file"; path: string; lines: string } | { kind: "conversation"; isAmongOthers: boolean };
};

type Rows = { from: number; to: number; line: number | undefined };
/** `above`: headings that were laid before what was found. */
type Around = { lineCount: number; above: number; best: Rows | undefined; isAfterNamed: boolean };
/** The one who answers, by the name it goes by in what is found. */
const assistant = "Steward";

type Stretch = { lines: string[]; from: number; headings: readonly string[] };

const heading = /^ {0,3}(#{1,6})\s+(\S.*)$/;
const item = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?=\S)/;
const dayBefore = /^\[?(\d{4}-\d{2}-\d{2})\]?\b[:,\s–-]*/;
const anyDay = /\d{4}-\d{2}-\d{2}/;
const source = / ?\(from ([^()]{1,300})\)\s*$/;
const mostPieces = 400;

export function piecesOf(find: MemoryFind): readonly Piece[] {
  const lines = find.text.split("\n");
  const best = bestRows(find, lines);
  const { startLine = 1, endLine = startLine } = find;
  const extra = lines.length - (endLine - startLine + 1);
  const isBelow = extra > 0 && lines.slice(0, extra).every((line) => heading.test(line));
  const above = isBelow ? extra : 0;
  const stretches = stretchesIn(lines, find).slice(0, mostPieces);
  let [isAfterNamed, isAssisted] = [false, false];
  const pieces = stretches.map((stretch) => {
    const piece = pieceOf(find, stretch, {
      ...{ lineCount: lines.length, above },
      best: isIn(stretch, best) ? best : undefined,
      isAfterNamed,
    });
    isAfterNamed ||= piece.by.kind === "named";
    // a list after words of the assistant is one of its own
    isAssisted = piece.by.kind === "unknown" ? isAssisted : isByAssistant(piece.by);
    const isItem = isAssisted && piece.by.kind === "unknown" && item.test(stretch.lines[0] ?? "");
    return { ...piece, isAssistants: isByAssistant(piece.by) || isItem };
  });
  // where some lines bear their own day, the day of the passage is that of one of them
  const ofAll = pieces.some(({ day }) => day !== undefined) && !anyDay.test(find.path ?? "") ? undefined : find.date;
  return pieces.map((piece) => (piece.day === undefined && isDay(ofAll) ? { ...piece, day: ofAll } : piece));
}

function isByAssistant(by: Piece["by"]): boolean {
  return by.kind === "named" && by.name === assistant;
}

function stretchesIn(lines: readonly string[], find: MemoryFind): readonly Stretch[] {
  // of several messages nobody can tell where one that names nobody begins
  const isEachOwn = find.path === undefined && find.fromSeq !== find.toSeq;
  const found: Stretch[] = [];
  const rows = tableRows(lines);
  let above: readonly { level: number; title: string }[] = [];
  let open: Stretch | undefined;
  for (const [from, line] of lines.entries()) {
    const [, marks = "", title] = heading.exec(line) ?? [];
    const row = rows.get(from);
    if (title !== undefined)
      above = [...above.filter(({ level }) => level < marks.length), { level: marks.length, title }];
    const begins = isEachOwn || item.test(line) || row || speakerOf(line, speakersOf(find)) !== undefined;
    if (title !== undefined || line.trim() === "" || (rows.has(from) && !row)) open = undefined;
    else if (!open || begins) {
      const headings = row?.isOfSomebody ? [] : above.map((each) => each.title);
      open = { lines: [row?.words ?? line], from, headings };
      found.push(open);
    } else open.lines.push(line);
  }
  return found;
}

function pieceOf(find: MemoryFind, stretch: Stretch, { lineCount, above, best, isAfterNamed }: Around): Piece {
  const whole = stretch.lines.join(" ").replace(/\s+/g, " ").trim();
  const withoutItem = whole.replace(item, "");
  const name = speakerOf(withoutItem, speakersOf(find));
  const said = name === undefined ? withoutItem : withoutItem.slice(name.length + 1).trim();
  const ownDay = dayBefore.exec(said)?.[1];
  const ownLabel = source.exec(said)?.[1];
  return {
    text: said.replace(dayBefore, "").replace(source, ""),
    heading: stretch.headings.at(-1),
    row: stretch.from,
    isAssistants: false,
    context: [...stretch.headings, name ?? "", topicOf(find.path)].join(" "),
    day: [ownDay, best && find.best?.date].find(isDay),
    score: find.score,
    isBest: best !== undefined,
    // of the best one the search tells who said it
    by: speakerIn(
      find,
      name ?? (best && find.path === undefined ? find.best?.speaker : undefined),
      isAfterNamed && !best,
    ),
    labels: ownLabel === undefined ? labelsOf(find, name) : ownLabel.split(/, | and /),
    place: placeOf(find, stretch, { lineCount, above }, best),
  };
}

/** In a note, what stands before a colon is said of something rather than by somebody. */
function speakersOf({ path, speakers }: MemoryFind): readonly string[] {
  return path !== undefined && isNote(path) ? [] : speakers;
}

function speakerOf(line: string, speakers: readonly string[]): string | undefined {
  const bare = line.replace(item, "").replace(/^\s+/, "");
  return speakers.find((name) => name !== "" && bare.startsWith(`${name}:`));
}

/** The owner goes by no name; after somebody who does, a line may be the next message or more of the same one. */
function speakerIn(find: MemoryFind, name: string | undefined, isAfterNamed: boolean): Piece["by"] {
  if (name !== undefined) return { kind: "named", name };
  if (find.path !== undefined) return isNote(find.path) ? { kind: "owner" } : { kind: "unknown" };
  const [only, ...others] = find.speakers;
  if (find.fromSeq === find.toSeq && only !== undefined && others.length === 0) return { kind: "named", name: only };
  return isAfterNamed ? { kind: "unknown" } : { kind: "owner" };
}

/** In the notes each line names its source, so what names none is not among those words; whoever is named needs no label. */
function labelsOf({ text, path, labels }: MemoryFind, name: string | undefined): readonly string[] {
  if (path === undefined) return name === undefined ? labels : labels.filter((label) => !label.startsWith("person:"));
  if (!isNote(path)) return labels;
  const named = text.split("\n").flatMap((line) => source.exec(line)?.[1]?.split(/, | and /) ?? []);
  return labels.filter((label) => !named.includes(label));
}

function isIn({ from }: Stretch, rows: Rows | undefined): boolean {
  return rows !== undefined && from >= rows.from && from < rows.to;
}

function bestRows({ best, path }: MemoryFind, lines: readonly string[]): Rows | undefined {
  if (!best) return undefined;
  const rows = (best.speaker === undefined ? best.text : `${best.speaker}: ${best.text}`).split("\n");
  const from = lines.findIndex((_, at) => rows.every((row, after) => lines[at + after] === row));
  return from < 0 ? undefined : { from, to: from + rows.length, line: path === undefined ? undefined : best.startLine };
}

function placeOf(
  find: MemoryFind,
  { from, lines }: Stretch,
  { lineCount, above }: Pick<Around, "lineCount" | "above">,
  best: Rows | undefined,
): Piece["place"] {
  const { path, startLine, endLine = startLine } = find;
  if (path === undefined) return { kind: "conversation", isAmongOthers: find.fromSeq !== find.toSeq };
  if (startLine === undefined || endLine === undefined) return { kind: "file", path, lines: "" };
  // blank lines and headings may have been left out: then nobody knows which line it is
  const isWhole = endLine - startLine + 1 === lineCount - above;
  const known =
    best?.line === undefined ? (isWhole ? startLine + from - above : undefined) : best.line + from - best.from;
  const [first, last] = known === undefined ? [startLine, endLine] : [known, known + lines.length - 1];
  return { kind: "file", path, lines: first === last ? `line ${first}` : `lines ${first} to ${last}` };
}

function topicOf(path = ""): string {
  const name = path.split("/").at(-1) ?? "";
  return /^(?:MEMORY|USER)\.md$/.test(name) ? "" : name.replace(/\.\w+$/, "").replace(/[-_]/g, " ");
}

function isDay(day: string | undefined): day is string {
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
}
