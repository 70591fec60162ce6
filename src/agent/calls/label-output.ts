// Words that nobody vouches for are followed: from a tool's output into files, and from a file into whatever reads it.
import { lstat } from "node:fs/promises";
import { posix, resolve } from "node:path";
import type { BoundCall, ToolResult } from "../../contract/tool.ts";
import { insideWorkspace, lookAtPath, oneSpelling } from "../../guard/shell/paths/seen-path.ts";
import { fileLabels, fileTrust, labelledPaths } from "../../store/tables/trust.ts";
import type { TurnDeps } from "../turn-deps.ts";

type Done = Pick<ToolResult, "labels" | "quarantined" | "wrote" | "read" | "named" | "changes">;

/** What clings to what a call is going to read. It may move it or take it away, so this is looked up before it acts. */
export type LabelsBefore = {
  paths: ReadonlyMap<string, readonly string[]>;
  command: ReadonlySet<string>;
};

export async function labelsBefore(deps: TurnDeps, call: BoundCall): Promise<LabelsBefore> {
  const paths = new Map<string, readonly string[]>();
  for (const { path } of call.paths) paths.set(path, await labelsOfFile(deps, path));
  return { paths, command: await labelsOfCommand(deps, call.command) };
}

/** Whatever a call has read from elsewhere clings to its output: what the tool says, and what the files it read hold. */
export async function labelsOf(
  deps: TurnDeps,
  call: BoundCall | undefined,
  before: LabelsBefore | undefined,
  result: Done,
): Promise<string[]> {
  const labels = new Set(result.labels);
  if (!call || result.quarantined) return [...labels];
  const wrote = new Map(result.wrote?.map((file) => [file.path, file]));
  // a file that was written anew was not read
  for (const [path, found] of before?.paths ?? [])
    if (!wrote.get(path)?.replaced) for (const label of found) labels.add(label);
  for (const label of before?.command ?? []) labels.add(label);
  // somebody else may have changed meanwhile what it read
  const read = [...call.paths.map((use) => use.path).filter((path) => !wrote.has(path)), ...(result.read ?? [])];
  for (const path of read) for (const label of await labelsOfFile(deps, path)) labels.add(label);
  if (!before?.command.has(anyFile)) for (const label of await labelsOfCommand(deps, call.command)) labels.add(label);
  for (const label of await labelsOfNames(deps, result.named ?? [])) labels.add(label);
  return [...labels];
}

/** Of a command that may have read any file. */
export const anyFile = "command";

async function labelsOfCommand(deps: TurnDeps, command: string | undefined): Promise<ReadonlySet<string>> {
  const labels = new Set<string>();
  const named = command === undefined ? [] : await deps.guard.filesReadBy(command);
  if (named.length === 0) return labels;
  // whatever it reads, it may show names of any file as well
  for (const label of await fileLabels(deps.database, deps.group && placed(deps, ""))) labels.add(label);
  if (named === "anything") labels.add(anyFile);
  else for (const path of named) for (const label of await labelsOfFile(deps, path)) labels.add(label);
  return labels;
}

async function labelsOfNames(deps: TurnDeps, named: readonly string[]): Promise<readonly string[]> {
  if (named.length === 0) return [];
  const names = new Set(named.map((path) => oneSpelling(path)));
  const keys = new Set([...names].map((path) => placed(deps, path)));
  return (await labelledPaths(deps.database)).flatMap(({ path, labels }) => (keys.has(path) ? labels : []));
}

/** Whose words it may hold beside the owner's. */
export async function labelsOfFile(deps: TurnDeps, named: string): Promise<readonly string[]> {
  const path = insideWorkspace(named, deps.workspace);
  const trust = await fileTrust(deps.database, placed(deps, path));
  if (trust && trust.labels.length > 0) return trust.labels;
  const seen = lookAtPath(named, { workspace: deps.workspace });
  const { vouchedFor } = deps.settings.guard;
  // what the owner vouches for lies in their own workspace
  if (seen?.steering || seen?.note === "yes" || (!deps.group && isVouchedFor(vouchedFor, path))) return [];
  const stamp = await stampOf(deps, named);
  // a folder, or nothing there
  if (stamp === undefined) return [];
  return stamp !== unseen && stamp === trust?.stamp ? [] : [`file:${path}`];
}

/** As the file is called in the table: each group has names of its own. */
function placed({ group }: TurnDeps, path: string): string {
  return group && !path.startsWith("/") ? `groups/${group.name}:${path}` : path;
}

function isVouchedFor(vouchedFor: readonly string[], path: string): boolean {
  const places = vouchedFor.map((place) => oneSpelling(posix.normalize(place).replace(/\/$/, "")));
  // everything in the workspace, and nothing beside it
  return places.some(
    (place) => (place === "." && !path.startsWith("/")) || path === place || path.startsWith(`${place}/`),
  );
}

/**
 * The label follows the words into the file, and into the names of folders that were made for it. A file written by nobody
 * but the owner's wish is vouched for as it is now; of one that is gone nothing is known any more.
 */
export async function labelFiles(
  deps: TurnDeps,
  call: BoundCall | undefined,
  labels: readonly string[],
  { wrote = [], changes = [] }: Done,
) {
  // of what has changed while a command ran nobody knows who changed it
  if (labels.length === 0 && call?.command !== undefined) return [];
  const made = labels.length > 0 ? changes.filter(({ kind, before }) => kind === "folder" && before === null) : [];
  const gone = changes.filter(({ kind, after }) => kind === "file" && after === null);
  const files = [];
  for (const { path } of gone) files.push({ path: placed(deps, insideWorkspace(path, deps.workspace)), labels: [] });
  for (const { path } of [...made, ...wrote]) {
    const stamp = labels.length > 0 ? undefined : await stampOf(deps, path);
    const key = placed(deps, insideWorkspace(path, deps.workspace));
    files.push({ path: key, labels: [...labels], ...(stamp && { stamp }) });
  }
  return files;
}

/** In place of the stamp of a file that cannot be looked at. */
const unseen = "";

/** Changes with every change of the file, and cannot be set by whoever changes it. */
async function stampOf(deps: TurnDeps, path: string): Promise<string | undefined> {
  const found = await lstat(resolve(deps.workspace, path), { bigint: true }).catch((cause: NodeJS.ErrnoException) =>
    nothingThere.has(cause.code ?? "") ? undefined : unseen,
  );
  if (found === unseen) return unseen;
  return found?.isFile() ? `${found.ino}:${found.ctimeNs}` : undefined;
}

// the last is Node's own, for a name that no disk takes
const nothingThere = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "ERR_INVALID_ARG_VALUE"]);
