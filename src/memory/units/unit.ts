/** The smallest thing that is found: a message, or a paragraph, a list item or a line of dialogue in a file. */
export type Unit = {
  text: string;
  /** Words that belong to it and stand elsewhere, such as the heading above it. */
  context: string;
  /** Who said it; empty where nobody is named. */
  speaker: string;
  /** As 2026-11-15; empty where it is not known. */
  day: string;
  /** The first and the last line in its file, or the number of its message. */
  from: number;
  to: number;
  /** Where words in it come from that are nobody's to obey. */
  labels: readonly string[];
};

/** As it is read: with the name of who said it. */
export function spoken({ speaker, text }: Pick<Unit, "speaker" | "text">): string {
  return speaker === "" ? text : `${speaker}: ${text}`;
}
