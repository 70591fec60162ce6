// A Markdown file comes in; its paragraphs, list items and lines of dialogue go out, each with the lines it stands on.

import { labelsIn } from "../../contract/memory/source-words.ts";
import {
  dayAtStart,
  dayIn,
  type Heading,
  isItem,
  isRule,
  readFence,
  readFrontmatter,
  readHeading,
  readSpoken,
} from "./markdown-lines.ts";
import { splitLong } from "./split-long.ts";
import type { Unit } from "./unit.ts";

export type SplitFile = { title: string; day: string; units: readonly Unit[] };

type Block = { from: number; lines: string[]; isItem: boolean };
type FoundHeading = Heading & { from: number };
type Found = { text: string; from: number; to: number; speaker?: string };

// it is kept beside every unit that stands below it
const mostOfContext = 300;
export function splitMarkdown(path: string, text: string): SplitFile {
  const all = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const front = readFrontmatter(all);
  // they keep their numbers
  const lines = withoutComments(all.map((line, at) => (at < front.lines ? "" : line)));
  const units: Unit[] = [];
  const above: (FoundHeading & { isTitle: boolean; hasText: boolean })[] = [];
  let day = dayIn(path.split("/").at(-1) ?? "") || front.day;
  let title: string | undefined;
  for (const each of blocksOf(lines)) {
    if ("level" in each) enter(each);
    else for (const found of each.isItem ? [wholeOf(each)] : (dialogueOf(each) ?? [wholeOf(each)])) add(found);
  }
  leave(1);
  return { title: title ?? front.title, day, units };

  function enter(heading: FoundHeading): void {
    leave(heading.level);
    const isTitle = heading.level === 1 && title === undefined;
    if (isTitle) title = heading.words;
    if (isTitle) day ||= dayIn(heading.words);
    // one that comes late is about what stands below it
    above.push({ ...heading, isTitle: isTitle && units.length === 0, hasText: false });
  }

  /** Headings of this level and below it end; one that nothing stands under is something by itself. */
  function leave(level: number): void {
    for (let last = above.at(-1); last && last.level >= level; last = above.at(-1)) {
      above.pop();
      if (!last.hasText) add({ text: last.words, from: last.from, to: last.from });
    }
  }

  function add({ text: own, from, to, speaker = "" }: Found): void {
    // "- Name:" waits to be filled in
    if (/^(?:[-*+]\s+)?[^:\n]{1,80}:$/.test(own.trim())) return;
    const headings = above.filter(({ isTitle }) => !isTitle).map(({ words }) => words);
    const about = title ?? front.title;
    // what a file is about belongs to its beginning, what a part is about to each piece of it
    const context = [...(units.length === 0 && about !== own ? [about] : []), ...headings]
      .filter(Boolean)
      .join(" ")
      .slice(0, mostOfContext);
    const ownDay = dayAtStart(own) || headings.map(dayIn).findLast(Boolean) || day;
    units.push(...splitLong({ text: own, context, speaker, day: ownDay, from, to, labels: labelsIn(own) }));
    for (const heading of above) heading.hasText = true;
  }
}

/** What stands between <!-- and --> is for whoever edits the file. */
function withoutComments(lines: readonly string[]): readonly string[] {
  const text = lines.join("\n");
  if (!text.includes("<!--")) return lines;
  return text.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]+/g, "")).split("\n");
}

function* blocksOf(lines: readonly string[]): Iterable<Block | FoundHeading> {
  const isCode = linesOfCode(lines);
  let block: Block | undefined;
  for (const [at, line] of lines.entries()) {
    if (block && (isCode[at] || goesOn(line))) {
      block.lines.push(line);
      continue;
    }
    if (block) yield block;
    const heading = readHeading(line);
    if (heading) yield { ...heading, from: at + 1 };
    block = heading || isEnd(line) ? undefined : { from: at + 1, lines: [line], isItem: isItem(line) };
  }
  if (block) yield block;
}

function goesOn(line: string): boolean {
  return !isEnd(line) && !isItem(line) && !readHeading(line);
}

function isEnd(line: string): boolean {
  return line.trim() === "" || isRule(line);
}

/** Below the line that opens a block of code, down to the one that closes it; without one, to the end. */
function linesOfCode(lines: readonly string[]): readonly boolean[] {
  let fence: ReturnType<typeof readFence>;
  return lines.map((line) => {
    const isCode = fence !== undefined;
    if (!fence) fence = readFence(line);
    else if (fence.isClosedBy(line)) fence = undefined;
    return isCode;
  });
}

function wholeOf({ from, lines }: Block): Found {
  // a block of code that nothing closes goes on to the end of the file
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return {
    text: lines
      .slice(0, last + 1)
      .join("\n")
      .trim(),
    from,
    to: from + last,
  };
}

/** A line that names nobody goes on with what was said before it. Undefined: it is none. */
function dialogueOf({ from, lines }: Block): readonly Found[] | undefined {
  const named = lines.map(readSpoken);
  const count = named.filter(Boolean).length;
  // "Note: …" alone is nobody who speaks
  if (!named[0] || count < 2 || count * 2 <= lines.length) return undefined;
  const said: Found[] = [];
  for (const [at, line] of lines.entries()) {
    const spoken = named[at];
    const last = said.at(-1);
    if (spoken) said.push({ ...spoken, from: from + at, to: from + at });
    else if (last) said.splice(-1, 1, { ...last, text: `${last.text}\n${line}`, to: from + at });
  }
  return said.map((each) => ({ ...each, text: each.text.trim() }));
}
