// What is sent is made of lines, since only between and within lines can a message be cut in two.
import type { Span } from "./document.ts";

/** Lines that are marked as one; another object is another frame. */
export type Frame =
  | { kind: "quote" }
  | {
      kind: "code";
      language: string /** Comes again when the frame is cut, such as the names of columns. */;
      header: readonly string[];
    };

export type Line = {
  /** What stands between it and the line before. */
  gap: "" | "\n" | "\n\n";
  frame: Frame | undefined;
  /** Lines of one group stay in one message if they fit into it. */
  group: number;
} & (WordsLine | { kind: "code"; text: string });

export type WordsLine = {
  kind: "words";
  /** 0: no heading. */
  level: number;
  /** How often it is a quote. */
  quotes: number;
  /** Stands before the words: indentation and the mark of a point. */
  lead: string;
  /** Stands before what is left of the words when they are cut. */
  restLead: string;
  spans: readonly Span[];
};
