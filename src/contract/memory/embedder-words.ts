const words: Readonly<Record<string, string>> = {
  builtin: "built-in meaning search",
  none: "searched by words only",
};

/** What turns texts into vectors, as a person is told of it. */
export function embedderWords(embedder: string): string {
  return words[embedder] ?? `meaning search by ${embedder}`;
}
