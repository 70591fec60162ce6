import { rootsFor } from "./check-path.ts";
import { type Choices, openChoices } from "./choices.ts";
import type { Listing } from "./expand-globs.ts";
import type { Expansion } from "./expansion.ts";
import { showText } from "./field.ts";
import { type Inspection, mayEvaluate } from "./inspection.ts";
import { isInside, resolveReal } from "./real-path.ts";
import type { Scope } from "./scope.ts";

/** Runs `evaluate` once for every combination of values that the variables it meets may have. */
export function forEachRound(inspection: Inspection, scope: Scope, evaluate: (expansion: Expansion) => void): void {
  const choices = openChoices();
  const listing = openListing(inspection);
  do {
    if (!mayEvaluate(inspection)) return;
    evaluate({ variables: scope.variables, choices, folder: folderOf(scope, choices), listing });
  } while (choices.next());
}

function folderOf(scope: Scope, choices: Choices): string {
  const index = scope.folders.length > 1 ? choices.pick("the folder", scope.folders.length) : 0;
  return scope.folders[index] ?? "/";
}

/** The shell lists folders itself when it expands a glob, so that is a read like any other. */
function openListing(inspection: Inspection): Listing {
  const { files } = inspection.policy;
  return {
    list(folder) {
      const real = resolveReal(files, folder);
      if (real !== undefined && rootsFor(inspection.policy, "read").some((root) => isInside(root, real))) {
        return files.readdir(real);
      }
      inspection.refusals.deny("path", `a glob would list ${showText(folder)}, outside the workspace`);
      return [];
    },
    exists: (path) => files.lstat(path) !== undefined,
  };
}
