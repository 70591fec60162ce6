import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Settings } from "../contract/settings.ts";
import { allow, askEachTime, type CommandJudgement, deny, type ShellJudge } from "./judgement.ts";
import { inspectCommand } from "./shell/check-command.ts";
import { realFileLookup } from "./shell/paths/file-lookup.ts";
import type { ShellPolicy } from "./shell/policy.ts";
import { isSecret, isSteering } from "./workspace-roles.ts";

// these run code of their own, or reach out, whatever their arguments say
const actingCommands = new Set(["node", "npm", "npx", "python3", "curl", "git"]);
const readingGit = /^\s*git\s+(?:status|log|diff|show|blame|ls-files|rev-parse|grep)\b[^;&|<>$`(){}\n]*$/;

export function openShellJudge(settings: Settings, workspace: string): ShellJudge {
  const policy = shellPolicyFor(settings, workspace);
  return {
    judge: (command) => judgeShell(policy, command),
    filesNamedIn: (command) => filesNamedIn(policy, command),
  };
}

export function shellPolicyFor(settings: Settings, workspace: string): ShellPolicy {
  return {
    workspace: realpathSync(workspace),
    allowedCommands: settings.guard.allowedCommands,
    allowedHosts: settings.guard.allowedHosts,
    readDirs: settings.sandbox.readDirs.map(realFolder),
    writeDirs: settings.sandbox.writeDirs.map(realFolder),
    files: realFileLookup,
  };
}

/** The shell rules' verdict, and whether the command only reads. */
function judgeShell(policy: ShellPolicy, command: string): CommandJudgement {
  const files = filesNamedIn(policy, command);
  const { verdict, commands, changesFiles } = inspectCommand(policy, command);
  const secret = files.find((path) => isSecret(path.toLowerCase()));
  if (secret) return { ...deny("secrets", `${secret} holds secrets; only the owner opens it.`), readsOnly: false };
  if (verdict.verdict !== "allow")
    return { ...verdict, readsOnly: false, ...(verdict.rule === "steering files" && { lasting: true }) };
  const readsOnly = !changesFiles && (readingGit.test(command) || commands.isDisjointFrom(actingCommands));
  // the sandbox keeps these files from being changed, so a command that tries is asked about rather than left to fail
  const steering = readsOnly ? undefined : files.find((path) => isSteering(path.toLowerCase()));
  const judgement = steering
    ? askEachTime("steering files", `${steering} shapes how the assistant behaves from now on.`)
    : allow;
  return { ...judgement, readsOnly };
}

function filesNamedIn(policy: ShellPolicy, command: string): readonly string[] {
  const words = command.split(/[\s;|&<>(){}'"`$=,]+/).filter((word) => word !== "");
  const inside = words.map((word) =>
    word.startsWith(`${policy.workspace}/`) ? word.slice(policy.workspace.length + 1) : word,
  );
  const folders = inside.filter((path) => policy.files.lstat(join(policy.workspace, path)) === "folder").slice(0, 20);
  // a word may be meant from a folder that the command goes to first
  const meant = [...inside, ...folders.flatMap((folder) => inside.map((path) => join(folder, path)))];
  return [...new Set(meant)].filter((path) => policy.files.lstat(join(policy.workspace, path)) === "file");
}

function realFolder(path: string): string {
  const whole = resolve(path.startsWith("~/") ? join(homedir(), path.slice(2)) : path);
  return realFileLookup.realpath(whole) ?? whole;
}
