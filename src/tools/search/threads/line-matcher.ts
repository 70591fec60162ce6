import type { SearchPattern } from "../search-pattern.ts";

export type LineMatcher = ReturnType<typeof lineMatcher>;

export function lineMatcher({ source, flags, literals }: SearchPattern) {
  const expression = new RegExp(source, flags);
  // with the same flags, so that a letter has the same relatives in other cases; one literal is found much faster than a line
  const anyLiteral = new RegExp(literals.map((literal) => RegExp.escape(literal)).join("|"), flags);
  return {
    /** False only for a text in which no line matches. */
    mayMatch: (text: string) => anyLiteral.test(text),
    matches: (line: string) => expression.test(line),
    locate: (line: string) => expression.exec(line),
  };
}
