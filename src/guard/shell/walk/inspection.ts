import type { ParsedScript } from "unbash";
import type { Scope } from "../expand/scope.ts";
import type { Refusals } from "../objections.ts";
import type { ShellPolicy } from "../policy.ts";

/** One look at one command string: what the parts of the check share. */
export type Inspection = {
  policy: ShellPolicy;
  refusals: Refusals;
  /** The name of every simple command met, as far as it is literal. */
  seen: Set<string>;
  /** How many more evaluations there may be; at zero the command is refused. */
  evaluationsLeft: number;
  /** Substitutions lead back to the start; passing it along keeps the files free of cycles. */
  walkScript(inspection: Inspection, script: ParsedScript, scope: Scope): void;
};

/** False, and a refusal, once a command has become too much to follow. */
export function mayEvaluate(inspection: Inspection): boolean {
  inspection.evaluationsLeft--;
  if (inspection.evaluationsLeft >= 0) return true;
  inspection.refusals.deny("parse", "the command has more possible courses than the check will follow");
  return false;
}
