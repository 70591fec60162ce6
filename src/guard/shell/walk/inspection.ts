import type { ParsedScript, Word } from "unbash";
import type { Budget } from "../budget.ts";
import { expandWord } from "../expand/expand-word.ts";
import { type Expansion, type Listing, openChoices } from "../expand/expansion.ts";
import { type Field, showText } from "../expand/field.ts";
import { type Scope, sizeOf } from "../expand/scope.ts";
import type { Objections, Site } from "../objections.ts";
import { isReadable } from "../paths/check-path.ts";
import { resolveReal } from "../paths/real-path.ts";
import type { ShellPolicy } from "../policy.ts";

/** One look at one command string: what the parts of the check share. */
export type Inspection = Objections & {
  policy: ShellPolicy;
  /** The name of every simple command met, as far as it is literal. */
  seen: Set<string>;
  budget: Budget;
  /** Substitutions lead back to the start; passing it along keeps the files free of cycles. */
  walkScript(inspection: Inspection, script: ParsedScript, scope: Scope): void;
};

/** What a node, one round of a command and one of its arguments cost beside what they hold. */
const nodeSteps = 10;
const roundSteps = 100;
const wordSteps = 10;

/** How each kind of node is looked at; a new kind in the parser breaks the build at the table. */
export type Walks<Node extends { type: string }> = {
  [Kind in Node["type"]]: (inspection: Inspection, scope: Scope, node: Extract<Node, { type: Kind }>) => void;
};

export function walkNode<Node extends { type: string }>(
  walks: Walks<Node>,
  inspection: Inspection,
  scope: Scope,
  node: Node,
): void {
  // TypeScript does not see that the entry and the node are of one kind
  const walk = walks[node.type as Node["type"]] as
    | ((inspection: Inspection, scope: Scope, node: Node) => void)
    | undefined;
  inspection.budget.spend(nodeSteps + sizeOf(scope));
  if (walk) walk(inspection, scope, node);
  else inspection.deny("parse", "something in it is not known to the check");
}

export function siteOf(inspection: Inspection, command: string, folder: string): Site {
  const { policy, budget, seen, ask, deny, noteUse, noteActing, noteUnnamed, later } = inspection;
  return { command, folder, policy, budget, seen, ask, deny, noteUse, noteActing, noteUnnamed, later };
}

/** Runs `evaluate` once for every combination of values that the variables it meets may have. */
export function forEachRound(inspection: Inspection, scope: Scope, evaluate: (expansion: Expansion) => void): void {
  const { variables, folders } = scope;
  const { budget } = inspection;
  const choices = openChoices();
  const listing = openListing(inspection);
  do {
    budget.spend(roundSteps);
    const folder = folders[folders.length > 1 ? choices.pick("the folder", folders.length) : 0] ?? "/";
    evaluate({ variables, choices, folder, listing, budget });
  } while (choices.next());
}

/** The arguments that words become in one round. */
export function expandWords(inspection: Inspection, expansion: Expansion, words: readonly Word[]): Field[] {
  return words.flatMap((word) => {
    const fields = expandWord(expansion, word);
    if (!fields) inspection.deny("parse", `${showText(word.text)} becomes more words than the check will look at`);
    expansion.budget.spend(wordSteps * (fields?.length ?? 0));
    return fields ?? [];
  });
}

/** The shell lists folders itself when it expands a glob, so that is a read like any other. */
function openListing({ policy, deny }: Inspection): Listing {
  return {
    list(folder) {
      const real = resolveReal(policy.files, folder);
      if (real !== undefined && isReadable(policy, real)) return policy.files.readdir(real);
      deny("path", `a glob would list ${showText(folder)}, outside the workspace`);
      return [];
    },
    exists: (path) => policy.files.lstat(path) !== undefined,
  };
}
