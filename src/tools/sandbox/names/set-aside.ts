import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename } from "node:path";
import { reasonOf } from "../../../contract/failure.ts";
import { gitConfigRunsPrograms } from "../../../contract/names/git-config.ts";
import { foldName } from "../../../contract/names/protected-names.ts";
import { beneathDescriptor, noFollow } from "../../paths/held-folder.ts";
import { errorCode } from "../../paths/refusal.ts";
import { standInText } from "../stand-ins/stand-ins.ts";
import { asBytePath, type BytePath, below, bytePath, bytesOf, textOf } from "./byte-path.ts";
import type { FoundName } from "./name-index.ts";
import type { ProtectedRole } from "./protected-role.ts";

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | noFollow;
// Linux: O_PATH, which names what may not be read; Node does not name it
const isLinux = process.platform === "linux";
const byName = isLinux ? 0o10000000 | noFollow : constants.O_RDONLY | constants.O_NONBLOCK | noFollow;
const allModes = 0o7777;
const ownerMode = { folder: 0o700, file: 0o600 };
const longestConfig = 65_536;

/** harmless: it may stay. gone: it is no longer there. Otherwise where it has been moved to. */
export type Judged = { kind: "harmless" | "gone" } | { kind: "set aside"; to: string };

/** Moves what a command has made and other programs would run or obey out of the workspace, unless it says nothing that could. */
export function setAside(workspace: string, folder: string, found: FoundName): Judged {
  return moveOut(workspace, folder, found, (held, name) => isHarmless(held, name, found));
}

/** Moves out what the owner has saved and a command may have changed, unless it holds nothing of anybody's. */
export function setTouchedAside(workspace: string, folder: string, path: BytePath): Judged {
  return moveOut(workspace, folder, { path }, (held, name) => isBlank(held, name, standInText(path)));
}

/** Goes by held descriptors: a command that still runs may swap any folder on the way for a link. */
function moveOut(
  workspace: string,
  folder: string,
  { path, role }: { path: BytePath; role?: ProtectedRole },
  mayStay: (held: Held, name: string) => boolean,
): Judged {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  let held: Held | undefined;
  try {
    held = hold(Buffer.from(workspace), workspace);
    for (const part of parts) {
      const next = hold(at(held, part), `${held.path}/${part}`);
      closeSync(held.descriptor);
      held = next;
    }
    if (unlessShut(held, name, mayStay)) return { kind: "harmless" };
    // flat: the whole path might be longer there than the disk takes
    const to = below(bytePath(folder), name);
    makeFolder(folder);
    move(held, name, bytesOf(to), role === "closed");
    return { kind: "set aside", to: textOf(to) };
  } catch (error) {
    // taken away or swapped meanwhile: the next look finds what is there then
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "")) return { kind: "gone" };
    throw error;
  } finally {
    if (held) closeSync(held.descriptor);
  }
}

/** Its errors are told apart from those of the workspace, where a name may just have gone. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Error(`${folder} cannot be made: ${reasonOf(cause)}`, { cause });
  }
}

type Held = { descriptor: number; path: string };

function hold(folder: Buffer, path: string): Held {
  return { descriptor: openSync(folder, folderFlags), path };
}

function at({ descriptor, path }: Held, name: string): Buffer {
  return bytesOf(asBytePath(beneathDescriptor(descriptor, path, name)));
}

function isHarmless(held: Held, name: string, { kind, role }: FoundName): boolean {
  if (kind === "link" || role === "closed") return false;
  if (kind === "folder") {
    const inside = readdirSync(at(held, name), { encoding: "latin1" });
    // git brings examples of hooks, which it does not run under these names
    return inside.every((entry) => foldName(name) === "hooks" && entry.endsWith(".sample"));
  }
  return withFile(held, name, (file, { size }) => {
    if (size === undefined || size > longestConfig) return false;
    if (size === 0) return true;
    return isGitConfig(name) && gitConfigRunsPrograms(readText(file, size)).length === 0;
  });
}

/** Nothing, or what a stand-in says, which every reader takes for nothing. */
function isBlank(held: Held, name: string, standIn: string): boolean {
  const stats = lstatSync(at(held, name));
  if (!stats.isFile()) return stats.isDirectory() && readdirSync(at(held, name)).length === 0;
  return withFile(
    held,
    name,
    (file, { size }) => size === 0 || (size === standIn.length && readText(file, size) === standIn),
  );
}

/** `size`: of a plain file. */
function withFile<T>(held: Held, name: string, use: (file: number, found: { size: number | undefined }) => T): T {
  // a pipe would hang whoever opens it
  const file = openSync(at(held, name), constants.O_RDONLY | noFollow | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    return use(file, { size: stats.isFile() ? stats.size : undefined });
  } finally {
    closeSync(file);
  }
}

function isGitConfig(name: string): boolean {
  return ["config", "config.worktree"].includes(foldName(basename(name)));
}

function readText(file: number, size: number): string {
  const bytes = Buffer.alloc(size);
  return bytes.toString("utf8", 0, readSync(file, bytes));
}

/** What nobody may read says nobody knows what. */
function unlessShut(held: Held, name: string, mayStay: (held: Held, name: string) => boolean): boolean {
  try {
    return mayStay(held, name);
  } catch (error) {
    if (errorCode(error) === "EACCES") return false;
    throw error;
  }
}

function move(held: Held, name: string, to: Buffer, isShut: boolean): void {
  try {
    if (isShut) openUp(held, name);
    renameSync(at(held, name), to);
  } catch (error) {
    if (!["EACCES", "EPERM", "EXDEV"].includes(errorCode(error) ?? "")) throw error;
    withWritable(held, () => moveOpened(held, name, to));
  }
}

/** A command may have taken away everybody's right to move things out of the folder. */
function withWritable(held: Held, act: () => void): void {
  const mode = fstatSync(held.descriptor).mode & allModes;
  const wanted = mode | ownerMode.folder;
  if (wanted !== mode) fchmodSync(held.descriptor, wanted);
  try {
    act();
  } finally {
    if (wanted !== mode) fchmodSync(held.descriptor, mode);
  }
}

function moveOpened(held: Held, name: string, to: Buffer): void {
  openUp(held, name);
  try {
    renameSync(at(held, name), to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    // to another disk, for which all that is in it must be read, and then removed
    openUpWhole(held, name);
    cpSync(at(held, name).toString(), to.toString(), { recursive: true, verbatimSymlinks: true });
    rmSync(at(held, name), { recursive: true });
  }
}

function openUpWhole(held: Held, name: string): void {
  openUp(held, name);
  if (!lstatSync(at(held, name)).isDirectory()) return;
  const inside = hold(at(held, name), `${held.path}/${name}`);
  try {
    for (const entry of readdirSync(at(inside, "."), { encoding: "latin1" })) openUpWhole(inside, entry);
  } finally {
    closeSync(inside.descriptor);
  }
}

/** What its owner may not read or enter can be neither copied nor, if it is a folder, moved. */
function openUp(held: Held, name: string): void {
  const found = openSync(at(held, name), byName);
  try {
    const stats = fstatSync(found);
    // a link has no mode of its own
    if (stats.isSymbolicLink()) return;
    const mode = stats.mode & allModes;
    const wanted = mode | (stats.isDirectory() ? ownerMode.folder : ownerMode.file);
    if (wanted === mode) return;
    if (isLinux) chmodSync(`/proc/self/fd/${found}`, wanted);
    else fchmodSync(found, wanted);
  } finally {
    closeSync(found);
  }
}
