import type { Choices } from "./choices.ts";
import type { Listing } from "./expand-globs.ts";
import type { Variable } from "./scope.ts";

/** What one round of evaluating a command's words looks at. */
export type Expansion = {
  variables: ReadonlyMap<string, Variable>;
  choices: Choices;
  folder: string;
  listing: Listing;
};
