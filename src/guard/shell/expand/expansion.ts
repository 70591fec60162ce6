import type { Budget } from "../budget.ts";
import type { Variable } from "./scope.ts";

/** What one round of evaluating a command's words looks at. */
export type Expansion = {
  variables: ReadonlyMap<string, Variable>;
  choices: ReturnType<typeof openChoices>;
  folder: string;
  listing: Listing;
  budget: Budget;
};

/** The disk as globs see it; listing a folder outside the allowed ones is reported there. */
export type Listing = {
  list(folder: string): readonly string[];
  exists(path: string): boolean;
};

/** Steps through every combination of the alternatives that are met while one command is evaluated again and again. */
export function openChoices() {
  const open: { name: string; index: number; count: number }[] = [];
  const byName = new Map<string, (typeof open)[number]>();
  return {
    /** Which of `count` alternatives of the thing called `name` is looked at in this round. */
    pick(name: string, count: number): number {
      if (count < 2) return 0;
      const known = byName.get(name);
      if (known) return known.index;
      const choice = { name, index: 0, count };
      open.push(choice);
      byName.set(name, choice);
      return 0;
    },
    /** Moves to the next combination; false when all have been seen. */
    next(): boolean {
      for (let last = open.at(-1); last; last = open.at(-1)) {
        last.index++;
        if (last.index < last.count) return true;
        open.pop();
        byName.delete(last.name);
      }
      return false;
    },
  };
}
