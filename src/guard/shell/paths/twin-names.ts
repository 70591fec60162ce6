import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { type FileLookup, walkTree } from "./file-lookup.ts";
import { ownPart, protectedPart, secretPart } from "./protected-paths.ts";
import { isInside, pathBelow } from "./real-path.ts";

/** Whether another folder or file lies over something in the workspace; where the system does not tell, it may. */
export function hasMountsInside(workspace: string): boolean {
  try {
    const mounts = readFileSync("/proc/self/mountinfo", "utf8");
    return mounts.includes(` ${workspace.replaceAll(/[\s\\]/g, escapeOctal)}/`);
  } catch {
    // only Linux has it
    return true;
  }
}

function escapeOctal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

/** none: no other name. unknown: there are others, and more files than the check will look at. */
export type Twin = { kind: "none" | "unknown" } | { kind: "found"; path: string };

const mostNames = 5_000;

/**
 * A protected place below the root that is the same file or folder as this one, or one it lies in, under a name that says
 * nothing of it: a hard link, or a folder mounted twice.
 */
export function protectedTwin(files: FileLookup, root: string, place: string, hasMounts: boolean): Twin {
  const own = files.facts(place);
  const hasLinks = own?.kind === "file" && own.links > 1;
  if ((!hasLinks && !hasMounts) || !isInside(root, place) || place === root) return { kind: "none" };
  const ids = new Set<string>();
  for (let at = place; at !== root; at = posix.dirname(at)) {
    const id = files.facts(at)?.id;
    if (id !== undefined) ids.add(id);
  }
  const [top] = pathBelow(root, place).split("/", 1);
  const path = files
    .readdir(root)
    .find((name) => name !== top && isProtected(name) && ids.has(files.facts(`${root}/${name}`)?.id ?? ""));
  if (path !== undefined) return { kind: "found", path };
  return hasLinks ? searchBelow(files, root, own.id) : { kind: "none" };
}

function searchBelow(files: FileLookup, root: string, id: string): Twin {
  let found: string | undefined;
  const complete = walkTree(
    files,
    root,
    (path) => {
      if (found === undefined && isProtected(path) && files.facts(`${root}/${path}`)?.id === id) found = path;
    },
    // packages and git share the files of their stores, and nothing of the owner's lies there
    (path) => /(?:^|\/)(?:node_modules|\.git\/objects)$/.test(path),
    mostNames,
  );
  if (found !== undefined) return { kind: "found", path: found };
  return { kind: complete ? "none" : "unknown" };
}

function isProtected(path: string): boolean {
  return Boolean(secretPart(path) ?? protectedPart(path, false) ?? ownPart(path));
}
