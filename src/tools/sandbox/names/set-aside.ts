import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
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
import { gitConfigRunsPrograms } from "../../../contract/git-config.ts";
import { foldName } from "../../../contract/protected-names.ts";
import { beneathDescriptor, noFollow } from "../../paths/held-folder.ts";
import { errorCode } from "../../paths/refusal.ts";
import { standInText } from "../stand-ins/stand-ins.ts";
import { asBytePath, type BytePath, below, bytePath, bytesOf, folderOf, textOf } from "./byte-path.ts";
import type { FoundName } from "./name-index.ts";
import type { ProtectedRole } from "./protected-role.ts";

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | noFollow;
// Linux: O_PATH, which names a folder that may not be read; Node does not name it
const byName = process.platform === "linux" ? 0o10000000 | constants.O_DIRECTORY | noFollow : folderFlags;
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
    if (mayStay(held, name)) return { kind: "harmless" };
    if (role === "closed") openUp(held, name);
    const to = below(bytePath(folder), path);
    mkdirSync(bytesOf(folderOf(to)), { recursive: true, mode: 0o700 });
    move(at(held, name), bytesOf(to));
    return { kind: "set aside", to: textOf(to) };
  } catch (error) {
    // taken away or swapped meanwhile: the next look finds what is there then
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "")) return { kind: "gone" };
    throw error;
  } finally {
    if (held) closeSync(held.descriptor);
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

/** A folder that nobody may enter cannot be moved either. */
function openUp(held: Held, name: string): void {
  const folder = openSync(at(held, name), byName);
  try {
    chmodSync(`/proc/self/fd/${folder}`, 0o700);
  } finally {
    closeSync(folder);
  }
}

function move(from: Buffer, to: Buffer): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    // to another disk
    cpSync(from.toString(), to.toString(), { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true });
  }
}
