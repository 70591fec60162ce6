// In: the lines of a YAML block or the items of a list under a secret's name. Out: each of them, masked if it is a secret.
import { type Finding, holdsMask } from "../mask.ts";
import { type Entering, matchAt, needsMore, type Reading } from "../reading.ts";
import { isWordOfLetters } from "./plain-password.ts";
import { readQuoted, readValue } from "./read-value.ts";
import { isSecretValue, type ValueKind } from "./secret-value.ts";

/** `block`: `password: |` and indented lines; `list`: `["…", "…"]` or lines with dashes. */
export type LinesShape = "block" | "list";
export type SecretLine = { finding?: Finding; end: number; isOver: boolean };

const reach = 900;
const newLine = "(?:\\r?\\n|(?:\\\\{1,16}r)?\\\\{1,16}n)";
const blockHeader = new RegExp(`[|>][-+0-9]{0,2}[ \\t]{0,8}(?:#[^\\n\\r\\\\]{0,80})?(?=${newLine})`, "y");
const listHeader = new RegExp(`\\[(?=(?:\\s|\\\\{1,16}[nrt]){0,40}\\\\{0,16}["'])|(?=${newLine}[ \\t]{0,40}- )`, "y");
const blockIndent = new RegExp(`${newLine}[ \\t]{1,80}(?=[^\\s#])`, "y");
const itemStart = new RegExp(
  `(?:[\\s,]|\\\\{1,16}[nrt]){0,60}(?=\\\\{0,16}["'])|${newLine}[ \\t]{0,40}-[ \\t]{1,8}`,
  "y",
);

const wholeMask = /^(?:.{1,4}…)?\[redacted:[a-z0-9-]+\]$/;
const listBegun = /^(?:\[(?:\s|\\{1,16}[nrt])*(?:[^\s\\]|\\{1,16}[^nrt\\])|\r?\n[ \t]*(?:[^ \t-]|-[\s\S])|[^[\r\n])/;
const lineSeen = {
  block: /[\n\r][^\n\r]*[\n\r]/,
  list: /^(?:[\s,]|\\{1,16}[nrt])*[^\s,\\"'-]|[^\s,][^\n\r]*[\n\r]/,
};

export function findSecretLines(reading: Reading, at: number, value: ValueKind): Entering | "more" | undefined {
  const { text } = reading;
  const block = matchAt(blockHeader, text, at);
  if (block && !isMasked(text, at + block[0].length)) return { enter: "block", at: at + block[0].length, value };
  if (needsMore(reading, at, reach, listBegun)) return "more";
  const list = matchAt(listHeader, text, at);
  return list && !isMasked(text, at + list[0].length) ? { enter: "list", at: at + list[0].length, value } : undefined;
}

/** What was masked by its own format is over with the mask; a value known beforehand may be the first of several. */
function isMasked(text: string, at: number): boolean {
  return /^[\s\\nrt"'-]{0,90}\[redacted:(?!known-value)/.test(text.slice(at, at + 110));
}

/** The next line or item; what is no secret is left to the other rules. */
export function readSecretLine(reading: Reading, at: number, shape: LinesShape, kind: ValueKind): SecretLine | "more" {
  const { text } = reading;
  if (needsMore(reading, at, reach, lineSeen[shape])) return "more";
  const lead = matchAt(shape === "block" ? blockIndent : itemStart, text, at);
  if (!lead) return { end: at, isOver: true };
  const start = at + lead[0].length;
  const value = shape === "block" ? readQuoted(text, start, "") : readValue(text, start, "loose");
  const raw = text.slice(value.start, value.end).replace(/(?:\s|\\+t)+$/, "");
  const end = value.start + raw.length;
  // past the closing quote, so that the next item begins with its comma
  const closing = shape === "list" ? (/^\\{0,16}["']/.exec(text.slice(end, end + 17))?.[0].length ?? 0) : 0;
  if (wholeMask.test(raw)) return { end: end + closing, isOver: false };
  if (holdsMask(raw)) return { end: at, isOver: true };
  const isSecret = isSecretValue(kind, raw, "quoted") || (kind === "password" && isWordOfLetters(raw, 4));
  // nobody's password is as long as a paragraph, however often its quotes are escaped
  const isParagraph = kind === "password" && raw.replace(/\\+(?:u[0-9a-f]{4}|.)/gi, "-").length > 200;
  if (!isSecret || isParagraph || raw.startsWith("-----")) return { end: at, isOver: true };
  const finding: Finding = { start: value.start, end, name: kind, keep: 0, ...(value.isCut && { tail: "token" }) };
  return { finding, end: end + closing, isOver: false };
}
