// What a person wants to have forgotten, as it is looked for: all its telling words, and what stands in quotes as it stands.
import { tellingWords, words } from "../text/words.ts";

export type SpeaksOf = {
  /** How often the text speaks of it; 0 unless everything that was asked for stands in it. */
  times(text: string): number;
  /** False: no text within it speaks of it, so that it need not be read. For JSON of any shape. */
  mayHold(raw: string): boolean;
  /** Where in the text the first of it begins; 0 where that cannot be said. */
  firstIn(text: string): number;
};

export function readAsked(about: string): SpeaksOf {
  const quoted = [...about.matchAll(/"([^"]+)"|“([^”]+)”/g)].map((match) => match[1] ?? match[2] ?? "");
  const phrases = quoted.map(plain).filter((phrase) => /[\p{L}\p{N}]/u.test(phrase));
  const rest = about.replace(/"[^"]+"|“[^”]+”/g, " ");
  const telling = tellingWords(rest);
  // nothing but little words was asked for: then it is they
  const asked = [...new Set(telling.length > 0 || phrases.length > 0 ? telling : words(rest))];
  const forms = asked.map((word) => new Set(formsOf(word)));
  const pieces = [...asked.map(stemOf), ...phrases.flatMap((phrase) => phrase.match(/[\p{L}\p{N}]+/gu) ?? [])].map(
    plain,
  );
  return { times, mayHold, firstIn };

  function times(text: string): number {
    const shown = plain(text);
    const said = forms.length > 0 ? words(text) : [];
    const counts = [
      ...phrases.map((phrase) => shown.split(phrase).length - 1),
      ...forms.map((form) => said.reduce((sum, word) => sum + (form.has(word) ? 1 : 0), 0)),
    ];
    return counts.includes(0) ? 0 : counts.reduce((sum, count) => sum + count, 0);
  }

  function mayHold(raw: string): boolean {
    if (pieces.length === 0) return false;
    const shown = plain(raw);
    return pieces.every((piece) => shown.includes(piece));
  }

  function firstIn(text: string): number {
    const shown = plain(text);
    const at = pieces.map((piece) => shown.indexOf(piece)).filter((index) => index >= 0);
    return at.length > 0 ? Math.min(...at, text.length) : 0;
  }
}

/** With what every form of it begins. */
function stemOf(word: string): string {
  return /[^aeiou]y$/.test(word) ? word.slice(0, -1) : word;
}

function formsOf(word: string): readonly string[] {
  const plural = /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}es`;
  return [word, `${word}s`, plural];
}

// cases, accents and how the space between words is made count for nothing
function plain(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase().replace(/\s+/g, " ");
  return text
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s+/g, " ");
}
