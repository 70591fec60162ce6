import { closeSync, constants, fstatSync, lchownSync, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

export type UserIds = { uid: number; gid: number };

/** Belongs to no range that distributions hand out; it needs no entry in the user list. */
export const sandboxUser: UserIds = { uid: 60_801, gid: 60_801 };

/**
 * Whom commands run as when Steward is root: the workspace's owner, or, where that is root, a user of our own to whom
 * the workspace is given. Root inside would still be root to the kernel, whatever the namespaces say.
 */
export function ownerForCommands(workspace: string, fallback: UserIds = sandboxUser): UserIds {
  const { uid, gid } = lstatSync(workspace);
  return uid === 0 ? fallback : { uid, gid };
}

/**
 * Gives what root owns in a folder to the user that commands run as. Goes by held descriptors: a command that swaps a
 * folder for a link meanwhile must not have root give away what the link points to.
 */
export function giveToOwner(folder: string, user: UserIds, depth = Number.POSITIVE_INFINITY): void {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const held = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    if (fstatSync(held).uid === 0) lchownSync(`/proc/self/fd/${held}/.`, user.uid, user.gid);
    giveEntries(held, user, depth);
  } finally {
    closeSync(held);
  }
}

function giveEntries(held: number, user: UserIds, depth: number): void {
  for (const name of readdirSync(`/proc/self/fd/${held}`)) {
    const path = join("/proc/self/fd", String(held), name);
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (!entry) continue;
    // a second name of a file may lie outside the workspace
    if (entry.uid === 0 && (entry.isDirectory() || entry.nlink === 1)) lchownSync(path, user.uid, user.gid);
    if (entry.isDirectory() && depth > 1) giveFolder(path, user, depth - 1);
  }
}

function giveFolder(path: string, user: UserIds, depth: number): void {
  try {
    giveToOwner(path, user, depth);
  } catch (error) {
    // removed or swapped for a link while we walked: there is nothing here to give
    if (!["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
