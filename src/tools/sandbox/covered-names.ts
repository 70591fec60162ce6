// What lies in a folder that the owner has opened beside the workspace and is still not for commands: keys are covered, and what
// other programs obey cannot be changed. What a command newly makes there is its own.
import { type Dirent, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Mount } from "./mount-rules.ts";
import { type Entry, isRepository, type ProtectedRole, roleOf } from "./names/protected-role.ts";

// a command waits for this
const mostNames = 20_000;
const nothing = "/dev/null";

export function coveredNames({ source, target, access }: Mount): readonly Mount[] {
  const mounts: Mount[] = [];
  let seen = 0;
  look("", false);
  return mounts;

  function look(inside: string, isSecret: boolean): void {
    const found = entriesOf(join(source, inside));
    seen += found.length;
    if (seen > mostNames) return;
    const entries = found.map((entry): Entry => ({ name: entry.name, isFolder: entry.isDirectory() }));
    const folder = { isRepository: isRepository(basename(join(source, inside)), entries), isInPackages: false };
    for (const entry of entries) {
      const path = join(inside, entry.name);
      const role = isSecret ? "secret" : roleOf(folder, entry);
      if (entry.isFolder && role !== "obeyed" && entry.name !== "node_modules") look(path, role === "secret");
      else cover(path, role);
    }
  }

  function cover(path: string, role: ProtectedRole | undefined): void {
    const at = { target: join(target, path), access: "read" as const };
    if (role === "secret") mounts.push({ source: nothing, ...at });
    else if (role !== undefined && access === "write") mounts.push({ source: join(source, path), ...at });
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    // a link is not followed: what it leads to is not in the box
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() || entry.isDirectory());
  } catch {
    // whoever cannot look into it here cannot in the box either
    return [];
  }
}
