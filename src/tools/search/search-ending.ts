import { quoteName } from "../paths/escape-text.ts";

export type SearchEnding =
  | { kind: "complete" }
  | { kind: "enough" }
  | { kind: "stopped" }
  | { kind: "deadline" }
  | { kind: "stuck"; path: string }
  | { kind: "broken"; cause: unknown };

/** Why a search did not see everything, if it did not; `isLost`: what it found is not to be shown either. */
export function cutShort(ending: SearchEnding): { short: string | undefined; isLost: boolean } {
  return { short: reasonFor(ending), isLost: ending.kind === "stopped" || ending.kind === "broken" };
}

function reasonFor(ending: SearchEnding): string | undefined {
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
