import type { Variable } from "./scope.ts";

/** What one round of evaluating a command's words looks at. */
export type Expansion = {
  variables: ReadonlyMap<string, Variable>;
  choices: ReturnType<typeof openChoices>;
  folder: string;
  listing: Listing;
};

/** The disk as globs see it; listing a folder outside the allowed ones is reported there. */
export type Listing = {
  list(folder: string): readonly string[];
  exists(path: string): boolean;
};

/** Steps through every combination of the alternatives that are met while one command is evaluated again and again. */
export function openChoices() {
  const open: { name: string; index: number; count: number }[] = [];
  return {
    /** Which of `count` alternatives of the thing called `name` is looked at in this round. */
    pick(name: string, count: number): number {
      const known = open.find((choice) => choice.name === name);
      if (known) return known.index;
      open.push({ name, index: 0, count });
      return 0;
    },
    /** Moves to the next combination; false when all have been seen. */
    next(): boolean {
      for (let last = open.at(-1); last; last = open.at(-1)) {
        last.index++;
        if (last.index < last.count) return true;
        open.pop();
      }
      return false;
    },
  };
}
