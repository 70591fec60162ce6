// In: the place of a `:`, `=`, `>` or flag. Out: the secret value that is given to a name there, if it is one.
import { holdsUserAndPassword } from "../formats/headers.ts";
import { spacedPassword } from "../formats/personal.ts";
import { type Finding, holdsMask, isMaskAt } from "../mask.ts";
import { type Entering, lineEnd, matchAt, needsMore, type Reading, rawColourStart } from "../reading.ts";
import { findFormat } from "./find-format.ts";
import { nameBefore, pairedNameBefore } from "./name-before.ts";
import { isPlainPassword, writtenWithoutSpaces } from "./plain-password.ts";
import { readValue, type Value } from "./read-value.ts";
import { findSecretLines } from "./secret-lines.ts";
import { kindOfName, type NameKind } from "./secret-name.ts";
import { isSecretValue, type ValueKind, type Writing } from "./secret-value.ts";

type Named = { name: string; kind: NameKind };

const reach = 900;
// Markdown closes its `**password:**` behind the colon
const separator = /(?:=>|:=|={1,3}|:{1,2}(?:\*{2}(?= ))?|[：＝])(?:[ \t\u00a0\u202f\u3000]|\\{1,16}t){0,16}|>/y;
const scheme = /(?:\\{0,16}["'`])?(?:[A-Za-z]{2,12}(?:-[A-Za-z0-9-]{2,16})? {1,4})?/y;
const credentials = new RegExp(`[^\\s"'\`\\\\,;<>{}()[\\]$${rawColourStart}]{6,512}`, "y");

export function findAssignment(reading: Reading, at: number): Finding | Entering | "more" | undefined {
  const { text } = reading;
  const named = nameAt(reading, at);
  if (!named) return undefined;
  if (needsMore(reading, at, reach, lineEnd)) return "more";
  const valueAt = at + (matchAt(separator, text, at)?.[0].length ?? 1);
  switch (named.kind) {
    case "cookie":
    case "set-cookie":
      return { enter: named.kind, at: valueAt };
    case "key-lines":
      return { enter: "key", at: valueAt + (/^\d{1,6}/.exec(text.slice(valueAt, valueAt + 6))?.[0].length ?? 0) };
    case "authorization":
      return findCredentials(reading, valueAt);
    case "pair-value":
      return undefined;
    default:
      return findNamedValue(reading, named, at, valueAt);
  }
}

function findNamedValue(
  reading: Reading,
  named: Named,
  at: number,
  valueAt: number,
): Finding | Entering | "more" | undefined {
  const { text } = reading;
  const kind = named.kind === "password" ? "password" : "token";
  const writing = writingAt(text, at, valueAt, named.name);
  if (named.kind === "signature" && writing !== "tight") return undefined;
  if (named.kind === "address-code" && !(writing === "tight" && isInAddress(text, at, valueAt))) return undefined;
  if (isSentence(named.name, text, valueAt)) return undefined;
  const lines = text[at] === ">" ? undefined : findSecretLines(reading, valueAt, kind);
  if (lines) return lines;
  const value = readValue(text, valueAt, writing);
  // a pattern is called PAT as well
  if (/pat$/i.test(named.name) && !/^[A-Za-z0-9_]{20,}$/.test(text.slice(value.start, value.end))) return undefined;
  if (kind === "token") return findingOf(reading, kind, named.name, value);
  const spaced = spacedPassword(text, value.start);
  const end = spaced ? value.start + spaced.length : value.end;
  if (spaced || isPlainPassword(reading, named.name, at, value))
    return { start: value.start, end, name: kind, keep: 0 };
  return findingOf(reading, kind, named.name, value);
}

/** A value after a flag: `--token abc`. */
export function findFlagValue(
  reading: Reading,
  name: string,
  valueAt: number,
): Finding | Entering | "more" | undefined {
  const kind = kindOfName(name) ?? (name === "session" ? "token" : undefined);
  if (kind === "cookie") return { enter: "cookie", at: valueAt };
  if (kind !== "password" && kind !== "token") return undefined;
  if (needsMore(reading, valueAt, reach, lineEnd)) return "more";
  const isPassword = kind === "password" && /pass|pwd/i.test(name);
  const value = readValue(reading.text, valueAt, isPassword ? "environment" : "loose");
  // Bitwarden's session is a key; other programs only name theirs
  if (name === "session" && value.end - value.start < 80) return undefined;
  // manuals write "the --password option"; a plain word after a flag is no password
  const writing = value.writing === "environment" ? "tight" : value.writing;
  return findingOf(reading, isPassword ? "password" : "token", name, { ...value, writing });
}

function nameAt(reading: Reading, at: number): Named | undefined {
  const { text } = reading;
  const name = nameBefore(reading, at);
  if (name === "") return undefined;
  if (text[at] === ">" && text[at - name.length - 1] !== "<") return undefined;
  const kind = name === "string" && text[at] === ">" ? "pair-value" : kindOfName(name);
  if (text[at] === ">" && kind !== "password" && kind !== "token" && kind !== "pair-value") return undefined;
  if (kind !== "pair-value") return kind && { name, kind };
  const paired = pairedNameBefore(reading, text.lastIndexOf(name, at));
  const pairedKind = kindOfName(paired);
  return pairedKind && { name: paired, kind: pairedKind };
}

function findingOf(reading: Reading, kind: ValueKind, name: string, value: Value): Finding | "more" | undefined {
  const { text } = reading;
  const raw = text.slice(value.start, value.end);
  if (holdsMask(raw) || isMaskAt(text, value.stop)) return undefined;
  const next = text[value.end];
  if (text[value.start - 1] === ">" && next !== "<") return undefined;
  // a call or an index: the value is computed, not written here
  if (value.writing !== "quoted" && (next === "(" || (next === "[" && raw !== ""))) return undefined;
  const isSecret =
    isSecretValue(kind, raw, value.writing) || (/auth$/i.test(name) && raw.length >= 8 && holdsUserAndPassword(raw));
  if (!isSecret) return undefined;
  // the private member of a JSON web key; `d` is a name for anything else as well
  if (name === "d" && !/^[\w-]{43,}$/.test(raw)) return undefined;
  const label = labelOf(reading, value.start, kind);
  if (label === "more") return "more";
  return { start: value.start, end: value.end, ...label, ...(value.isCut && { tail: "token" }) };
}

/** A provider's own format says more about a secret than the name it was given. */
export function labelOf(reading: Reading, start: number, name: string): Pick<Finding, "name" | "keep"> | "more" {
  const known = findFormat(reading, start);
  if (known === "more") return "more";
  return known?.start === start ? { name: known.name, keep: known.keep } : { name, keep: 0 };
}

function findCredentials(reading: Reading, valueAt: number): Finding | "more" | undefined {
  const { text } = reading;
  const start = valueAt + (matchAt(scheme, text, valueAt)?.[0].length ?? 0);
  const secret = matchAt(credentials, text, start)?.[0];
  if (!secret || /^[a-z]+=?/i.exec(secret)?.[0] === secret || /^[a-z]+=[^=]/i.test(secret)) return undefined;
  if ("([".includes(text[start + secret.length] ?? " ") || !isSecretValue("password", secret, "tight"))
    return undefined;
  const label = labelOf(reading, start, "authorization");
  return label === "more" ? "more" : { start, end: start + secret.length, ...label, tail: "token" };
}

function writingAt(text: string, at: number, valueAt: number, name: string): Exclude<Writing, "quoted"> {
  if (text[at] === ">") return "tight";
  if (text[at] !== "=" || valueAt !== at + 1 || text[at - 1] === " ") return "loose";
  const before = text[at - name.length - 1] ?? " ";
  return /^[A-Z][A-Z0-9_]*$/.test(name) && !"?&;".includes(before) ? "environment" : "tight";
}

// Chinese, Japanese and Thai put no spaces between the words of a sentence after "password:"
function isSentence(name: string, text: string, valueAt: number): boolean {
  return /[\u0080-\uffff]/.test(name) && writtenWithoutSpaces.test(text.slice(valueAt, valueAt + 4));
}

// `?code=` and `#code=` carry a key or let somebody in; shorter ones are numbers of errors and names of languages
function isInAddress(text: string, at: number, valueAt: number): boolean {
  if (!/(?:[?&#]|&amp;|u0026|%[23][36F])code$/i.test(text.slice(Math.max(0, at - 12), at))) return false;
  return /^[\w.~%+/=-]{16}/.test(text.slice(valueAt, valueAt + 16));
}
