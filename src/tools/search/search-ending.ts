import { quoteName } from "../paths/escape-text.ts";
import type { SearchEnding } from "./search-tree.ts";

/** Why a search did not see everything; undefined when it did. */
export function cutShort(ending: SearchEnding): string | undefined {
  switch (ending.kind) {
    case "complete":
    case "enough":
      return undefined;
    case "stopped":
      return "The search was stopped.";
    case "deadline":
      return "The search took too long and was ended before it had seen everything: name a folder below.";
    case "stuck":
      return `The pattern took too long in ${quoteName(ending.path)}, so the search was ended there: write it without nested repeats such as (a+)+.`;
    case "broken":
      return `The search broke: ${ending.cause instanceof Error ? ending.cause.message : String(ending.cause)}.`;
    default:
      return ending satisfies never;
  }
}
