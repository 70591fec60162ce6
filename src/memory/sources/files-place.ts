// Where the files of a memory lie: the place comes in, what is looked through there goes out, and which names are left alone.
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { foldName, isSecretName, obeyedByPrograms, steeringNames } from "../../contract/names/protected-names.ts";

export type FilesPlace = {
  /** The workspace, or the folder of a group. */
  folder: string;
  /** Further files and folders, of the owner's memory only. */
  extraPaths: readonly string[];
  /** Of a group: the whole path of the owner's GLOBAL.md, the one thing of theirs that it may know. */
  globalFile?: string;
};

/** One file, or all below a folder. */
export type FileSource = {
  root: string;
  /** From the root to it; no link is followed on the way. */
  parts: readonly string[];
  /** As it is shown: relative to the folder of the place, or the whole path of what lies beside it. */
  name: string;
  kind: "file" | "folder" | "either";
  /** Somebody has asked for it, and is told if it is not there. */
  isAskedFor: boolean;
  /** Members of a group have commands run there, which may lay anything in the place of a file. */
  isOfGroup: boolean;
};

const globalName = "GLOBAL.md";

export function sourcesOf({ folder, extraPaths, globalFile }: FilesPlace): readonly FileSource[] {
  const isOfGroup = globalFile !== undefined;
  const own = { root: folder, isAskedFor: false, isOfGroup };
  const file = (name: string): FileSource => ({ ...own, parts: [name], name, kind: "file" });
  return [
    ...[file("MEMORY.md"), file("USER.md")],
    // a file of this name in a group's own folder is nothing
    isOfGroup
      ? { ...file(globalName), root: dirname(globalFile), parts: [basename(globalFile)], isOfGroup: false }
      : file(globalName),
    { ...own, parts: ["memory"], name: "memory", kind: "folder" },
    ...(isOfGroup ? [] : extraPaths.map((path) => extraSource(folder, path))),
  ];
}

/** What is asked for outside the folder may be a link itself; what lies in the folder may not. */
function extraSource(folder: string, path: string): FileSource {
  const whole = resolve(
    folder,
    path.replace(/^~(?=\/|$)/, () => homedir()),
  );
  const below = relative(folder, whole);
  const extra = { kind: "either", isAskedFor: true, isOfGroup: false } as const;
  if (below !== ".." && !below.startsWith("../") && !isAbsolute(below))
    return { ...extra, root: folder, parts: splitPath(below), name: below };
  const real = realPathOf(whole);
  return { ...extra, root: dirname(real), parts: splitPath(basename(real)), name: whole };
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // whoever opens it is told why it cannot be
    return path;
  }
}

function splitPath(path: string): readonly string[] {
  return path === "" ? [] : path.split("/");
}

/** The way from the source to the file of this name; undefined: the source has none that is called so. */
export function partsBelow(source: FileSource, name: string): readonly string[] | undefined {
  if (name === source.name) return source.kind === "folder" ? undefined : [];
  const beginning = nameBelow(source, [""]);
  if (source.kind === "file" || !name.startsWith(beginning)) return undefined;
  const parts = name.slice(beginning.length).split("/");
  return parts.every((_, at) => !isLeftAlone(source, parts.slice(0, at + 1))) ? parts : undefined;
}

export function nameBelow({ name }: FileSource, parts: readonly string[]): string {
  const below = parts.join("/");
  if (name === "") return below;
  return name.endsWith("/") ? `${name}${below}` : [name, ...parts].join("/");
}

export function isMarkdown(name: string): boolean {
  return /\.md$/i.test(name);
}

const obeyed = new Set(obeyedByPrograms.map(({ name }) => foldName(name)));
const steering = new Set(steeringNames.map(({ name }) => foldName(name)));

/** By its last part: hidden, secret, obeyed by other programs, in the prompt anyway, or no name that a person could read. */
export function isLeftAlone(source: FileSource, parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? "";
  const folded = foldName(name);
  if (name === "" || name.startsWith(".") || folded === "node_modules" || obeyed.has(folded)) return true;
  if (isSecretName(name) || isSecretName(name, "folder") || /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(name))
    return true;
  return source.name === "" && parts.length === 1 && steering.has(folded) && name !== globalName;
}

/** Somebody has asked for a place of keys. */
export function isOfKeys({ root, parts }: FileSource): boolean {
  return (
    [...splitPath(root), ...parts].some((name) => isSecretName(name, "folder")) || isSecretName(parts.at(-1) ?? "")
  );
}

export function pathOf({ root, parts }: FileSource): string {
  return join(root, ...parts);
}
