import { parse } from "unbash";
import { forbiddenCharacter, unquotedSpace } from "./forbidden-characters.ts";
import { openRefusals } from "./objections.ts";
import type { FileLookup, ShellPolicy, ShellVerdict } from "./policy.ts";
import type { Inspection } from "./walk/inspection.ts";
import { walkScript } from "./walk/walk-script.ts";

/** How many commands, counted once for every value their variables may have, one string may hold. */
const mostEvaluations = 10_000;

/** A command string comes in, one verdict goes out, before anything runs. The OS sandbox is the boundary behind it. */
export function checkCommand(policy: ShellPolicy, command: string): ShellVerdict {
  return inspect(policy, command).refusals.verdict();
}

/** The names of all commands that the check finds in a string, wherever they stand. */
export function commandsSeen(command: string): readonly string[] {
  return [...inspect(nowhere, command).seen];
}

function inspect(policy: ShellPolicy, command: string): Inspection {
  const inspection: Inspection = {
    policy,
    refusals: openRefusals(),
    seen: new Set(),
    evaluationsLeft: mostEvaluations,
    walkScript,
  };
  const forbidden = forbiddenCharacter(command);
  if (forbidden)
    inspection.refusals.deny("parse", `the command holds the character ${forbidden}, which cannot be seen`);
  try {
    const script = parse(command);
    const space = unquotedSpace(command, script);
    if (space) inspection.refusals.deny("parse", `the command holds ${space}, which looks like a space but is none`);
    walkScript(inspection, script, { variables: new Map(), folders: [policy.workspace] });
  } catch (cause) {
    // the guard fails closed: what cannot be followed is refused
    inspection.refusals.deny(
      "parse",
      `the command cannot be followed: ${cause instanceof Error ? cause.message : "unknown"}`,
    );
  }
  return inspection;
}

const emptyDisk: FileLookup = { realpath: (path) => path, lstat: () => undefined, readdir: () => [] };
const nowhere: ShellPolicy = { workspace: "/", allowedCommands: [], allowedHosts: [], files: emptyDisk };
