import { parse } from "unbash";
import { type Budget, openBudget, paidLookup } from "./budget.ts";
import { showText } from "./expand/field.ts";
import { forbiddenCharacter, unquotedSpace } from "./forbidden-characters.ts";
import { type Findings, openObjections } from "./objections.ts";
import { rememberLookups } from "./paths/file-lookup.ts";
import { repositoryPart } from "./paths/protected-paths.ts";
import { isInside, pathBelow } from "./paths/real-path.ts";
import type { ShellPolicy, ShellVerdict } from "./policy.ts";
import type { Inspection } from "./walk/inspection.ts";
import { walkScript } from "./walk/walk-script.ts";

/**
 * A command string comes in, one verdict goes out, before anything runs (command injection). The OS sandbox is the
 * boundary behind it.
 */
export function checkCommand(policy: ShellPolicy, command: string): ShellVerdict {
  return walkCommand(policy, command, openBudget(command), () => {}).verdict();
}

type InspectedCommand = Findings & {
  verdict: ShellVerdict;
  /** The names of all commands that were found in the string, wherever they stand. */
  commands: ReadonlySet<string>;
  /** False: it was more than the check will look at, so files may be missing here. */
  isWhole: boolean;
};

/** The verdict and, by its real path, every file that the command uses or would run. */
export function inspectCommand(policy: ShellPolicy, command: string, budget = openBudget(command)): InspectedCommand {
  const inspection = walkCommand(policy, command, budget, (walked) => walked.lookFurther());
  const { seen: commands, isWhole } = inspection;
  return { ...inspection.findings(), verdict: inspection.verdict(), commands, isWhole };
}

type Walked = Inspection & ReturnType<typeof openObjections> & { isWhole: boolean };

function walkCommand(given: ShellPolicy, command: string, budget: Budget, atTheEnd: (walked: Walked) => void): Walked {
  const policy = { ...given, files: paidLookup(rememberLookups(given.files), budget) };
  const inspection: Walked = {
    ...openObjections(),
    isWhole: true,
    policy,
    budget,
    seen: new Set(),
    walkScript,
  };
  const forbidden = forbiddenCharacter(command);
  if (forbidden) inspection.deny("parse", `the command holds the character ${forbidden}, which cannot be seen`);
  try {
    budget.spend(command.length);
    const script = parse(command);
    const space = unquotedSpace(command, script);
    if (space) inspection.deny("parse", `the command holds ${space}, which looks like a space but is none`);
    walkScript(inspection, script, { variables: new Map(), folders: [policy.workspace] });
    refuseNewRepositories(inspection);
    atTheEnd(inspection);
  } catch (cause) {
    inspection.isWhole = false;
    // the guard fails closed: what cannot be followed is refused
    inspection.deny("parse", `the command cannot be followed: ${cause instanceof Error ? cause.message : "unknown"}`);
  }
  return inspection;
}

/** Looked at last: the pieces of a repository may be written by several commands of one string. */
function refuseNewRepositories({ policy, ask, findings }: Walked): void {
  const { files, workspace } = policy;
  const paths = [...findings().uses.write].flatMap((place) =>
    isInside(workspace, place) ? [pathBelow(workspace, place)] : [],
  );
  const comes = new Set(paths.flatMap((path) => path.split("/").map((_, at, all) => all.slice(0, at + 1).join("/"))));
  const isThere = (path: string) => files.lstat(`${workspace}/${path}`) !== undefined;
  for (const path of paths) {
    const part = repositoryPart(path, isThere, (other) => comes.has(other) || isThere(other));
    if (part) ask("protected path", `${showText(part)} would be taken by git for part of a repository and obeyed`);
  }
}
