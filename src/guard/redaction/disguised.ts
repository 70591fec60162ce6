// In: pieces of text. Out: the same, with secrets masked that something invisible stands in: a zero-width space, a colour.
import { invisibleLength, mayBeInvisible, mayStartInvisible, type Visible, visibleIn } from "./invisible.ts";
import { findSecrets, type Secret, type TextPass } from "./scan-text.ts";

type Window = { start: number; end: number };

const longestBefore = 256;
const longestAfter = 640;
const delimiters = " \t\n\r\v\f\"'`<>\\";
/** A name and its separator may stand before the window: `"password": "…`. */
const separatorBefore = /(?:[:=>：＝]|\\{1,16}[nrt]?)(?:[ \t]|\\{1,16}t){0,16}\\{0,16}["'`]?$/;

export function openDisguisedPass(): TextPass {
  let buffer = "";
  let at = 0;
  return {
    write: (piece) => run(piece, false),
    end() {
      const rest = run("", true);
      buffer = "";
      at = 0;
      return rest;
    },
  };

  function run(piece: string, isFinal: boolean): string {
    buffer += piece;
    let output = "";
    for (;;) {
      const window = nextWindow(buffer, at, isFinal);
      output += buffer.slice(at, window.start);
      at = window.start;
      if (window.end === at) break;
      output += maskWindow(buffer, window);
      at = window.end;
    }
    const dropped = Math.max(0, at - longestBefore);
    buffer = buffer.slice(dropped);
    at -= dropped;
    return output;
  }
}

/** The next word with something invisible in it; without an end, its beginning is how far the text is settled. */
function nextWindow(text: string, from: number, isFinal: boolean): Window {
  mayStartInvisible.lastIndex = from;
  for (let found = mayStartInvisible.exec(text); found; found = mayStartInvisible.exec(text)) {
    const at = found.index;
    const length = invisibleLength(text, at, isFinal);
    if (length === 0) continue;
    const start = wordStart(text, from, at);
    const end = length === undefined ? undefined : wordEnd(text, at + length, isFinal);
    return { start, end: end ?? start };
  }
  const settled = isFinal ? text.length : wordStart(text, from, text.length);
  return { start: settled, end: settled };
}

function wordStart(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && end - at < longestBefore && !isDelimiter(text.charCodeAt(at - 1))) at--;
  // the letter of `\\n` is no part of the word
  return at < end && text[at - 1] === "\\" && "nrtbf".includes(text[at] ?? "-") ? at + 1 : at;
}

/** Undefined while the word may go on. */
function wordEnd(text: string, from: number, isFinal: boolean): number | undefined {
  let at = from;
  while (at < from + longestAfter) {
    if (at >= text.length) return isFinal ? text.length : undefined;
    const code = text.charCodeAt(at);
    const length = mayBeInvisible(code) ? invisibleLength(text, at, isFinal) : 0;
    if (length === undefined) return undefined;
    if (length === 0 && isDelimiter(code)) return at;
    at += Math.max(1, length);
  }
  return at;
}

function isDelimiter(code: number): boolean {
  if (code < 128) return delimiters.includes(String.fromCharCode(code));
  return code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029;
}

function maskWindow(text: string, { start, end }: Window): string {
  const word = text.slice(start, end);
  const visible = visibleIn(word);
  if (!standsInside(visible)) return word;
  const context = text.slice(Math.max(0, start - longestBefore), start);
  const after = charactersAfter(text, end);
  const asWritten = secretsIn(context, word, after);
  let output = "";
  let copied = 0;
  for (const secret of secretsIn(visibleIn(context).text, visible.text, after)) {
    const first = visible.places[secret.start] as number;
    const last = visible.places[secret.end - 1] as number;
    const shorter = asWritten.find((other) => other.start === first && other.end <= last);
    const isOther = shorter !== undefined && beginsSomethingElse(word, shorter.end, last, asWritten);
    output += word.slice(copied, first) + secret.mask;
    if (isOther) return output + maskWindow(text, { start: start + shorter.end, end });
    copied = last + 1;
  }
  return output + word.slice(copied);
}

/** The secrets of a word behind its context, by their places in the word. */
function secretsIn(context: string, word: string, after: string): Secret[] {
  const from = context.length - (separatorBefore.exec(context)?.[0].length ?? 0);
  return findSecrets(context + word + after, from).flatMap(({ start, end, mask }) => {
    const inWord = {
      start: Math.max(0, start - context.length),
      end: Math.min(word.length, end - context.length),
      mask,
    };
    return inWord.end > inWord.start ? [inWord] : [];
  });
}

/** Behind a secret that is whole without it: a name or a word in another colour, or the next secret. */
function beginsSomethingElse(word: string, from: number, last: number, secrets: readonly Secret[]): boolean {
  const { text, places } = visibleIn(word.slice(from, last + 1));
  const next = from + (places[0] ?? 0);
  return (
    next > from && (/^[A-Za-z]+(?:[-_.][A-Za-z]+)*[-_.]?$/.test(text) || secrets.some(({ start }) => start === next))
  );
}

/** One character, with the backslashes that say what it means. */
function charactersAfter(text: string, end: number): string {
  return /^\\{0,16}[\s\S]?/.exec(text.slice(end, end + 17))?.[0] ?? "";
}

/** At the edges of a word it separates rather than hides. */
function standsInside({ places }: Visible): boolean {
  return places.some((place, index) => index > 0 && place !== (places[index - 1] ?? 0) + 1);
}
