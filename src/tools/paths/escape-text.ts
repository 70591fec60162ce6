// Text that other people chose, so that it can neither hide nor reorder what stands around it in what a model reads.
import { spellOut } from "../../contract/words/spell-out.ts";

const longestInSentence = 300;
// scripts and emoji need joiners, marks and wide blanks, and a model must be able to copy a name; a person is shown those too
const asItStands = /[^\p{Join_Control}\p{Zs}\p{M}]+/gu;

/** A name as it stands when it is harmless, else in quotes with its odd characters spelled out; never cut. */
export function escapeName(name: string): string {
  return spellLine(name) === name && !name.startsWith('"') ? name : inQuotes(name);
}

/** A name for use within a sentence: always in quotes, and cut when it is very long. */
export function quoteName(name: string): string {
  const quoted = inQuotes(name);
  return quoted.length > longestInSentence ? `${quoted.slice(0, longestInSentence).toWellFormed()}…"` : quoted;
}

/** A longer text: its lines and tabs stay. */
export function escapeLines(text: string): string {
  return text.replace(asItStands, spellOut);
}

function inQuotes(name: string): string {
  const isPlain = spellLine(name) === name;
  return `"${isPlain ? name : spellLine(name.replaceAll("\\", "\\\\").replaceAll('"', '\\"'))}"`;
}

function spellLine(name: string): string {
  return escapeLines(name).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
