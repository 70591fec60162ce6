/** Whether a word ends in one of these pairs of letters, or in letters beyond ASCII; cheap enough for every name of a text. */
export type EndingCheck = (word: string) => boolean;

export function endsInOneOf(pairs: string): EndingCheck {
  const table = new Uint8Array(128 * 128);
  for (const pair of pairs.split(" ")) table[codeOf(pair)] = 1;
  return (word) => {
    const code = codeOf(word);
    return code < 0 || table[code] === 1;
  };
}

function codeOf(word: string): number {
  const last = word.charCodeAt(word.length - 1) | 32;
  const before = word.charCodeAt(word.length - 2) | 32;
  return last < 128 && before < 128 ? (before << 7) | last : -1;
}
