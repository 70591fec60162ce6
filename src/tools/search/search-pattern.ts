import { quoteName } from "../paths/escape-text.ts";
import type { Refusal } from "../paths/refusal.ts";
import { requiredLiterals } from "./required-literals.ts";

/** A regular expression in a form that can be sent to another thread. */
export type SearchPattern = {
  source: string;
  flags: string;
  /** One of them stands in every match, in any case if the pattern takes any; empty: unknown. */
  literals: readonly string[];
};

const longestPattern = 2000;

export function readPattern(pattern: string, ignoreCase: boolean): SearchPattern | Refusal {
  if (pattern === "") return { refused: "The pattern is empty. Give a regular expression." };
  if (pattern.length > longestPattern) return { refused: `The pattern has more than ${longestPattern} characters.` };
  // other programs' way of saying it
  const source = pattern.replace(/^\(\?i\)/, "");
  const anyCase = ignoreCase || source !== pattern ? "i" : "";
  // \p{L} needs the strict form, a needless backslash the lenient one
  const flags = problemOf(source, `${anyCase}u`) === undefined ? `${anyCase}u` : anyCase;
  const problem = problemOf(source, flags);
  if (problem !== undefined) {
    return {
      refused: `The pattern ${quoteName(source)} is not a regular expression: ${problem}. Escape ( [ { . * + ? \\ to search for them.`,
    };
  }
  const { literals, spansLines } = requiredLiterals(source);
  if (!spansLines) return { source, flags, literals };
  return { refused: `The pattern ${quoteName(pattern)} spans lines, but each line is searched on its own.` };
}

function problemOf(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (cause) {
    // the engine's only way of saying what is wrong
    return cause instanceof Error ? cause.message.replace(/^.*\/[a-z]*: /s, "") : String(cause);
  }
}
