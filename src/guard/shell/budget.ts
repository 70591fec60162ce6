import type { FileLookup } from "./paths/file-lookup.ts";

/** What one judgement may cost, in steps of about a character looked at; ordinary commands need a few thousand. */
const mostSteps = 2_000_000;
/** Linux passes no longer text as one argument. */
export const longestCommand = 131_072;
const lookupSteps = 20;

/** Everything that a command makes the check do is paid for here, whatever it is: one cap, and no corner without it. */
export type Budget = { spend(steps: number): void };

/** Ends a judgement where it stands. */
class TooMuchToCheck extends Error {
  override name = "TooMuchToCheck";
  override message = "it becomes more than the check will look at";
}

export function openBudget(command: string): Budget {
  let left = command.length > longestCommand ? 0 : mostSteps;
  return {
    spend(steps) {
      left -= steps;
      if (left < 0) throw new TooMuchToCheck();
    },
  };
}

/** The disk, each look at it paid for by the length of what is asked and answered. */
export function paidLookup(files: FileLookup, budget: Budget): FileLookup {
  const paid = <Answer>(look: (path: string) => Answer) => {
    return (path: string) => {
      budget.spend(lookupSteps + path.length / 16);
      const answer = look(path);
      if (typeof answer === "string" || Array.isArray(answer)) budget.spend(answer.length);
      return answer;
    };
  };
  return {
    realpath: paid(files.realpath),
    facts: paid(files.facts),
    lstat: paid(files.lstat),
    readlink: paid(files.readlink),
    readdir: paid(files.readdir),
    read: paid(files.read),
  };
}
