import { realpath, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { z } from "zod";
import { isRefusedVariable } from "../../contract/names/protected-names.ts";

const maxCommandLength = 100_000;
const maxFolderLength = 1_000;
const maxWaitMs = 120_000;
const usualWaitMs = 10_000;
const maxVariables = 20;
const maxValueLength = 1_000;
// these change how one command prints or what it builds for, and nothing that outlives it
const harmlessVariables = new Set(["NODE_ENV", "LANG", "LC_ALL", "TERM", "TZ"]);

// lengths are checked below: in the schema each would cost the model tokens in every request
export const ExecArguments = z
  .object({
    command: z.string().min(1),
    background: z.boolean().optional(),
    yieldMs: z.number().int().min(0).max(maxWaitMs).optional(),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
  })
  .superRefine((args, context) => {
    const tooLong =
      args.command.length > maxCommandLength ? [`command is longer than ${maxCommandLength} characters.`] : [];
    const problems = [...tooLong, ...folderProblems(args.cwd), ...variableProblems(args.env ?? {})];
    for (const message of problems) context.addIssue({ code: "custom", message });
  });
export type ExecArguments = z.infer<typeof ExecArguments>;

export function waitMsOf(args: ExecArguments): number {
  return args.background ? 0 : (args.yieldMs ?? usualWaitMs);
}

/**
 * What runs, word for word, and what the shell rules judge. They know one working folder and no environment, so both
 * stand in the command line: the folder takes effect there; the variables, which the sandbox sets, are named there.
 */
export function commandLineOf(args: ExecArguments): string {
  const folder = folderOf(args);
  const steps = [
    ...(variablesOf(args) === "" ? [] : [`${variablesOf(args)} true`]),
    ...(folder === "." ? [] : [`cd -- ${quote(folder)}`]),
  ];
  // in braces, so that nothing of it runs when the folder is gone
  return steps.length === 0 ? args.command : `${steps.join(" && ")} && {\n${args.command}\n}`;
}

export function approvalTextOf(args: ExecArguments): string {
  const folder = folderOf(args);
  const lines = [
    ...(folder === "." ? [] : [`in ${quote(folder)}`]),
    ...(variablesOf(args) === "" ? [] : [`with ${variablesOf(args)}`]),
    ...(args.background ? ["in the background"] : []),
  ];
  return lines.length === 0 ? args.command : `${args.command}\n[${lines.join(", ")}]`;
}

/** The words for a folder in which the command cannot start; nothing when it can. */
export async function refuseFolder(workspace: string, args: ExecArguments): Promise<string | undefined> {
  const folder = folderOf(args);
  const wanted = join(await realpath(workspace), folder);
  const real = await realpath(wanted).catch(() => undefined);
  // removed since it was resolved: refused like one that was never there
  const stats = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (!stats?.isDirectory()) return `The folder ${folder} is not there. Make it first, or leave cwd out.`;
  return real === wanted ? undefined : `The folder ${folder} is reached by a link. Give the path of the real folder.`;
}

export function folderOf(args: ExecArguments): string {
  return posix.normalize(`./${args.cwd ?? ""}`).replace(/\/+$/, "");
}

function variablesOf(args: ExecArguments): string {
  return Object.entries(args.env ?? {})
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join(" ");
}

function folderProblems(folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  const isOutside = folder.startsWith("/") || folder.startsWith("~") || folder.split("/").includes("..");
  if (isOutside) return [`cwd ${JSON.stringify(folder)} must be a path below the workspace, without "..".`];
  if (folder.length > maxFolderLength) return [`cwd is longer than ${maxFolderLength} characters.`];
  return /\p{Cc}/u.test(folder) ? ["cwd holds a control character: leave it out."] : [];
}

function variableProblems(variables: Readonly<Record<string, string>>): readonly string[] {
  const names = Object.keys(variables);
  const tooMany = names.length > maxVariables ? [`env may hold ${maxVariables} variables, not ${names.length}.`] : [];
  return [...tooMany, ...Object.entries(variables).flatMap(([name, value]) => variableProblem(name, value) ?? [])];
}

function variableProblem(name: string, value: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return `env: ${JSON.stringify(name)} is no name for a variable: use letters, digits and _.`;
  if (isRefusedVariable(name) && !harmlessVariables.has(name))
    return `env: ${name} steers which programs run, or how; it may not be set.`;
  if (value.length > maxValueLength) return `env: the value of ${name} is longer than ${maxValueLength} characters.`;
  return value.includes("\0") ? `env: the value of ${name} contains a NUL byte.` : undefined;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
