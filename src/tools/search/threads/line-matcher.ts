// Finds the lines of a stretch of bytes that a pattern matches.
import { isAscii } from "node:buffer";
import type { SearchPattern } from "../search-pattern.ts";

/** Where a matching line begins and ends in the bytes, without its newline. */
export type MatchedLine = { start: number; end: number };

export type LineMatcher = {
  /** Calls `found` for each matching line that begins between from and to, until it answers false. */
  search(bytes: Buffer, from: number, to: number, found: (line: MatchedLine) => boolean): void;
  /** Where in a line the match stands. */
  locate(text: string): { start: number; end: number };
};

const newline = 0x0a;
const carriageReturn = 0x0d;

export function lineMatcher(pattern: SearchPattern): LineMatcher {
  const expression = new RegExp(pattern.source, pattern.flags);
  const anyCase = pattern.flags.includes("i") ? anyCaseOf(pattern.literals) : undefined;
  // a letter in another case has other bytes
  const literals = pattern.flags.includes("i") ? [] : pattern.literals.map((literal) => Buffer.from(literal, "utf8"));
  const isCandidateEnough = pattern.isLiteral && literals.length > 0;
  return { search: literals.length > 0 ? searchByLiteral : searchEveryLine, locate };

  function searchByLiteral(bytes: Buffer, from: number, to: number, found: (line: MatchedLine) => boolean): void {
    const next = literals.map(() => -1);
    for (let position = from; position < to; ) {
      const candidate = nextCandidate(bytes, position, next);
      if (candidate >= to) return;
      const start = candidate === 0 ? 0 : Math.max(position, bytes.lastIndexOf(newline, candidate - 1) + 1);
      const end = endOfLine(bytes, candidate, to);
      const matches = isCandidateEnough || expression.test(lineText(bytes, start, end));
      if (matches && !found({ start, end })) return;
      position = end + 1;
    }
  }

  function nextCandidate(bytes: Buffer, position: number, next: number[]): number {
    let nearest = Number.POSITIVE_INFINITY;
    for (const [index, literal] of literals.entries()) {
      let at = next[index] ?? -1;
      if (at < position) {
        const place = bytes.indexOf(literal, position);
        at = place === -1 ? Number.POSITIVE_INFINITY : place;
        next[index] = at;
      }
      nearest = Math.min(nearest, at);
    }
    return nearest;
  }

  function searchEveryLine(bytes: Buffer, from: number, to: number, found: (line: MatchedLine) => boolean): void {
    const stretch = bytes.subarray(from, to);
    // one conversion for all of it is much faster, but only in ASCII does a character stand at its byte's place
    const text = isAscii(stretch) ? stretch.toString("latin1") : undefined;
    if (text !== undefined && anyCase && !anyCase.test(text)) return;
    for (let start = from; start < to; ) {
      const end = text === undefined ? endOfLine(bytes, start, to) : endInText(text, start - from) + from;
      const line = text === undefined ? lineText(bytes, start, end) : textOfLine(text, start - from, end - from);
      if (expression.test(line) && !found({ start, end })) return;
      start = end + 1;
    }
  }

  function locate(text: string): { start: number; end: number } {
    const match = expression.exec(text);
    return { start: match?.index ?? 0, end: (match?.index ?? 0) + (match?.[0].length ?? 0) };
  }
}

/** Tells in one go that a text of ASCII has none of the literals; beyond ASCII, letters have stranger relatives. */
function anyCaseOf(literals: readonly string[]): RegExp | undefined {
  if (literals.length === 0 || literals.some((literal) => !/^[\x20-\x7e]+$/.test(literal))) return undefined;
  return new RegExp(literals.map((literal) => RegExp.escape(literal)).join("|"), "i");
}

/** A line as text, without the carriage return that other systems put at its end. */
export function lineText(bytes: Buffer, start: number, end: number): string {
  const last = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
  return bytes.toString("utf8", start, last);
}

export function endOfLine(bytes: Buffer, position: number, to: number): number {
  const end = bytes.indexOf(newline, position);
  return end === -1 || end > to ? to : end;
}

function endInText(text: string, position: number): number {
  const end = text.indexOf("\n", position);
  return end === -1 ? text.length : end;
}

function textOfLine(text: string, start: number, end: number): string {
  return text.slice(start, end > start && text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end);
}
