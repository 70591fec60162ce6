/** The parameter operations that change a known text, as bash does them. */

import type { Budget } from "../budget.ts";
import { matchedLengths, type Pattern } from "./pattern.ts";

export function removeMatch(budget: Budget, text: string, pattern: Pattern, operator: "#" | "##" | "%" | "%%"): string {
  const chars = Array.from(text);
  const atStart = operator.startsWith("#");
  const found = atStart ? matchedLengths(budget, pattern, chars) : lengthsAtEnd(budget, pattern, chars);
  if (!found) return text;
  const length = operator.length === 2 ? found.longest : found.shortest;
  return (atStart ? chars.slice(length) : chars.slice(0, chars.length - length)).join("");
}

export function replaceMatch(
  budget: Budget,
  text: string,
  pattern: Pattern,
  replacement: string,
  operator: "/" | "//" | "/#" | "/%",
): string {
  const chars = Array.from(text);
  if (operator === "/%") {
    const length = lengthsAtEnd(budget, pattern, chars)?.longest ?? 0;
    return length === 0 ? text : chars.slice(0, -length).join("") + replacement;
  }
  let result = "";
  for (let at = 0; at < chars.length; at++) {
    const length = matchedLengths(budget, pattern, chars, at)?.longest ?? 0;
    if (length > 0) {
      budget.spend(replacement.length);
      result += replacement;
      if (operator !== "//") return result + chars.slice(at + length).join("");
      at += length - 1;
    } else result += chars[at];
    if (operator === "/#") return result + chars.slice(at + 1).join("");
  }
  return result;
}

/** An end of the text is a beginning, read backwards. */
function lengthsAtEnd(budget: Budget, pattern: Pattern, chars: readonly string[]) {
  return matchedLengths(budget, pattern.toReversed(), chars.toReversed());
}

export function sliceText(text: string, offset: number, length: number | undefined): string | undefined {
  const chars = Array.from(text);
  const start = offset < 0 ? chars.length + offset : offset;
  if (start < 0 || start > chars.length) return "";
  if (length === undefined) return chars.slice(start).join("");
  const end = length < 0 ? chars.length + length : start + length;
  return end < start ? undefined : chars.slice(start, end).join("");
}

/** Undefined outside ASCII, where the locale decides. */
export function changeCase(text: string, operator: "^" | "^^" | "," | ",,"): string | undefined {
  if (!/^[ -~]*$/.test(text)) return undefined;
  const change = (part: string) => (operator.startsWith("^") ? part.toUpperCase() : part.toLowerCase());
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
}
