// Finds what a person means by a few letters: beginnings of words first, initials, then letters in order.

/** Higher is better; undefined when it is not meant at all. */
export function matchScore(query: string, text: string): number | undefined {
  const plain = fold(text);
  let total = 0;
  for (const word of fold(query).split(/\s+/).filter(Boolean)) {
    const score = wordScore(word, plain);
    if (score === undefined) return undefined;
    total += score;
  }
  // of two equal matches the shorter text is the closer one
  return total - Math.min(plain.length, 200) / 100;
}

/** Best first; items that match equally well keep their order. */
export function rankMatches<Item>(
  query: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
): readonly Item[] {
  return items
    .map((item) => ({ item, score: matchScore(query, textOf(item)) }))
    .filter((one): one is { item: Item; score: number } => one.score !== undefined)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

/** Whether every word stands there, and not only its letters somewhere. */
export function standsIn(query: string, text: string): boolean {
  const plain = fold(text);
  return fold(query)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => (wordScore(word, plain) ?? 0) > scattered);
}

const scattered = 10;

function wordScore(word: string, text: string): number | undefined {
  if (text.startsWith(word)) return 100;
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  if (words.some((one) => one.startsWith(word))) return 80;
  if (
    words
      .map((one) => one[0])
      .join("")
      .includes(word)
  )
    return 60;
  if (text.includes(word)) return 40;
  return inOrder(word, text) ? scattered : undefined;
}

// one or two letters in order are found in nearly everything
function inOrder(letters: string, text: string): boolean {
  if (letters.length < 3) return false;
  let from = 0;
  for (const letter of letters) {
    const at = text.indexOf(letter, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

function fold(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
