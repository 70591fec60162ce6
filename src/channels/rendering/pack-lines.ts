// In: the lines of a text. Out: messages, each within the platform's limits and complete in itself.
import type { RenderedPiece } from "../../contract/channel/outgoing-message.ts";
import { placeToCut } from "./cut-words.ts";
import { textOf } from "./document.ts";
import type { Frame, Line, WordsLine } from "./line.ts";
import { dropCharacters, lengthOf, spellOutLinks, takeCharacters } from "./spans.ts";

export type Form = {
  words(line: WordsLine): string;
  code(text: string): string;
  open(frame: Frame): string;
  close(frame: Frame): string;
  /** An address behind its words, where they cannot be a link. */
  address(href: string): string;
  /** Between two paragraphs of one quote. */
  quoteGap: string;
  /** What must not stand in the plain text either, such as a call to everybody. */
  plain?(text: string): string;
  /** How much a piece of markup takes of each limit. Of two pieces it takes the sum. */
  measure(markup: string): readonly number[];
  most: readonly number[];
  measurePlain(text: string): number;
  mostPlain: number;
};

type Written = { line: Line; markup: string; plain: string };
type Size = { markup: readonly number[]; plain: number };

export function packLines(form: Form, lines: readonly Line[]): RenderedPiece[] {
  const pieces: RenderedPiece[] = [];
  let piece: Written[] = [];
  let size = nothing(form);
  /** In which the last message ended. */
  let cutFrame: Frame | undefined;
  /** How many lines of the message are a header that comes again. */
  let repeated = 0;
  const groups = Map.groupBy(lines, ({ group }) => group);
  for (const group of groups.values()) addGroup(group);
  flush();
  return pieces.length > 0 ? pieces : [{ markup: "", plain: "" }];

  function addGroup(group: readonly Line[]): void {
    const written = group.map((line) => (isTooLong(line) ? undefined : write(form, line)));
    // a message that holds little is filled, so that no heading stands alone
    if (!fitsAll(size, piece.at(-1), written) && !isSparse() && fitsAll(nothing(form), undefined, written)) flush();
    for (const [index, line] of group.entries()) addLine(line, written[index]);
  }

  // such a line is not written as a whole, since the time for that would be lost
  function isTooLong(line: Line): boolean {
    const length = line.kind === "code" ? line.text.length : lengthOf(line.spans);
    return length > Math.min(...form.most, form.mostPlain);
  }

  function addLine(line: Line, written: Written | undefined): void {
    let rest = addStart(line, written);
    while (rest !== undefined) rest = addStart(rest, isTooLong(rest) ? undefined : write(form, rest));
  }

  /** Gives what is left of the line for the next message. */
  function addStart(line: Line, written: Written | undefined): Line | undefined {
    if (piece.length === 0) repeatHeader(line);
    if (written !== undefined && add(written)) return undefined;
    if (piece.length > repeated && (!isSparse() || fitsAll(nothing(form), undefined, [written]))) {
      flush();
      repeatHeader(line);
      if (written !== undefined && add(written)) return undefined;
    }
    const { start, rest } = cutToFit(line);
    add(start, true);
    flush();
    return rest;
  }

  function repeatHeader({ frame, group }: Line): void {
    if (frame?.kind !== "code" || frame !== cutFrame) return;
    const header = frame.header.map((text) => write(form, { kind: "code", gap: "\n", frame, group, text }));
    let total = nothing(form);
    for (const [index, line] of header.entries()) total = sizeWith(form, total, header[index - 1], line);
    if (!isSparse(total)) return;
    for (const line of header) add(line, true);
    repeated = header.length;
  }

  function add(line: Written, isForced = false): boolean {
    const grown = sizeWith(form, size, piece.at(-1), line);
    if (!isForced && !fits(form, grown, line.line.frame)) return false;
    size = grown;
    piece.push(line);
    return true;
  }

  function fitsAll(start: Size, before: Written | undefined, some: readonly (Written | undefined)[]): boolean {
    let total = start;
    let last = before;
    for (const line of some) {
      if (line === undefined) return false;
      total = sizeWith(form, total, last, line);
      if (!fits(form, total, line.line.frame)) return false;
      last = line;
    }
    return true;
  }

  function isSparse({ markup, plain } = size): boolean {
    return plain < form.mostPlain / 3 && markup.every((taken, index) => taken < (form.most[index] ?? 0) / 3);
  }

  function cutToFit(line: Line): { start: Written; rest: Line | undefined } {
    const window = startOf(line, Math.min(...form.most, form.mostPlain) + 400);
    const text = window.kind === "code" ? window.text : textOf(window.spans);
    let length = Math.min(text.length, ...form.most, form.mostPlain);
    for (;;) {
      const cut = placeToCut(text, length);
      const start = write(form, startOf(line, cut));
      const share = shareThatFits(sizeWith(form, size, piece.at(-1), start), line.frame);
      if (share >= 1 || length === 1) return { start, rest: restOf(line, cut) };
      length = Math.max(1, Math.floor(length * share * 0.99));
    }
  }

  /** How much of what was added there is room for. */
  function shareThatFits(grown: Size, frame: Frame | undefined): number {
    const end = form.measure(frame === undefined ? "" : form.close(frame));
    const share = (most: number, before: number, after: number) =>
      after <= most ? 1 : (most - before) / (after - before);
    const shares = form.most.map((most, index) => {
      const closing = end[index] ?? 0;
      return share(most - closing, size.markup[index] ?? 0, grown.markup[index] ?? 0);
    });
    return Math.max(0, Math.min(share(form.mostPlain, size.plain, grown.plain), ...shares));
  }

  function flush(): void {
    const finished = finish(form, piece);
    if (finished.plain.trim() !== "") pieces.push(finished);
    cutFrame = piece.at(-1)?.line.frame;
    repeated = 0;
    piece = [];
    size = nothing(form);
  }
}

function nothing(form: Form): Size {
  return { markup: form.most.map(() => 0), plain: 0 };
}

function write(form: Form, line: Line): Written {
  const plain = form.plain ?? ((text: string) => text);
  if (line.kind === "code") return { line, markup: form.code(line.text), plain: plain(line.text) };
  const words = textOf(spellOutLinks(line.spans, { isLink: () => false, write: form.address }));
  const quote = "> ".repeat(line.quotes);
  return { line, markup: form.words(line), plain: plain(`${quote}${line.lead}${words}`.trimEnd()) };
}

function startOf(line: Line, length: number): Line {
  if (line.kind === "code") return { ...line, text: line.text.slice(0, length) };
  return { ...line, spans: takeCharacters(line.spans, length) };
}

function restOf(line: Line, length: number): Line | undefined {
  if (line.kind === "code") {
    const text = line.text.slice(length);
    return text === "" ? undefined : { ...line, gap: "\n", text };
  }
  const spans = dropCharacters(line.spans, length);
  const blank = textOf(spans).length - textOf(spans).trimStart().length;
  const rest = dropCharacters(spans, blank);
  return textOf(rest) === "" ? undefined : { ...line, gap: "\n", lead: line.restLead, spans: rest };
}

/** What stands before a line: the end of the frame that it is no more in, a gap, the beginning of its own. */
function joint(form: Form, before: Line | undefined, { frame, gap }: Line): { markup: string; plain: string } {
  const last = before?.frame;
  if (before !== undefined && last === frame) {
    const markup = frame?.kind === "quote" && gap === "\n\n" ? form.quoteGap : gap;
    return { markup, plain: gap };
  }
  const closed = last === undefined ? "" : form.close(last);
  const opened = frame === undefined ? "" : form.open(frame);
  const between = before === undefined ? "" : gap;
  return { markup: closed + between + opened, plain: between };
}

function sizeWith(form: Form, size: Size, before: Written | undefined, line: Written): Size {
  const between = joint(form, before?.line, line.line);
  const markup = form.measure(between.markup + line.markup);
  return {
    markup: size.markup.map((taken, index) => taken + (markup[index] ?? 0)),
    plain: size.plain + form.measurePlain(between.plain + line.plain),
  };
}

function fits(form: Form, size: Size, frame: Frame | undefined): boolean {
  const end = form.measure(frame === undefined ? "" : form.close(frame));
  return (
    size.plain <= form.mostPlain &&
    size.markup.every((taken, index) => taken + (end[index] ?? 0) <= (form.most[index] ?? 0))
  );
}

function finish(form: Form, piece: readonly Written[]): RenderedPiece {
  let markup = "";
  let plain = "";
  let before: Line | undefined;
  for (const written of piece) {
    const between = joint(form, before, written.line);
    markup += between.markup + written.markup;
    plain += between.plain + written.plain;
    before = written.line;
  }
  const frame = before?.frame;
  return { markup: frame === undefined ? markup : markup + form.close(frame), plain };
}
