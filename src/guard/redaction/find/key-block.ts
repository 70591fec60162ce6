// In: the lines after the beginning of a private key. Out: the same lines with every line of the key masked.
import type { Finding } from "../mask.ts";
import { colourPattern, type Entering, matchAt, type Reading } from "../reading.ts";

const header =
  /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|-----BEGIN OpenVPN Static key V1-----/y;
const openings = ["-----BEGIN ", "---- BEGIN "];
const headerLimit = 96;
/** A longer line is read in parts of this length. */
const lineLimit = 512;
const lineBreak = /[\n\r]|\\+[nr]/;
const footer = /-{4,5} ?END /;
/** Diff marks, quotation marks, line numbers and string quotes that may stand around a line of the key. */
const decoration = /^(?:[\s>|+"'`#*,;()\\-]|\d{1,6}(?=[\s:|])|[\w./-]{1,80}:\d{1,6}:)*/;
const closing = /["'`,;+\s)\\]*$/;
/** A log's own words before the line of the key: times, levels, names in small letters. */
const loggedBody =
  /^((?:[ \t]{0,24}(?:[\d:.,TZ+/-]{1,32}|[[(]?[A-Za-z][a-z0-9_.-]{0,20}[\])]?:?|\||[A-Z]{4,5}:?)[ \t]{1,24}){1,6})([A-Za-z0-9+/=]{40,}$|\[redacted:private-key\])/;
/** Where other things follow on the same line, only what no word looks like is part of the key. */
const leadingBody = /^(?=[A-Za-z]{0,63}[\d+/=])[A-Za-z0-9+/=]{16,}(?:[ \t]+[A-Za-z0-9+/=]{16,})*/;
const lastBody = /^(?![xX]+["'`\\])[A-Za-z0-9+/=]{1,15}(?=["'`\\]|\[redacted:known)/;
const masks = /^\[redacted:(?:private-key|known-value)\]/;
const knownMask = "[redacted:known-value]";
const escapes = new RegExp(`\\\\*${colourPattern}|\\\\+(?:[tbf]|u[0-9a-f]{4})`, "gi");
const keyHeader = /^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject|x-\w+): /i;

/** A private key's first line; what follows it is secret. */
export function findKeyHeader(reading: Reading, at: number): Entering | "more" | undefined {
  const { text, isFinal } = reading;
  const rest = text.length - at;
  if (rest > 1 && text[at + 1] !== "-") return undefined;
  if (!isFinal && rest < 11 && openings.some((opening) => opening.startsWith(text.slice(at)))) return "more";
  if (!openings.some((opening) => text.startsWith(opening, at))) return undefined;
  if (!isFinal && rest < headerLimit && !/[\n\r]/.test(text.slice(at))) return "more";
  const match = matchAt(header, text, at);
  return match ? { enter: "key", at: at + match[0].length } : undefined;
}

export type KeyLine = { findings: Finding[]; hasBody: boolean; end: number; state: "inside" | "over" };

/** One line of a key block; `hasBody` says whether a line of the key was seen before it. */
export function readKeyLine(reading: Reading, at: number, hasBody: boolean): KeyLine | "more" {
  const { text, isFinal } = reading;
  const ahead = text.slice(at, at + lineLimit);
  const lineBreakAt = lineBreak.exec(ahead);
  const footerAt = footer.exec(ahead.slice(0, lineBreakAt?.index));
  if (!lineBreakAt && !footerAt && ahead.length < lineLimit && !isFinal) return "more";
  const line = ahead.slice(0, footerAt?.index ?? lineBreakAt?.index);
  // blanks of the same length, so that places in the line are places in the text
  const plain = line.replace(escapes, (sequence) => " ".repeat(sequence.length));
  const body = findBody(plain, hasBody);
  const finding = body && { start: at + body.start, end: at + body.end, name: "private-key", keep: 0 };
  const findings = finding && !body.isMasked ? [finding] : [];
  // the rest of a line is looked at again, as a line of its own
  if (body && body.end < line.length) return { findings, hasBody: true, end: at + body.end, state: "inside" };
  if (footerAt) return { findings, hasBody: true, end: at + line.length, state: "over" };
  if (!body && plain.replace(decoration, "") !== "") return { findings, hasBody, end: at, state: "over" };
  const end = at + line.length + (lineBreakAt?.[0].length ?? 0);
  return { findings, hasBody: hasBody || body !== undefined, end, state: "inside" };
}

type Body = { start: number; end: number; isMasked: boolean };

function findBody(line: string, hasBody: boolean): Body | undefined {
  const start = decoration.exec(line)?.[0].length ?? 0;
  const rest = line.slice(start);
  const mask = masks.exec(rest)?.[0];
  if (mask) return { start, end: start + mask.length, isMasked: true };
  const whole = rest.replace(closing, "");
  if (isKeyText(whole.replaceAll(knownMask, ""), hasBody) || keyHeader.test(whole)) {
    return { start, end: start + whole.length, isMasked: false };
  }
  const part = leadingBody.exec(rest) ?? (hasBody && !/["'`]/.test(line.slice(0, start)) ? lastBody.exec(rest) : null);
  if (part) return { start, end: start + part[0].length, isMasked: false };
  const logged = loggedBody.exec(line.replace(closing, ""));
  if (!logged) return undefined;
  const [all, prefix = "", key = ""] = logged;
  return { start: prefix.length, end: all.length, isMasked: key.startsWith("[") };
}

function isKeyText(body: string, hasBody: boolean): boolean {
  if (/^[xX.*]*$/.test(body) || !/^[A-Za-z0-9+/=]+(?:[ \t]+[A-Za-z0-9+/=]+)*$/.test(body)) return false;
  const words = body.split(/[ \t]+/);
  if (words.length > 1) return words.some((word) => word.length >= 20);
  return hasBody || body.length >= 16 || /\d|[a-z][A-Z]|[A-Z]{2}/.test(body);
}
