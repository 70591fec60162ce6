import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { PathUse, Reach } from "../../contract/tool.ts";
import { quoteName } from "./escape-text.ts";
import { orRefusal, type Refusal } from "./refusal.ts";

/** A path as parts below a real folder; nothing on the way has been looked at yet. */
export type Place = {
  root: string;
  parts: readonly string[];
  /** Stands before the parts wherever the path is named; empty in the workspace. */
  prefix: string;
};

/** The path by which a place, or something on the way to it, is known. */
export function pathOf({ prefix, parts }: Place, upTo = parts.length): string {
  return prefix + parts.slice(0, upTo).join("/");
}

export async function findPlace(reach: Reach, path: string, access: PathUse["access"]): Promise<Place | Refusal> {
  const { workspace, readDirs = [], writeDirs = [] } = reach;
  for (const folder of access === "read" ? [...writeDirs, ...readDirs] : writeDirs) {
    // a relative path is one of the workspace
    const below = path.startsWith("/") ? makeRelative(path, [folder]) : undefined;
    if (below !== undefined) return splitPath(below, path, workspace, folder, `${folder}/`);
  }
  const resolved = await orRefusal(`The workspace ${workspace} cannot be opened`, async () => ({
    root: await realpath(workspace),
  }));
  if ("refused" in resolved) return resolved;
  const relative = makeRelative(path, [resolve(workspace), resolved.root]);
  if (relative === undefined) return outside(path, workspace);
  return splitPath(relative, path, workspace, resolved.root, "");
}

function makeRelative(path: string, roots: readonly string[]): string | undefined {
  if (!path.startsWith("/")) return path;
  for (const root of roots) {
    if (path === root) return ".";
    // with the separator: /w is no prefix of /w-evil
    const prefix = root.endsWith(sep) ? root : root + sep;
    if (path.startsWith(prefix)) return path.slice(prefix.length);
  }
  return undefined;
}

function splitPath(relative: string, path: string, workspace: string, root: string, prefix: string): Place | Refusal {
  if (path === "") return { refused: "The path is empty: name a file or folder of the workspace." };
  if (path.includes("\0")) return { refused: `The path ${quoteName(path)} contains a NUL byte: leave it out.` };
  const parts = relative.split("/");
  if (parts.includes("..")) return outside(path, workspace);
  // a folder called "~" is never what was meant, and is dangerous to remove again
  if (parts[0] === "~") return outside(path, workspace);
  if (parts.includes("")) {
    return { refused: `The path ${quoteName(path)} has an empty part: write it without "//" or a "/" at the end.` };
  }
  return { root, parts: parts.filter((part) => part !== "."), prefix };
}

function outside(path: string, workspace: string): Refusal {
  return {
    refused: `${quoteName(path)} lies outside the workspace ${workspace}: give a path below it, without "..".`,
  };
}
