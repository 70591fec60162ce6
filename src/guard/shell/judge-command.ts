import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, posix, resolve } from "node:path";
import type { Settings } from "../../contract/settings.ts";
import { allow, askEachTime, type BlockingJudge, type CommandJudgement, wholeWorkspace } from "../judgement.ts";
import { inspectCommand } from "./check-command.ts";
import { realFileLookup } from "./paths/file-lookup.ts";
import { isSteering } from "./paths/seen-path.ts";
import { hasMountsInside } from "./paths/twin-names.ts";
import type { ShellPolicy } from "./policy.ts";

/** More files are not looked into one by one. */
const mostHashed = 500;

/** It blocks for as long as the budget of a command lasts, so the program asks it in a thread of its own. */
export function openShellJudge(settings: Settings, workspace: string): BlockingJudge {
  return judgeFor(shellPolicyFor(settings, workspace));
}

export function judgeFor(policy: ShellPolicy): BlockingJudge {
  return {
    judge: (command) => judgeShell(policy, command),
    filesNamedIn(command) {
      const files = filesNamedIn(policy, command);
      return files && files.length <= mostHashed ? files : wholeWorkspace;
    },
  };
}

export function shellPolicyFor(settings: Settings, workspace: string): ShellPolicy {
  const real = realpathSync(workspace);
  return {
    workspace: real,
    allowedCommands: settings.guard.allowedCommands,
    askedCommands: settings.guard.askedCommands,
    allowedHosts: settings.guard.allowedHosts,
    readDirs: settings.sandbox.readDirs.map(realFolder),
    writeDirs: settings.sandbox.writeDirs.map(realFolder),
    files: realFileLookup,
    hasMounts: hasMountsInside(real),
  };
}

/** The shell rules' verdict, and whether the command only reads. */
function judgeShell(policy: ShellPolicy, command: string): CommandJudgement {
  const { verdict, uses, acts, runsUnnamed, commands } = inspectCommand(policy, command);
  if (verdict.verdict !== "allow")
    return {
      ...verdict,
      readsOnly: false,
      ...((verdict.rule === "steering files" || runsUnnamed) && { lasting: true }),
    };
  const readsOnly = !acts && uses.write.size + uses.remove.size === 0;
  // the sandbox keeps these files from being changed, so a program that gets one is asked about rather than left to fail
  const steering = [...uses.run]
    .filter((place) => policy.files.lstat(place))
    .map((place) => posix.relative(policy.workspace, place))
    .find(isSteering);
  const judgement = steering
    ? askEachTime("steering files", `${steering} shapes how the assistant behaves from now on.`)
    : allow;
  return {
    ...judgement,
    readsOnly,
    reads: acts ? "anything" : filesShown(policy, [...uses.read], commands),
    runsUnnamed,
  };
}

// these show nothing of any file; the next show names and sizes only; the last show more than the files they name
const silent = new Set(["test", "[", "mkdir", "touch", "date", "true", "cd", "pwd"]);
const namesOnly = silent.union(new Set(["ls", "find", "echo", "printf"]));
const showsHistory = new Set(["git"]);

/** Whose words can be in the output: of these files, of any file, or, where there are none, nobody's. A folder: its names. */
function filesShown(policy: ShellPolicy, read: readonly string[], commands: ReadonlySet<string>) {
  if (!commands.isDisjointFrom(showsHistory)) return "anything";
  if (commands.isSubsetOf(namesOnly)) return commands.isSubsetOf(silent) ? [] : [policy.workspace, ...read];
  return read.some((place) => policy.files.lstat(place) === "folder") ? "anything" : read;
}

/** By their real paths: every file that the words mean once they are expanded, and what else would be run. */
function filesNamedIn(policy: ShellPolicy, command: string): readonly string[] | undefined {
  const { uses, isWhole } = inspectCommand(policy, command);
  if (!isWhole) return undefined;
  const used = [...uses.read, ...uses.write, ...uses.remove].filter((place) => policy.files.lstat(place) === "file");
  return [...new Set([...used, ...uses.run])];
}

function realFolder(path: string): string {
  const whole = resolve(path.startsWith("~/") ? join(homedir(), path.slice(2)) : path);
  return realFileLookup.realpath(whole) ?? whole;
}
