// Text that other people chose, shown so that it can neither hide nor reorder what stands around it.

const longestShown = 300;
// joiners (U+200C, U+200D) are left alone: scripts and emoji need them, and they reorder nothing
const misleading = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const misleadingBesideLayout = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A name as it stands when it is harmless, else in quotes with its odd characters spelled out. */
export function escapeName(name: string): string {
  const plain = name.search(misleading) === -1 && !name.startsWith('"');
  return plain ? shorten(name) : quoteName(name);
}

/** A name for use within a sentence: always in quotes. */
export function quoteName(name: string): string {
  const spelled = name.search(misleading) === -1 ? name : name.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return `"${shorten(spelled.replace(misleading, spellOut))}"`;
}

/** A longer text: its lines and tabs stay, everything else that cannot be seen is spelled out. */
export function escapeLines(text: string): string {
  return text.replace(misleadingBesideLayout, spellOut);
}

function spellOut(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function shorten(name: string): string {
  return name.length > longestShown ? `${name.slice(0, longestShown).toWellFormed()}…` : name;
}
