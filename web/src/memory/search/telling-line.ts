// A note in, the one line out by which somebody knows it again.

/** The first that is no heading, without the marks of its form; of headings alone the first of them. */
export function tellingLine(text: string): string | undefined {
  const lines = text
    .replaceAll(/<!--.*?(?:-->|$)/gs, "")
    .split("\n")
    .map((line) => line.trim());
  const telling = lines.filter((line) => /[\p{L}\p{N}]/u.test(line));
  const first = telling.find((line) => !line.startsWith("#")) ?? telling[0];
  return first?.replace(/^(?:[-*+>]|#+)\s+/, "");
}
