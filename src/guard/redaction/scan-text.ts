// In: pieces of text. Out: the same text with its secrets masked; however it is cut, the same comes out.
import { type CookieStep, readCookie } from "./find/cookie-header.ts";
import { findAssignment } from "./find/find-assignment.ts";
import { findFlag } from "./find/find-flag.ts";
import { findFormat, mayStartFormat } from "./find/find-format.ts";
import { findKeyHeader, readKeyLine } from "./find/key-block.ts";
import { type LinesShape, readSecretLine, type SecretLine } from "./find/secret-lines.ts";
import type { ValueKind } from "./find/secret-value.ts";
import { findUrlPassword } from "./find/url-password.ts";
import { type Finding, maskOf, type Tail } from "./mask.ts";
import { type Entering, matchAt, needsMore, type Reading, rawColourPattern, rawColourStart } from "./reading.ts";

/** A pass over text that comes in pieces; `end` gives what was held back and leaves it ready for a new text. */
export type TextPass = { write(piece: string): string; end(): string };

type Mode =
  | { kind: "text" | "cookie" | "set-cookie" }
  | { kind: "key"; hasBody?: boolean }
  | { kind: LinesShape; value: ValueKind }
  | { kind: "tail"; tail: Tail };
type Step = { to: number; findings?: readonly Finding[]; mode?: Mode; inWord?: boolean };
type Place = { at: number; mode: Mode; inWord: boolean; floor: number };

/** Rules look back at most this far, for a name or a command. */
const lookBack = 256;
const plainText: Mode = { kind: "text" };
const word = 1;
const special = 2;
const wideColon = "：".charCodeAt(0);
const wideEquals = "＝".charCodeAt(0);
const kinds = kindsOfCodes();
const escapeEnd = /[\s"']/;
const escapeSequence =
  /\\{1,16}(?:[nrtbfv]|(?:u001[bB]|x1[bB]|033|e)(?:\[[0-9;?]{0,16}[A-Za-z])?|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})?/y;
const mask = /\[redacted:[a-z0-9-]{1,40}\]/y;
/**
 * Letters of an escape are no part of the word after it: a token may begin right behind `\n` or a colour. A mask is
 * passed over, so that nothing is found in it a second time.
 */
const passedOver = {
  "\\": { pattern: escapeSequence, reach: 48, stop: escapeEnd },
  [rawColourStart]: { pattern: new RegExp(rawColourPattern, "y"), reach: 24, stop: escapeEnd },
  "%": { pattern: /%[0-9a-fA-F]{2}/y, reach: 3, stop: escapeEnd },
  "[": { pattern: mask, reach: 56, stop: /\]|^.[^a-z]|^.{4}[^a-z0-9:-]/ },
};

export function openTextPass(): TextPass {
  let buffer = "";
  let place = startOfText();
  return {
    write: (piece) => run(piece, false),
    end() {
      const rest = run("", true);
      buffer = "";
      place = startOfText();
      return rest;
    },
  };

  function run(piece: string, isFinal: boolean): string {
    buffer += piece;
    const written = scan(buffer, isFinal, place);
    const dropped = Math.max(0, place.at - lookBack);
    buffer = buffer.slice(dropped);
    place.at -= dropped;
    place.floor = Math.max(0, place.floor - dropped);
    return written;
  }
}

function startOfText(): Place {
  return { at: 0, mode: plainText, inWord: false, floor: 0 };
}

/** Goes on from `place` until the text ends or a rule must see more, and moves `place` there. */
function scan(source: string, isFinal: boolean, place: Place): string {
  let output = "";
  let copied = place.at;
  advance(source, isFinal, place, (start, end, mask) => {
    output += source.slice(copied, start) + mask;
    copied = end;
  });
  return output + source.slice(copied, Math.max(copied, place.at));
}

export type Secret = { start: number; end: number; mask: string };

/** The secrets of a text that is all there, from a place on. */
export function findSecrets(source: string, from: number): Secret[] {
  const secrets: Secret[] = [];
  advance(source, true, { ...startOfText(), at: from }, (start, end, mask) => {
    const last = secrets.at(-1);
    if (mask === "" && last?.end === start) last.end = end;
    else secrets.push({ start, end, mask });
  });
  return secrets;
}

function advance(
  source: string,
  isFinal: boolean,
  place: Place,
  put: (start: number, end: number, mask: string) => void,
): void {
  while (place.at < source.length) {
    const step = stepOf({ text: source, isFinal, floor: place.floor }, place);
    if (step === "more") break;
    for (const finding of step.findings ?? []) {
      put(finding.start, finding.end, maskOf(finding, source));
      place.floor = finding.end;
    }
    // what a tail goes over belongs to the secret before it
    if (place.mode.kind === "tail" && step.to > place.at) {
      put(place.at, step.to, "");
      place.floor = step.to;
    }
    place.at = step.to;
    place.mode = step.mode ?? place.mode;
    place.inWord = step.inWord ?? false;
  }
}

function stepOf(reading: Reading, place: Place): Step | "more" {
  switch (place.mode.kind) {
    case "text":
      return stepInText(reading, place);
    case "key":
      return stepInKey(reading, place.at, place.mode.hasBody ?? false);
    case "tail":
      return stepInTail(reading, place.at, place.mode.tail);
    case "cookie":
    case "set-cookie":
      return stepInSeveral(readCookie(reading, place.at, place.mode.kind === "set-cookie"));
    case "block":
    case "list":
      return stepInSeveral(readSecretLine(reading, place.at, place.mode.kind, place.mode.value));
    default:
      return place.mode satisfies never;
  }
}

function stepInText(reading: Reading, place: Place): Step | "more" {
  const at = nextTrigger(reading.text, place.at, place.inWord);
  if (at === reading.text.length)
    return { to: at, inWord: at > place.at ? isWordAt(reading.text, at - 1) : place.inWord };
  const outcome = findAt(reading, at);
  if (outcome === "more") return at > place.at ? { to: at } : "more";
  if (outcome === undefined) return { to: at + 1, inWord: isWordAt(reading.text, at) };
  if ("to" in outcome) return outcome;
  if ("enter" in outcome) return { to: outcome.at, mode: modeOf(outcome) };
  const findings = outcome.companion ? [outcome, outcome.companion] : [outcome];
  const to = findings.at(-1)?.end ?? outcome.end;
  return { to, findings, ...(outcome.tail && { mode: { kind: "tail", tail: outcome.tail } }) };
}

function modeOf(entering: Entering): Mode {
  return "value" in entering ? { kind: entering.enter, value: entering.value } : { kind: entering.enter };
}

function findAt(reading: Reading, at: number): Finding | Entering | Step | "more" | undefined {
  const character = reading.text[at];
  switch (character) {
    case ":":
      return findUrlPassword(reading, at) ?? findAssignment(reading, at);
    case "=":
    case ">":
    case "：":
    case "＝":
      return findAssignment(reading, at);
    case "-":
      return findKeyHeader(reading, at) ?? findFlag(reading, at);
    case "\\":
    case rawColourStart:
    case "%":
    case "[":
      return skip(reading, at, passedOver[character]);
    default:
      return findFormat(reading, at);
  }
}

/** The next place where a rule may apply: the start of a word that looks like a format, or a mark like `=`. */
function nextTrigger(source: string, from: number, startsInWord: boolean): number {
  let inWord = startsInWord;
  for (let at = from; at < source.length; at++) {
    const code = source.charCodeAt(at);
    const kind = code < 128 ? kinds[code] : code === wideColon || code === wideEquals ? special : 0;
    if (kind === special) return at;
    if (kind === word && !inWord && mayStartFormat(source, at)) return at;
    inWord = kind === word;
  }
  return source.length;
}

function skip(reading: Reading, at: number, over: (typeof passedOver)["%"]): Step | "more" | undefined {
  if (needsMore(reading, at, over.reach, over.stop)) return "more";
  const match = matchAt(over.pattern, reading.text, at);
  return match ? { to: at + match[0].length } : undefined;
}

function stepInKey(reading: Reading, at: number, hasBody: boolean): Step | "more" {
  const line = readKeyLine(reading, at, hasBody);
  if (line === "more") return "more";
  const mode: Mode = line.state === "over" ? plainText : { kind: "key", hasBody: hasBody || line.hasBody };
  return { to: line.end, findings: line.findings, mode };
}

/** One cookie, line or item of several under one name. */
function stepInSeveral(read: CookieStep | SecretLine | "more"): Step | "more" {
  if (read === "more") return "more";
  const { finding, end, isOver } = read;
  const mode: Mode | undefined = finding?.tail ? { kind: "tail", tail: finding.tail } : isOver ? plainText : undefined;
  return { to: end, ...(finding && { findings: [finding] }), ...(mode && { mode }) };
}

function stepInTail(reading: Reading, from: number, tail: Tail): Step | "more" {
  const source = reading.text;
  let at = from;
  while (at < source.length) {
    const character = source[at] as string;
    const isDot = character === ".";
    if (isDot && tail !== "word" && at + 1 === source.length && !reading.isFinal)
      return at > from ? { to: at } : "more";
    const goesOn = isDot ? tail !== "word" && isTail(source[at + 1] ?? "", tail) : isTail(character, tail);
    if (!goesOn) return { to: at, mode: plainText };
    at++;
  }
  return { to: at };
}

function isTail(character: string, tail: Tail): boolean {
  return /[\w-]/.test(character) || (tail === "token" && /[+/=~%]/.test(character));
}

function isWordAt(source: string, at: number): boolean {
  return kinds[source.charCodeAt(at)] === word;
}

function kindsOfCodes(): Uint8Array {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    if (/[A-Za-z0-9]/.test(String.fromCharCode(code))) table[code] = word;
    else if (`:=>-\\%[${rawColourStart}`.includes(String.fromCharCode(code))) table[code] = special;
  }
  return table;
}
