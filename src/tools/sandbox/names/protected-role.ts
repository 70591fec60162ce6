import {
  foldName,
  gitFolder,
  isRepositoryWith,
  isSecretName,
  obeyedByGit,
  obeyedByPrograms,
} from "../../../contract/names/protected-names.ts";

/** secret: must not be read. obeyed: must not be written. closed: nobody knows what is in it. */
export type ProtectedRole = "secret" | "obeyed" | "closed";

export type Entry = { name: string; isFolder: boolean };

const foldedNames = (names: readonly { name: string }[]) => new Set(names.map(({ name }) => foldName(name)));
const namesOfPrograms = foldedNames(obeyedByPrograms);
const namesOfGit = foldedNames(obeyedByGit);

/** What an entry of a folder is to the owner; most are nothing special. */
export function roleOf(
  folder: { isRepository: boolean; isInPackages: boolean },
  entry: Entry,
): ProtectedRole | undefined {
  if (isSecretName(entry.name, entry.isFolder ? "folder" : "file")) return "secret";
  const folded = foldName(entry.name);
  if (folder.isRepository && namesOfGit.has(folded)) return "obeyed";
  // a file or a link of this name leads git to another folder
  if (folded === gitFolder.name) return entry.isFolder ? undefined : "obeyed";
  // a package is code that the owner runs, whatever lies beside it
  return namesOfPrograms.has(folded) && !folder.isInPackages ? "obeyed" : undefined;
}

/** Packages are brought by the hundred, with whatever their makers left in them. */
export function isInPackages(path: string): boolean {
  return /(^|\/)node_modules\//.test(path);
}

/** Whether git takes a folder for a repository: by its name, or because it holds what one consists of. */
export function isRepository(name: string, entries: readonly Entry[]): boolean {
  if (foldName(name) === gitFolder.name) return true;
  return isRepositoryWith((piece) => entries.some((entry) => entry.name.toLowerCase() === piece.toLowerCase()));
}
