// The words of one paragraph, heading, point or cell, and how each of them is set.
import { Lexer, type MarkedOptions, type Token } from "marked";
import { readCharacterReferences } from "./character-references.ts";
import { type Emphasis, plainSpan, type Span } from "./document.ts";

// emphasis in emphasis and links without an end cost the square of what is read at once
const mostCharacters = 2_000;
const mostMarks = 200;
const mark = /[*_~`[\]<!\\]/g;

export function readInline(options: MarkedOptions, source: string): Span[] {
  return joined(cutWords(source).flatMap((text) => readSegment(options, text)));
}

function readSegment(options: MarkedOptions, source: string): Span[] {
  const lexer = new Lexer(options);
  try {
    return lexer.inlineTokens(source).flatMap((token) => spansOf(token, plainSpan("")));
  } catch {
    // what the lexer cannot follow is shown as it was written
    return [plainSpan(source)];
  }
}

function spansOf(token: Token, around: Span): Span[] {
  const { type, raw, text = raw, href = "", tokens = [], autolink } = token as Token & Partial<Record<string, never>>;
  const within = (span: Span) => (tokens as Token[]).flatMap((inner) => spansOf(inner, span));
  switch (type) {
    case "text":
      return [{ ...around, text: readCharacterReferences(raw) }];
    case "br":
      return [{ ...around, text: "\n" }];
    case "escape":
      return [{ ...around, text }];
    case "codespan":
      return [{ ...around, text, isCode: true }];
    case "strong":
      return within(emphasized(around, "bold"));
    case "em":
      return within(emphasized(around, "italic"));
    case "del":
      return within(emphasized(around, "strike"));
    case "link":
      if (autolink) return [{ ...around, text, href }];
      return within({ ...around, href: address(href) });
    case "image":
      return [{ ...around, text: readCharacterReferences(text || href), href: around.href ?? address(href) }];
    default:
      return [{ ...around, text: raw }];
  }
}

function address(href: string): string {
  return readCharacterReferences(href).replace(/\s/g, "%20");
}

function emphasized(span: Span, emphasis: Emphasis): Span {
  return span.emphasis.includes(emphasis) ? span : { ...span, emphasis: [...span.emphasis, emphasis] };
}

function cutWords(source: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < source.length) {
    const reach = source.slice(start, start + mostCharacters);
    const most = lengthOfMarks(reach);
    const isWhole = start + most >= source.length;
    const length = isWhole ? most : placeToCut(reach.slice(0, most));
    parts.push(source.slice(start, start + length));
    start += length;
  }
  return parts;
}

function lengthOfMarks(text: string): number {
  let count = 0;
  for (const match of text.matchAll(mark)) {
    count += 1;
    if (count > mostMarks) return match.index;
  }
  return text.length;
}

function placeToCut(reach: string): number {
  const line = reach.lastIndexOf("\n") + 1;
  if (line > 0) return line;
  const space = reach.lastIndexOf(" ") + 1;
  if (space > 0) return space;
  const last = reach.charCodeAt(reach.length - 1);
  return reach.length - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
}

function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last !== undefined && isSetAlike(last, span)) all[all.length - 1] = { ...last, text: last.text + span.text };
    else if (span.text !== "") all.push(span);
  }
  return all;
}

function isSetAlike(one: Span, other: Span): boolean {
  return (
    one.isCode === other.isCode &&
    one.href === other.href &&
    one.emphasis.length === other.emphasis.length &&
    one.emphasis.every((emphasis) => other.emphasis.includes(emphasis))
  );
}
