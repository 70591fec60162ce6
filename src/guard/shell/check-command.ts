import { parse } from "unbash";
import { showText } from "./expand/field.ts";
import { forbiddenCharacter, unquotedSpace } from "./forbidden-characters.ts";
import { type Findings, openObjections } from "./objections.ts";
import { rememberLookups } from "./paths/file-lookup.ts";
import { repositoryPart } from "./paths/protected-paths.ts";
import { isInside, pathBelow } from "./paths/real-path.ts";
import type { ShellPolicy, ShellVerdict } from "./policy.ts";
import type { Inspection } from "./walk/inspection.ts";
import { walkScript } from "./walk/walk-script.ts";

/** How many commands, counted once for every value their variables may have, one string may hold. */
const mostEvaluations = 10_000;

/**
 * A command string comes in, one verdict goes out, before anything runs (command injection). The OS sandbox is the
 * boundary behind it.
 */
export function checkCommand(policy: ShellPolicy, command: string): ShellVerdict {
  return walkCommand(policy, command, () => {}).verdict();
}

type InspectedCommand = Findings & {
  verdict: ShellVerdict;
  /** The names of all commands that were found in the string, wherever they stand. */
  commands: ReadonlySet<string>;
};

/** The verdict and, by its real path, every file that the command uses or would run. */
export function inspectCommand(policy: ShellPolicy, command: string): InspectedCommand {
  const inspection = walkCommand(policy, command, (walked) => walked.lookFurther());
  return { ...inspection.findings(), verdict: inspection.verdict(), commands: inspection.seen };
}

type Walked = Inspection & ReturnType<typeof openObjections>;

function walkCommand(given: ShellPolicy, command: string, atTheEnd: (walked: Walked) => void): Walked {
  const policy = { ...given, files: rememberLookups(given.files) };
  const inspection: Walked = {
    ...openObjections(),
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
    refuseNewRepositories(inspection);
    atTheEnd(inspection);
  } catch (cause) {
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
