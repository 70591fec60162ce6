import type { FileKind, FileLookup } from "../policy.ts";

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
