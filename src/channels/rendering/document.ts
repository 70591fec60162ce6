// What a text in Markdown says, without its marks: every platform writes it down again in its own.

export type Emphasis = "bold" | "italic" | "strike";

/** Words that look the same from the first to the last. `href`: where they lead. */
export type Span = {
  text: string;
  emphasis: readonly Emphasis[];
  isCode: boolean;
  href: string | undefined;
};

export type ListItem = { /** Undefined: it is no task. */ isDone: boolean | undefined; blocks: readonly Block[] };

/** What stands between two blocks. Nothing or a space: they are halves of what was too long to be read at once. */
export type Gap = "" | " " | "\n" | "\n\n";

export type Block = {
  /** How it was set off from what stands before it; a blank line unless the author wrote otherwise. */
  gap: Gap;
} & (
  | { kind: "words" /** 0: no heading. */; level: number; spans: readonly Span[] }
  | { kind: "code"; language: string; text: string }
  /** The first row names the columns. */
  | { kind: "table"; rows: readonly TableRow[]; isRight: readonly boolean[] }
  | { kind: "quote"; blocks: readonly Block[] }
  | {
      kind: "list" /** Undefined: it has no numbers. */;
      start: number | undefined;
      isLoose: boolean;
      items: readonly ListItem[];
    }
  | { kind: "rule" }
);

export type TableRow = readonly (readonly Span[])[];

export function plainSpan(text: string): Span {
  return { text, emphasis: [], isCode: false, href: undefined };
}

export function textOf(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join("");
}
