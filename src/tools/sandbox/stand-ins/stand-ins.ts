import {
  closeSync,
  constants,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  gitFolder,
  memoryNames,
  obeyedByGit,
  obeyedByPrograms,
  type ProtectedName,
  secretFile,
  steeringNames,
} from "../../../contract/names/protected-names.ts";
import { fileId } from "../names/file-id.ts";
import type { StandInStore } from "./stand-in-store.ts";

export type Protection =
  /** `id`: what is mounted over, where that is known; `folder`: what it was found in, which a command may move. */
  | { kind: "read-only" | "writable" | "hidden" | "hidden-folder"; name: string; id?: string; folder?: string }
  /** Shown in place of what is there; without `id` it is nothing that must be kept. */
  | { kind: "text"; name: string; text: string; id?: string; folder?: string };

export type StandIns = {
  /** What to mount over the workspace so that protected names, present or missing, cannot be changed. */
  place(
    workspace: string,
  ): { kind: "placed"; protections: readonly Protection[] } | { kind: "refused"; reason: string };
  /** Called once for each `place`; with the last one the stand-ins go. */
  release(workspace: string): void;
};

// A stand-in is known by this time stamp, so that what a crash left behind is recognised and nothing else is removed.
const markedSeconds = 1_000_000_007;
const markedMs = markedSeconds * 1000;
const longestStandIn = 3;

/**
 * A mount needs something to lie on, so a missing protected path exists on the host while commands run. Taking it
 * away under a running command would take its mount away too: the users of a workspace are counted. Whoever makes no
 * mounts ahead of time needs no store.
 */
export function openStandIns(store?: StandInStore): StandIns {
  const held = new Map<string, Held>();
  const steady = new Map<string, string>();
  return { place, release };

  function place(workspace: string): ReturnType<StandIns["place"]> {
    const { names } = take(workspace);
    const protections: Protection[] = [];
    const missing: string[] = [];
    const isRepository = hasRepository(workspace);
    const paths = [...ordinaryPaths, ...(isRepository ? gitPaths : [])];
    for (const path of paths) {
      const full = `${workspace}/${path.name}`;
      const found = lstatSync(full, { throwIfNoEntry: false });
      const problem = problemWith(path, found);
      if (problem) {
        release(workspace);
        return { kind: "refused", reason: `${full} ${problem}` };
      }
      const id = found ? fileId(found) : put(workspace, path);
      // one that is there already is another command's, or what a crash left behind
      if (!found || isStandIn(found)) {
        names.set(path.name, path);
        missing.push(path.name);
      }
      protections.push({ kind: kindOf(path, isRepository), name: path.name, id });
    }
    return { kind: "placed", protections: [...protections, ...(isRepository ? hideFromGit(workspace, missing) : [])] };
  }

  function take(workspace: string): Held {
    const mine = held.get(workspace) ?? { users: 0, names: new Map() };
    mine.users += 1;
    held.set(workspace, mine);
    return mine;
  }

  function release(workspace: string): void {
    const mine = held.get(workspace);
    if (!mine) return;
    mine.users -= 1;
    if (mine.users > 0) return;
    held.delete(workspace);
    takeAway(store, workspace, [...mine.names.values()].reverse());
  }

  /** Answers with what is then there. */
  function put(workspace: string, path: ProtectedName): string {
    const full = `${workspace}/${path.name}`;
    const isBrought = store?.bring(workspace, path.name) ?? false;
    const known = isBrought ? steady.get(full) : undefined;
    if (known !== undefined) return known;
    if (!isBrought) {
      // the one that was known has been cleared away
      steady.delete(full);
      make(full, path);
    }
    const found = lstatSync(full);
    // some file systems change the time of what is moved
    if (!isStandIn(found)) utimesSync(full, markedSeconds, markedSeconds);
    else if (isBrought) steady.set(full, fileId(found));
    return fileId(found);
  }
}

/** The stand-ins of a workspace and how many commands need them. */
type Held = { users: number; names: Map<string, ProtectedName> };

// Each costs time with every command. What has none is set aside when a command makes it, as further down; shells obey
// theirs in a home folder only, which a workspace never is.
const withoutStandIn = [
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile"],
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"],
  ...[".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".idea", ".cursor", ".husky", ".devcontainer"],
  ...[".devcontainer.json", ".pre-commit-config.yaml", ".cursorrules", ".gemini", ".codex", ".hg"],
  ...["CLAUDE.md", "GEMINI.md"],
];
const plainNames: readonly ProtectedName[] = [
  ...obeyedByPrograms.filter(({ name }) => !withoutStandIn.includes(name)),
  ...[...steeringNames, ...memoryNames, secretFile],
];
const ordinaryPaths: readonly ProtectedName[] = [...plainNames, gitFolder];

const gitPaths: readonly ProtectedName[] = obeyedByGit.map((path) => ({
  ...path,
  name: join(gitFolder.name, path.name),
}));

/** What is covered here; the rest of the workspace is looked through. */
export const standInNames: ReadonlySet<string> = new Set([...ordinaryPaths, ...gitPaths].map(({ name }) => name));

/** What stands in a missing file of this name. */
export function standInText(name: string): string {
  return [...ordinaryPaths, ...gitPaths].find((path) => path.name === name)?.standIn ?? "";
}

function hasRepository(workspace: string): boolean {
  const path = join(workspace, gitFolder.name);
  const git = lstatSync(path, { throwIfNoEntry: false });
  return git?.isDirectory() === true && !standsIn(path, git);
}

function problemWith(path: ProtectedName, found: Stats | undefined): string | undefined {
  if (!found) return undefined;
  // a mount would land on the link's target and leave the link itself free to be replaced
  if (found.isSymbolicLink())
    return "is a symbolic link, which cannot be protected: put the file or folder itself there. Commands are off until then.";
  const fits = path.kind === "file" ? found.isFile() : found.isDirectory() || path.name === gitFolder.name;
  return fits ? undefined : `should be a ${path.kind}: move it away. Commands are off until then.`;
}

/** Git would list the stand-ins as new files, and `git add -A` would take them in. */
function hideFromGit(workspace: string, missing: readonly string[]): Protection[] {
  const name = join(gitFolder.name, "info", "exclude");
  const names = plainNames.filter((path) => missing.includes(path.name));
  const found = lstatSync(`${workspace}/${name}`, { throwIfNoEntry: false });
  if (names.length === 0 || !found?.isFile()) return [];
  const own = readFileSync(`${workspace}/${name}`, "utf8");
  return [{ kind: "text", name, text: `${own}\n${names.map((path) => `/${path.name}\n`).join("")}` }];
}

function kindOf(path: ProtectedName, isRepository: boolean): "read-only" | "writable" | "hidden" {
  if (path.name === secretFile.name) return "hidden";
  // mounted on itself so that it cannot be renamed away with the protected names in it
  if (path.name === gitFolder.name && isRepository) return "writable";
  return "read-only";
}

function make(full: string, path: ProtectedName): void {
  if (path.kind === "folder") {
    mkdirSync(full, { mode: 0o755 });
    utimesSync(full, markedSeconds, markedSeconds);
    return;
  }
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  const descriptor = openSync(full, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o644);
  try {
    if (path.standIn !== "") writeSync(descriptor, path.standIn);
    futimesSync(descriptor, markedSeconds, markedSeconds);
  } finally {
    closeSync(descriptor);
  }
}

function takeAway(store: StandInStore | undefined, workspace: string, paths: readonly ProtectedName[]): void {
  for (const path of paths) {
    const full = `${workspace}/${path.name}`;
    const found = lstatSync(full, { throwIfNoEntry: false });
    if (!found || !isUnused(full, path, found) || store?.keep(workspace, path.name)) continue;
    if (found.isDirectory()) rmdirSync(full);
    else unlinkSync(full);
  }
}

/** Still as it was put there: whatever an owner has written into it since is the owner's. */
function isUnused(full: string, path: ProtectedName, found: Stats): boolean {
  if (!standsIn(full, found)) return false;
  return found.isDirectory() || (found.isFile() && found.size === path.standIn.length);
}

/** A folder that commands write to can be given the mark by them, but not be emptied of what it protects. */
export function standsIn(full: string, found: Stats): boolean {
  return isStandIn(found) && (!found.isDirectory() || readdirSync(full).length === 0);
}

export function isStandIn(found: Stats): boolean {
  return found.mtimeMs === markedMs && (found.isDirectory() || found.size <= longestStandIn);
}
