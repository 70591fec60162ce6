// What a person decides about: nothing in it may be there unseen, pass for something else or push the rest out of view.
import { count } from "./amounts.ts";

// what Unicode calls control, blank or ignorable, and letters, signs and fillers whose glyph is empty
const empty =
  "[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800\\ufffc\\u2d7f\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}]";
const unseen = new RegExp(
  [
    `(?![\\n\\t ])${empty}`,
    // marks with nothing to stand on, on a sign of another script, or piled up over the lines above
    `(?<=^|${empty})\\p{M}+`,
    "(?<=[!-~])(?!\\p{Script=Inherited})\\p{M}+",
    "(?<=\\p{M}{4})\\p{M}+",
  ].join("|"),
  "gu",
);
const foreign =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/gu;
const allLikeLatin = /^[асԁеһіјӏорԛѕԝхуԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТХУІЅЈԚԜανορικυχսօցհյոզ\p{N}_]+$/u;
const widestBlank = 40;
const tabWidth = 8;

/** Characters that could hide or reorder something, by their number; lines, tabs and spaces stay. What comes out stays as it is. */
export function spellOut(text: string): string {
  return text.replace(unseen, byNumber);
}

/** The whole of a question, however long: also says which host an address means, and how many blanks stand where too many do. */
export function spellOutQuestion(text: string): string {
  return spellOut(countBlanks(spellDisguised(nameHosts(text))));
}

/** The beginning in one line, for where the whole has no room: it says how much is left out, and whether anything is. */
export function shortenQuestion(display: string, most: number): { text: string; isWhole: boolean } {
  const characters = [...spellOut(display).replaceAll("\n", " ⏎ ").replaceAll("\t", " ")];
  const left = characters.length - most;
  if (left <= 0) return { text: characters.join(""), isWhole: true };
  return { text: `${characters.slice(0, most).join("")}… (${count(left, "more character")})`, isWhole: false };
}

function byNumber(characters: string): string {
  return Array.from(characters, (one) => (one === "\r" ? "\\r" : `\\u{${one.codePointAt(0)?.toString(16)}}`)).join("");
}

// user names, other alphabets, percent signs and odd numbers let an address look like that of another host (homograph attack)
function nameHosts(text: string): string {
  return text.replace(/:\/\/([^\s/?#\\"'`<>]+)/gu, (whole, authority: string) => {
    const host = URL.parse(`https://${authority}`)?.hostname;
    const shown = authority.replace(/:\d*$/, "");
    if (host === undefined ? /^[ -~]*$/.test(shown) : host === shown.toLowerCase()) return whole;
    return `${whole} (${host ?? "no valid host"})`;
  });
}

// a word in two alphabets, and a part of a dotted name that is all made of letters like Latin ones
function spellDisguised(text: string): string {
  if (text.search(foreign) === -1) return text;
  return text.replace(/[\p{L}\p{M}\p{N}_]+/gu, (word, at: number) => {
    const isDotted = /^[-\w]{0,63}\.[-\w]*[a-z]/.test(text.slice(at + word.length, at + word.length + 200));
    const isDisguised = /\p{Script=Latin}/u.test(word) || (isDotted && allLikeLatin.test(word));
    return isDisguised ? word.replace(foreign, byNumber) : word;
  });
}

function countBlanks(text: string): string {
  return text
    .replace(/(?<=^|\n)(?:[ \t]*\n){4,}/g, (lines) =>
      lines
        .replace(/[ \t]+/g, (blanks) => blanks.replace(/ +|\t+/g, countRun))
        .replace(/(?<=^|\n)\n+/g, (run) => `[${count(run.length, "blank line")}]\n`),
    )
    .replace(/[ \t]{6,}/g, (run) => (widthOf(run) > widestBlank ? run.replace(/ {2,}|\t+/g, countRun) : run));
}

function widthOf(run: string): number {
  return run.length + (tabWidth - 1) * (run.split("\t").length - 1);
}

function countRun(run: string): string {
  return run === "\t" ? "\\t" : `[${count(run.length, run.startsWith("\t") ? "tab" : "space")}]`;
}
