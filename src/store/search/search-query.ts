/** What a person types as FTS5 understands it: words in any order, “"…"” as a phrase, the last word also when it is only begun. */
export function toSearchQuery(typed: string): string | undefined {
  const terms = [...typed.replaceAll("\0", " ").matchAll(/"([^"]*)"?|([^\s"]+)/g)]
    .map(([, phrase, word]) => ({ text: phrase ?? word ?? "", isPhrase: phrase !== undefined }))
    // without a letter or a digit there is nothing to look for, and FTS5 would find nothing at all
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const last = terms.at(-1);
  if (!last) return undefined;
  return terms
    .map((term) => {
      const isBegun = term === last && !term.isPhrase;
      return quote(term.text) + (isBegun && mayBeBegun(term.text) ? "*" : "");
    })
    .join(" AND ");
}

// inside quotes nothing is an operator, a column or a wildcard
function quote(text: string): string {
  return `"${separateCharacters(text).replaceAll('"', '""')}"`;
}

// one letter begins a word in nearly every message, which would be slow and no help
function mayBeBegun(text: string): boolean {
  return (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 2;
}

const zeroWidthSpace = "\u200b";
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;

/** Scripts without spaces between words are found by their characters; the mark between them is not seen. */
export function separateCharacters(text: string): string {
  return text.replace(unspaced, `$&${zeroWidthSpace}`);
}

export function joinCharacters(text: string): string {
  return text.replaceAll(zeroWidthSpace, "");
}
