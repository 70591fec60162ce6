import { parse } from "unbash";
import { forbiddenCharacter, unquotedSpace } from "./forbidden-characters.ts";
import { openObjections } from "./objections.ts";
import type { ShellPolicy, ShellVerdict } from "./policy.ts";
import type { Inspection } from "./walk/inspection.ts";
import { walkScript } from "./walk/walk-script.ts";

/** How many commands, counted once for every value their variables may have, one string may hold. */
const mostEvaluations = 10_000;

type InspectedCommand = {
  verdict: ShellVerdict;
  /** The names of all commands that were found in the string, wherever they stand. */
  commands: ReadonlySet<string>;
  /** Something in it writes, moves or deletes files. */
  changesFiles: boolean;
};

/**
 * A command string comes in, one verdict goes out, before anything runs (command injection). The OS sandbox is the
 * boundary behind it.
 */
export function checkCommand(policy: ShellPolicy, command: string): ShellVerdict {
  return inspectCommand(policy, command).verdict;
}

export function inspectCommand(policy: ShellPolicy, command: string): InspectedCommand {
  const objections = openObjections();
  const inspection: Inspection = {
    ...objections,
    policy,
    seen: new Set(),
    evaluationsLeft: mostEvaluations,
    walkScript,
  };
  const forbidden = forbiddenCharacter(command);
  if (forbidden) inspection.deny("parse", `the command holds the character ${forbidden}, which cannot be seen`);
  try {
    const script = parse(command);
    const space = unquotedSpace(command, script);
    if (space) inspection.deny("parse", `the command holds ${space}, which looks like a space but is none`);
    walkScript(inspection, script, { variables: new Map(), folders: [policy.workspace] });
  } catch (cause) {
    // the guard fails closed: what cannot be followed is refused
    inspection.deny("parse", `the command cannot be followed: ${cause instanceof Error ? cause.message : "unknown"}`);
  }
  return { verdict: objections.verdict(), commands: inspection.seen, changesFiles: objections.changesFiles() };
}
