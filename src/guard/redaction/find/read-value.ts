import { colourPattern, matchAt, rawColourStart } from "../reading.ts";
import type { Writing } from "./secret-value.ts";

/** `stop` is where reading ended; a full stop or colon before it is no part of the value. */
export type Value = { start: number; end: number; stop: number; writing: Writing; isCut: boolean };

const longestValue = 512;
const opening = new RegExp(
  `(?:${colourPattern})?\\[?(?:[bfru](?=\\\\{0,16}["']))?(?:(\\\\{0,16}["'\`])|&quot;|&#3[49];)?`,
  "y",
);
// a backslash belongs to the value unless it escapes a quote or a line end
const inBackslash = `\\\\{1,8}(?=[^\\\\nrt"'\`ux\\s${rawColourStart}])`;
const enclosing = `\\s"'\`\\\\<>(){}\\[\\]${rawColourStart}`;
const patterns = {
  environment: run(`[^\\s"'\`\\\\${rawColourStart}]`),
  tight: run(`[^${enclosing},;&|]`),
  // `&` joins the parts of a query only; the signs that HTML writes with it are none of the value
  loose: run(`[^${enclosing},;|&]|&(?![a-z]{2,8};|#\\d)`),
};
const jsonAfterString = /^(?:[,:}\]\n\r"]|\\+(?:[nr"]|$))/;

/** The value that begins here, with or without quotes; never longer than a bounded look ahead. */
export function readValue(text: string, at: number, writing: Exclude<Writing, "quoted">): Value {
  const open = matchAt(opening, text, at);
  const start = at + (open?.[0].length ?? 0);
  const quote = open?.[1];
  if (quote) return readQuoted(text, start, quote);
  const raw = matchAt(patterns[writing], text, start)?.[0] ?? "";
  const value = raw.endsWith("...") ? raw : raw.replace(/[.,:;]+$/, "");
  const wasQuoted = open?.[0].endsWith(";") ?? false;
  return {
    start,
    end: start + value.length,
    stop: start + raw.length,
    writing: wasQuoted ? "quoted" : writing,
    isCut: raw.length >= longestValue,
  };
}

/** A quote with more backslashes than the opening one belongs to the value, at every depth of escaping. */
export function readQuoted(text: string, start: number, opening: string): Value {
  const limit = Math.min(text.length, start + longestValue);
  const mark = opening.charCodeAt(opening.length - 1);
  let backslashes = 0;
  let end = start;
  for (; end < limit; end++) {
    const code = text.charCodeAt(end);
    if (code === 92) {
      backslashes++;
      continue;
    }
    const isClosing = (code === mark && backslashes < opening.length) || endsJsonString(text, end);
    const isLineEnd = code === 10 || code === 13 || (backslashes > 0 && (code === 110 || code === 114));
    if (isClosing || isLineEnd) break;
    backslashes = 0;
  }
  const isCut = end === start + longestValue;
  return { start, end: isCut ? end : end - backslashes, stop: end, writing: "quoted", isCut };
}

/** A `"` before `,` or `}` ends the JSON string around a value whose own quote never closes. */
function endsJsonString(text: string, at: number): boolean {
  return text[at] === '"' && (at + 1 === text.length || jsonAfterString.test(text.slice(at + 1, at + 18)));
}

function run(character: string): RegExp {
  return new RegExp(`(?:${character}|${inBackslash}){0,${longestValue}}`, "y");
}
