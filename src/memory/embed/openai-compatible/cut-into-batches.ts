// a request of this size is answered well within its time, and OpenAI takes it
const usual = { mostTexts: 96, mostCharacters: 100_000 };

/** Which texts go together into a request, by their places; a text with nothing in it goes into none. */
export function cutIntoBatches(texts: readonly string[], { mostTexts, mostCharacters } = usual): readonly number[][] {
  const batches: number[][] = [];
  let characters = 0;
  for (const [at, text] of texts.entries()) {
    if (text.trim() === "") continue;
    const batch = batches.at(-1);
    if (!batch || batch.length >= mostTexts || characters + text.length > mostCharacters) {
      batches.push([at]);
      characters = text.length;
    } else {
      batch.push(at);
      characters += text.length;
    }
  }
  return batches;
}
