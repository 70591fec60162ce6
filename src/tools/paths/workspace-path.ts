import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { quoteName } from "./escape-text.ts";
import { orRefusal, type Refusal } from "./refusal.ts";

/** A path as parts below the workspace's real folder; nothing on the way has been looked at yet. */
export type Place = { root: string; parts: readonly string[] };

export async function findPlace(workspace: string, path: string): Promise<Place | Refusal> {
  const resolved = await orRefusal(`The workspace ${workspace} cannot be opened`, async () => ({
    root: await realpath(workspace),
  }));
  if ("refused" in resolved) return resolved;
  const relative = makeRelative(path, [resolve(workspace), resolved.root]);
  if (relative === undefined) return outside(path, workspace);
  return splitPath(relative, path, workspace, resolved.root);
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

function splitPath(relative: string, path: string, workspace: string, root: string): Place | Refusal {
  if (path === "") return { refused: "The path is empty: name a file or folder of the workspace." };
  if (path.includes("\0")) return { refused: `The path ${quoteName(path)} contains a NUL byte: leave it out.` };
  const parts = relative.split("/");
  if (parts.includes("..")) return outside(path, workspace);
  // a folder called "~" is never what was meant, and is dangerous to remove again
  if (parts[0] === "~") return outside(path, workspace);
  if (parts.includes("")) {
    return { refused: `The path ${quoteName(path)} has an empty part: write it without "//" or a "/" at the end.` };
  }
  return { root, parts: parts.filter((part) => part !== ".") };
}

function outside(path: string, workspace: string): Refusal {
  return {
    refused: `${quoteName(path)} lies outside the workspace ${workspace}: give a path below it, without "..".`,
  };
}
