import { closeSync, constants, fstatSync, lchownSync, lstatSync, openSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";

export type UserIds = { uid: number; gid: number };

/** Belongs to no range that distributions hand out; it needs no entry in the user list. */
export const sandboxUser: UserIds = { uid: 60_801, gid: 60_801 };

/**
 * Whom commands run as when Steward is root: the workspace's owner, or, where that is root, a user of our own to whom
 * the workspace is given. Root inside would still be root to the kernel, whatever the namespaces say.
 */
export function ownerForCommands(workspace: string): UserIds {
  const { uid, gid } = lstatSync(workspace);
  return uid === 0 ? sandboxUser : { uid, gid };
}

/** What was found in folders that have not changed since, by their numbers on the disk. */
export type KnownFolders = Map<string, { changedAtMs: number; folders: readonly string[] }>;

export type GivingScope = { depth?: number; known?: KnownFolders };

/** A folder that changed less than this ago may change again within what the disk's clock can tell apart. */
const settledAfterMs = 1_000;

/**
 * Gives what root owns in a folder to the user that commands run as. Goes by held descriptors: a command that swaps a
 * folder for a link meanwhile must not have root give away what the link points to.
 */
export function giveToOwner(folder: string, user: UserIds, scope: GivingScope = {}): void {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const held = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const found = fstatSync(held);
    if (found.uid === 0) lchownSync(`/proc/self/fd/${held}/.`, user.uid, user.gid);
    const folders = unchangedFolders(found, scope.known) ?? giveEntries(held, user);
    remember(found, folders, scope.known);
    const depth = scope.depth ?? Number.POSITIVE_INFINITY;
    if (depth > 1) for (const name of folders) giveFolder(entryPath(held, name), user, { ...scope, depth: depth - 1 });
  } finally {
    closeSync(held);
  }
}

/** Whatever comes into a folder changes its time; in one with the same time only the folders need another look. */
function unchangedFolders(found: Stats, known: KnownFolders | undefined): readonly string[] | undefined {
  const before = known?.get(numberOf(found));
  return before?.changedAtMs === found.ctimeMs ? before.folders : undefined;
}

function remember(found: Stats, folders: readonly string[], known: KnownFolders | undefined): void {
  const nowMs = performance.timeOrigin + performance.now();
  if (nowMs - found.ctimeMs > settledAfterMs) known?.set(numberOf(found), { changedAtMs: found.ctimeMs, folders });
}

function giveEntries(held: number, user: UserIds): string[] {
  return readdirSync(`/proc/self/fd/${held}`).filter((name) => {
    const path = entryPath(held, name);
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (!entry) return false;
    // a second name of a file may lie outside the workspace
    if (entry.uid === 0 && (entry.isDirectory() || entry.nlink === 1)) lchownSync(path, user.uid, user.gid);
    return entry.isDirectory();
  });
}

function giveFolder(path: string, user: UserIds, scope: GivingScope): void {
  try {
    giveToOwner(path, user, scope);
  } catch (error) {
    // removed or swapped for a link while we walked: there is nothing here to give
    if (!["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function entryPath(held: number, name: string): string {
  return join("/proc/self/fd", String(held), name);
}

function numberOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
