// Words that nobody vouches for are followed: from a tool's output into files, and from a file into whatever reads it.
import { lstat } from "node:fs/promises";
import { posix, resolve } from "node:path";
import type { BoundCall, ToolResult } from "../contract/tool.ts";
import { insideWorkspace, lookAtPath, oneSpelling } from "../guard/shell/paths/seen-path.ts";
import { fileLabels, fileTrust, labelledPaths } from "../store/tables/trust.ts";
import type { TurnDeps } from "./turn-deps.ts";

type Done = Pick<ToolResult, "labels" | "quarantined" | "wrote" | "read" | "named" | "changes">;

/** Whatever a call has read from elsewhere clings to its output: what the tool says, and what the files it read hold. */
export async function labelsOf(deps: TurnDeps, call: BoundCall | undefined, result: Done): Promise<string[]> {
  const labels = new Set(result.labels);
  if (!call || result.quarantined) return [...labels];
  // a file that was written anew was not read
  const replaced = new Set(result.wrote?.filter((file) => file.replaced).map((file) => file.path));
  const read = [...call.paths.map((use) => use.path).filter((path) => !replaced.has(path)), ...(result.read ?? [])];
  if (call.command !== undefined) {
    // a command may have read any file, so it counts as having read them all
    for (const label of await fileLabels(deps.database)) labels.add(label);
    const named = await deps.guard.filesReadBy(call.command);
    if (named === "anything") labels.add("command");
    else read.push(...named);
  }
  for (const path of read) for (const label of await labelsOfFile(deps, path)) labels.add(label);
  for (const label of await labelsOfNames(deps, result.named ?? [])) labels.add(label);
  return [...labels];
}

async function labelsOfNames(deps: TurnDeps, named: readonly string[]): Promise<readonly string[]> {
  if (named.length === 0) return [];
  const names = new Set(named.map((path) => oneSpelling(path)));
  return (await labelledPaths(deps.database)).flatMap(({ path, labels }) => (names.has(path) ? labels : []));
}

async function labelsOfFile(deps: TurnDeps, named: string): Promise<readonly string[]> {
  const path = insideWorkspace(named, deps.workspace);
  const trust = await fileTrust(deps.database, path);
  if (trust && trust.labels.length > 0) return trust.labels;
  const seen = lookAtPath(named, deps.workspace);
  if (seen?.steering || seen?.note === "yes" || isVouchedFor(deps.settings.guard.vouchedFor, path)) return [];
  const stamp = await stampOf(deps, named);
  // a folder, or nothing there
  if (stamp === undefined) return [];
  return stamp === trust?.stamp ? [] : [`file:${path}`];
}

function isVouchedFor(vouchedFor: readonly string[], path: string): boolean {
  const places = vouchedFor.map((place) => oneSpelling(posix.normalize(place).replace(/\/$/, "")));
  return places.some((place) => place === "." || path === place || path.startsWith(`${place}/`));
}

/** The label follows the words into the file, and into the names of folders that were made for it; a file written anew by nobody but the owner's wish is vouched for as it is now. */
export function labelFiles(deps: TurnDeps, labels: readonly string[], result: Done) {
  const isLabelled = labels.length > 0;
  const files = (result.wrote ?? []).filter((file) => isLabelled || file.replaced);
  const made = (result.changes ?? []).filter(({ kind, before }) => isLabelled && kind === "folder" && before === null);
  return Promise.all(
    [...files, ...made].map(async (file) => {
      const path = insideWorkspace(file.path, deps.workspace);
      const stamp = isLabelled ? undefined : await stampOf(deps, file.path);
      return { path, labels: [...labels], ...(stamp !== undefined && { stamp }) };
    }),
  );
}

/** Changes with every change of the file, and cannot be set by whoever changes it. */
async function stampOf(deps: TurnDeps, path: string): Promise<string | undefined> {
  const found = await lstat(resolve(deps.workspace, path), { bigint: true }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return undefined;
    throw cause;
  });
  return found?.isFile() ? `${found.ino}:${found.ctimeNs}` : undefined;
}
