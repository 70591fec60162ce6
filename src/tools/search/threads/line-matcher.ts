import type { SearchPattern } from "../search-pattern.ts";

export type LineMatcher = {
  /** False only for a text in which no line matches. */
  mayMatch(text: string): boolean;
  matches(line: string): boolean;
  /** Where in a line the match stands. */
  locate(line: string): { start: number; end: number };
};

export function lineMatcher({ source, flags, literals }: SearchPattern): LineMatcher {
  const expression = new RegExp(source, flags);
  // with the same flags, so that a letter has the same relatives in other cases; one literal is found much faster than a line
  const anyLiteral = new RegExp(literals.map((literal) => RegExp.escape(literal)).join("|"), flags);
  return {
    mayMatch: (text) => anyLiteral.test(text),
    matches: (line) => expression.test(line),
    locate(line) {
      const match = expression.exec(line);
      return { start: match?.index ?? 0, end: (match?.index ?? 0) + (match?.[0].length ?? 0) };
    },
  };
}
