/** The word a person most likely meant, or none when nothing comes close. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const begins = words.find((word) => wanted.length >= 2 && word.toLowerCase().startsWith(wanted));
  if (begins) return begins;
  const ranked = words
    .map((word) => ({ word, distance: editDistance(wanted, word.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.word : undefined;
}

// a swap of two neighbours counts as one slip, as in "chta"
function editDistance(from: string, to: string): number {
  const table = Array.from({ length: from.length + 1 }, (_, row) =>
    Array.from({ length: to.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row++) {
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let least = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) least = Math.min(least, at(row - 2, column - 2) + 1);
      const line = table[row];
      if (line) line[column] = least;
    }
  }
  return at(from.length, to.length);
}
