import { statSync } from "node:fs";
import { join } from "node:path";

/** Where a system's package manager puts programs; PATH is not asked, since a workspace could stand in it. */
export const trustedFolders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"] as const;

export type FoundProgram = { kind: "found"; path: string } | { kind: "missing" } | { kind: "unsafe"; reason: string };

/** The first such program in the folders that only root can have put there. */
export function findTrustedProgram(name: string, folders: readonly string[] = trustedFolders): FoundProgram {
  for (const folder of folders) {
    const path = join(folder, name);
    const file = statSync(path, { throwIfNoEntry: false });
    if (!file?.isFile()) continue;
    for (const place of [path, folder]) {
      const { uid, mode } = statSync(place);
      if (uid !== 0) return { kind: "unsafe", reason: `${place} does not belong to root, so ${path} is not trusted` };
      if (mode & 0o022)
        return { kind: "unsafe", reason: `${place} can be written by others, so ${path} is not trusted` };
    }
    return { kind: "found", path };
  }
  return { kind: "missing" };
}

export function programPath(name: string, folders?: readonly string[]): string | undefined {
  const found = findTrustedProgram(name, folders);
  return found.kind === "found" ? found.path : undefined;
}
