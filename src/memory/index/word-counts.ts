// In how many units each word stands, by the word's hash: two words that share a place make each other look a little more common,
// and a language of any size takes a megabyte.
const places = 2 ** 18;

export type WordCounts = {
  add(words: ReadonlySet<string>): void;
  remove(words: ReadonlySet<string>): void;
  set(word: string, units: number): void;
  of(word: string): number;
};

export function openWordCounts(): WordCounts {
  const counts = new Uint32Array(places);
  const change = (words: ReadonlySet<string>, by: number) => {
    for (const word of words) {
      const place = placeOf(word);
      counts[place] = Math.max(0, (counts[place] ?? 0) + by);
    }
  };
  return {
    add: (words) => change(words, 1),
    remove: (words) => change(words, -1),
    set: (word, units) => {
      const place = placeOf(word);
      counts[place] = (counts[place] ?? 0) + units;
    },
    of: (word) => counts[placeOf(word)] ?? 0,
  };
}

// FNV-1a
function placeOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 18)) & (places - 1);
}
