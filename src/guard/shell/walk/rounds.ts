import { type Choices, openChoices } from "../expand/choices.ts";
import type { Listing } from "../expand/expand-globs.ts";
import type { Expansion } from "../expand/expansion.ts";
import { showText } from "../expand/field.ts";
import type { Scope } from "../expand/scope.ts";
import { rootsFor } from "../paths/check-path.ts";
import { isInside, resolveReal } from "../paths/real-path.ts";
import { type Inspection, mayEvaluate } from "./inspection.ts";

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
