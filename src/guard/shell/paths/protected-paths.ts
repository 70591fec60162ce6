import {
  foldName,
  gitFolder,
  isRepositoryWith,
  isSecretName,
  memoryNames,
  obeyedByGit,
  obeyedByPrograms,
  repositorySigns,
  steeringNames,
} from "../../../contract/names/protected-names.ts";

const foldedNames = (names: readonly { name: string }[]) => new Set(names.map(({ name }) => name.toLowerCase()));

/** No command may write, move or delete these, at any depth. */
const obeyedNames = foldedNames([gitFolder, ...obeyedByPrograms]);
/** What old disks call them beside their names: the first letters, without dots and with a number (`GIT~1`). */
const shortNames = new Set([...obeyedNames].map((name) => name.replaceAll(".", "").slice(0, 6)));
/** On top of the workspace these are for the owner and for the file tools, which judge what is written. */
const ownNames = foldedNames([...steeringNames, ...memoryNames]);
const namesObeyedByGit = foldedNames(obeyedByGit);
const piecesOfRepositories = new Set(repositorySigns.flat().map((name) => name.toLowerCase()));

/** What an interrupted git leaves behind; removing it is how people get going again. */
const gitLeftovers = /^\.git\/(?:[^/]+\.lock|refs\/.+\.lock|gc\.log|MERGE_[A-Z]+|rebase-merge|rebase-apply)$/;

/** How every name of the tables for any depth, and every spelling that folds to one, begins, or else shows itself. */
const mayBeNamedSo = /(?:^|\/)(?:[._#]|id_|claude|gemini)|~\d|[^ -~]/i;

/** The protected name in a path below a root, whether or not it exists yet. */
export function protectedPart(relativePath: string, removing: boolean): string | undefined {
  if (!mayBeNamedSo.test(relativePath)) return undefined;
  const names = relativePath.split("/");
  const at = names.findIndex((name) => isObeyed(foldName(name)));
  if (at < 0) return undefined;
  if (removing && gitLeftovers.test(names.slice(at).join("/"))) return undefined;
  return names.slice(0, at + 2).join("/");
}

function isObeyed(folded: string): boolean {
  const short = /^(.{1,6})~\d/.exec(folded)?.[1];
  return obeyedNames.has(folded) || (short !== undefined && shortNames.has(short));
}

/** The name by which a path below the workspace steers the assistant or is remembered by it. */
export function ownPart(relativePath: string): string | undefined {
  const [first = ""] = relativePath.split("/");
  return ownNames.has(foldName(first)) ? first : undefined;
}

/** The part of a path that holds keys or passwords: a folder for them, or the file at its end. */
export function secretPart(relativePath: string): string | undefined {
  if (!mayBeNamedSo.test(relativePath)) return undefined;
  const names = relativePath.split("/");
  const at = names.findIndex((name, index) => isSecretName(name, index < names.length - 1 ? "folder" : "file"));
  return at < 0 ? undefined : names.slice(0, at + 1).join("/");
}

/**
 * The part of a path by which a folder that is called anything but `.git` is a repository or becomes one: git obeys its
 * config and hooks too. `willBeThere` knows what comes into being along with it.
 */
export function repositoryPart(
  relativePath: string,
  isThere: (path: string) => boolean,
  willBeThere = isThere,
): string | undefined {
  const names = relativePath.split("/");
  for (const [at, name] of names.entries()) {
    const folded = foldName(name);
    const isObeyed = namesObeyedByGit.has(folded);
    const isPiece = piecesOfRepositories.has(folded);
    if (!isPiece && !isObeyed) continue;
    const beside = names.slice(0, at);
    // what git itself writes into a repository that is whole already is its own affair
    if (!isObeyed && isThere([...beside, name].join("/"))) continue;
    const isOne = isRepositoryWith(
      (piece) => piece.toLowerCase() === folded || willBeThere([...beside, piece].join("/")),
    );
    if (isOne) return names.slice(0, at + 1).join("/");
  }
  return undefined;
}
