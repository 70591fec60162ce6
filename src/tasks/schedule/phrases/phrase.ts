// A piece of a sentence that says something about time, and where it stands. Pieces that are understood are blanked out, so that
// positions stay what they were and nothing is read twice.

export type Span = { from: number; to: number };
export type Piece<Meaning> = Span & { meaning: Meaning };

/** When and where the words are meant. */
export type Place = { nowMs: number; timeZone: string };

export function spanOf(match: RegExpExecArray): Span {
  return { from: match.index, to: match.index + match[0].length };
}

export function blankOut(text: string, spans: readonly Span[], filler = " "): string {
  return spans.reduce((left, { from, to }) => left.slice(0, from) + filler.repeat(to - from) + left.slice(to), text);
}

/** Whether nothing but a comma or a small word stands between two pieces. */
export function areNeighbours(text: string, one: Span, other: Span): boolean {
  const [first, second] = one.from <= other.from ? [one, other] : [other, one];
  return (
    second.from - first.to < 12 &&
    /^[\s,]*(?:(?:at|on|and|or|&)[\s,]+)?(?:the\s+)?$/i.test(text.slice(first.to, second.from))
  );
}

const smallNumbers = [
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
  ...["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"],
];
const tens: Readonly<Record<string, number>> = {
  thirty: 30,
  forty: 40,
  "forty-five": 45,
  fifty: 50,
  sixty: 60,
  ninety: 90,
};

/** One to twelve, in figures or in words. */
export const hourNumber = `\\d{1,2}|${smallNumbers.slice(1, 13).toReversed().join("|")}`;
/** How many there are of something. */
export const amount = `\\d{1,9}(?:\\.\\d{1,3})?|${[...smallNumbers.slice(1), ...Object.keys(tens)].toReversed().join("|")}`;

export function numberOf(text: string): number {
  const word = text.toLowerCase();
  const small = smallNumbers.indexOf(word);
  return small >= 0 ? small : (tens[word] ?? Number(word));
}
