import {
  gitFolder,
  memoryNames,
  obeyedByPrograms,
  secretFile,
  steeringNames,
} from "../../../contract/protected-names.ts";

/** No command may write, move or delete these, at any depth; the second name is what Windows disks call the first. */
const protectedNames = new Set([gitFolder.name, "git~1", ...obeyedByPrograms.map(({ name }) => name)]);
/** On top of the workspace these are for the owner and for the file tools, which judge what is written. */
const ownNames = new Set([secretFile, ...steeringNames, ...memoryNames].map(({ name }) => name.toLowerCase()));

/** What an interrupted git leaves behind; removing it is how people get going again. */
const gitLeftovers = /^\.git\/(?:[^/]+\.lock|refs\/.+\.lock|gc\.log|MERGE_[A-Z]+|rebase-merge|rebase-apply)$/;

/** The protected name in a path below a root, whether or not it exists yet; case does not count, as on a Mac's disk. */
export function protectedPart(relativePath: string, removing: boolean): string | undefined {
  const names = relativePath.split("/");
  const at = names.findIndex((name) => protectedNames.has(name.toLowerCase()));
  if (at < 0) return undefined;
  if (removing && gitLeftovers.test(names.slice(at).join("/"))) return undefined;
  return names.slice(0, at + 2).join("/");
}

/** The name by which a path below the workspace steers the assistant, is remembered by it or holds its secrets. */
export function ownPart(relativePath: string): string | undefined {
  const [first = ""] = relativePath.split("/");
  return ownNames.has(first.normalize("NFC").toLowerCase()) ? first : undefined;
}
