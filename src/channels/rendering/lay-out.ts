// In: what a text says. Out: its lines, one after the other, as a platform without lists and tables shows them.
import { type Block, type Gap, type ListItem, plainSpan, type Span } from "./document.ts";
import type { Frame, Line } from "./line.ts";
import { linesOf, spellOutLinks } from "./spans.ts";
import { alignedLines, bold, tablePoints } from "./table-lines.ts";

export type Layout = {
  /** The mark of a point, with the space behind it. */
  point(item: { number: number | undefined; isDone: boolean | undefined; depth: number }): string;
  rule: string;
  /** The widest table that is still readable with its columns side by side. */
  tableWidth: number;
  isLink(href: string): boolean;
};

const mostIndent = 24;
const mostLinkBytes = 1_000;

type Place = { lead: string; restLead: string; quotes: number; frame: Frame | undefined; group: number; depth: number };

export function layOut(layout: Layout, blocks: readonly Block[]): Line[] {
  let group = 0;
  let isAfterHeading = false;
  return blocks.flatMap((block) => {
    // a heading stays with what it is the heading of
    if (!isAfterHeading) group += 1;
    const place = { lead: "", restLead: "", quotes: 0, frame: undefined, group, depth: 0 };
    const gap = isAfterHeading && !isHeading(block) ? "\n" : block.gap;
    isAfterHeading = isHeading(block);
    return withGap(linesOfBlock(layout, block, place), gap);
  });
}

function isHeading(block: Block): boolean {
  return block.kind === "words" && block.level > 0;
}

function linesOfBlock(layout: Layout, block: Block, place: Place): Line[] {
  switch (block.kind) {
    case "words":
      return wordLines(layout, block.spans, place, block.level);
    case "code":
      return codeLines(block.text.split("\n"), { kind: "code", language: block.language, header: [] }, place);
    case "table":
      return tableLines(layout, block, place);
    case "quote": {
      const frame = place.frame ?? { kind: "quote" };
      return linesOfBlocks(layout, block.blocks, { ...place, frame, quotes: place.quotes + 1 });
    }
    case "list":
      return listLines(layout, block, place);
    case "rule":
      return wordLines(layout, [plainSpan(layout.rule)], place);
    default:
      return block satisfies never;
  }
}

/** The mark of a point stands before the first line only. */
function linesOfBlocks(layout: Layout, blocks: readonly Block[], place: Place): Line[] {
  let isAfterHeading = false;
  return blocks.flatMap((block, index) => {
    const gap = isAfterHeading ? "\n" : block.gap;
    isAfterHeading = isHeading(block);
    const lines = linesOfBlock(layout, block, index === 0 ? place : { ...place, lead: place.restLead });
    return withGap(lines, gap);
  });
}

function withGap([first, ...others]: readonly Line[], gap: Gap): Line[] {
  return first === undefined ? [] : [{ ...first, gap: gap === "\n\n" ? gap : "\n" }, ...others];
}

function wordLines(layout: Layout, spans: readonly Span[], place: Place, level = 0): Line[] {
  const isLink = (href: string) => Buffer.byteLength(href) <= mostLinkBytes && layout.isLink(href);
  const words = spellOutLinks(spans, { isLink, write: (href) => ` (${href})` });
  return linesOf(words).map((line, index) => ({
    kind: "words",
    gap: "\n",
    frame: place.frame,
    group: place.group,
    level,
    quotes: place.quotes,
    lead: index === 0 ? place.lead : place.restLead,
    restLead: place.restLead,
    spans: line,
  }));
}

// code stands outside of quotes and at the margin, where every platform knows it
function codeLines(texts: readonly string[], frame: Frame, { group, lead, restLead }: Place): Line[] {
  const lines = texts.map((text): Line => ({ kind: "code", gap: "\n", frame, group, text }));
  if (lead === restLead) return lines;
  const point: Line = {
    kind: "words",
    gap: "\n",
    frame: undefined,
    group,
    level: 0,
    quotes: 0,
    lead,
    restLead,
    spans: [],
  };
  return [point, ...lines];
}

function listLines(layout: Layout, block: Block & { kind: "list" }, place: Place): Line[] {
  return block.items.flatMap((item, index) => {
    const number = block.start === undefined ? undefined : block.start + index;
    const mark = layout.point({ number, isDone: item.isDone, depth: place.depth });
    const outer = index === 0 ? place.lead : place.restLead;
    const restLead = indented(place.restLead, mark);
    const lines = itemLines(layout, item, { ...place, lead: outer + mark, restLead, depth: place.depth + 1 });
    return withGap(lines, block.isLoose ? "\n\n" : "\n");
  });
}

function itemLines(layout: Layout, { blocks }: ListItem, place: Place): Line[] {
  return blocks.length === 0 ? wordLines(layout, [], place) : linesOfBlocks(layout, blocks, place);
}

function indented(lead: string, mark: string): string {
  return lead.length >= mostIndent ? lead : lead + " ".repeat(mark.length);
}

function tableLines(layout: Layout, table: Block & { kind: "table" }, place: Place): Line[] {
  const aligned = alignedLines(table, layout.tableWidth);
  if (aligned !== undefined) {
    const { header, lines } = aligned;
    return codeLines([...header, ...lines], { kind: "code", language: "", header }, place);
  }
  const { names, points } = tablePoints(table);
  const mark = layout.point({ number: undefined, isDone: undefined, depth: place.depth });
  const rest = indented(place.restLead, mark);
  return [
    ...wordLines(layout, names.map(bold), place),
    ...points.flatMap(({ isFirst, spans }) => {
      const lead = isFirst ? place.restLead + mark : rest;
      return wordLines(layout, spans, { ...place, lead, restLead: rest });
    }),
  ];
}
