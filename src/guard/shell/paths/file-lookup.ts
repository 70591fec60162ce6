import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";

export type FileKind = "file" | "folder" | "link" | "other";

export type FileLookup = {
  /** The path with every symlink resolved, or undefined when nothing is there. */
  realpath(path: string): string | undefined;
  /** What lies at the path itself, links not followed. */
  lstat(path: string): FileKind | undefined;
  /** The names in a folder; none when it cannot be listed. */
  readdir(path: string): readonly string[];
};

export const realFileLookup: FileLookup = {
  realpath: (path) => ifThere(() => realpathSync.native(path)),
  lstat: (path) => ifThere(() => kindOf(lstatSync(path))),
  readdir: (path) => ifThere(() => readdirSync(path)) ?? [],
};

function kindOf(stats: Stats): FileKind {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? "file" : "other";
}

function ifThere<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    // missing, unreadable and looping paths look the same to the check: there is nothing it may rely on
    return undefined;
  }
}

/** Calls `visit` for everything below a folder, links not followed; false when there is more than the check will look at. */
export function walkTree(
  files: FileLookup,
  folder: string,
  visit: (relativePath: string, kind: FileKind | undefined) => void,
  skip: (relativePath: string) => boolean = () => false,
): boolean {
  let left = 20_000;
  const waiting = [""];
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    for (const name of files.readdir(inside ? `${folder}/${inside}` : folder)) {
      if (left-- <= 0) return false;
      const path = inside ? `${inside}/${name}` : name;
      const kind = files.lstat(`${folder}/${path}`);
      visit(path, kind);
      if (kind === "folder" && !skip(path)) waiting.push(path);
    }
  }
  return true;
}
