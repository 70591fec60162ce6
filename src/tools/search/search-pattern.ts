import { quoteName } from "../paths/escape-text.ts";
import type { Refusal } from "../paths/refusal.ts";
import { requiredLiterals } from "./required-literals.ts";

/** A regular expression in a form that can be sent to another thread. */
export type SearchPattern = {
  source: string;
  flags: string;
  /** One of them stands in every match, in any case if the pattern takes any; empty: unknown. */
  literals: readonly string[];
  /** The expression is nothing but its literal. */
  isLiteral: boolean;
};

const longestPattern = 2000;

export function readPattern(pattern: string, ignoreCase: boolean): SearchPattern | Refusal {
  if (pattern === "") return { refused: "The pattern is empty. Give a regular expression." };
  if (pattern.length > longestPattern) return { refused: `The pattern has more than ${longestPattern} characters.` };
  // other programs' way of saying it
  const source = pattern.replace(/^\(\?i\)/, "");
  const anyCase = ignoreCase || source !== pattern;
  const compiled = compile(source, anyCase);
  if ("refused" in compiled) return compiled;
  const required = requiredLiterals(source);
  if (required.spansLines) {
    return { refused: `The pattern ${quoteName(pattern)} spans lines, but each line is searched on its own.` };
  }
  return { source, flags: compiled.flags, literals: required.literals, isLiteral: required.isWhole && !anyCase };
}

function compile(source: string, ignoreCase: boolean): { flags: string } | Refusal {
  const flags = ignoreCase ? "i" : "";
  // \p{L} needs the strict form, a needless backslash the lenient one
  const strict = attempt(source, `${flags}u`);
  if (strict === undefined) return { flags: `${flags}u` };
  const problem = attempt(source, flags);
  if (problem === undefined) return { flags };
  return {
    refused: `The pattern ${quoteName(source)} is not a regular expression: ${problem}. Escape ( [ { . * + ? \\ to search for them.`,
  };
}

function attempt(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (cause) {
    // the engine's only way of saying what is wrong
    return cause instanceof Error ? cause.message.replace(/^.*\/[a-z]*: /s, "") : String(cause);
  }
}
