// Folders that the owner has opened for writing, and whose permissions say otherwise to whoever commands run as.
import { statSync } from "node:fs";
import { ownerForCommands, type UserIds } from "../programs/workspace-owner.ts";

export type CommandFolders = { workspace: string; writeDirs: readonly string[] };

/** One sentence a folder, with what the owner can do about it. */
export function closedFolders({ workspace, writeDirs }: CommandFolders): readonly string[] {
  const ownUid = process.getuid?.();
  if (writeDirs.length === 0 || ownUid === undefined) return [];
  const user = ownUid === 0 ? ownerForCommands(workspace) : { uid: ownUid, gid: process.getgid?.() ?? -1 };
  return writeDirs.flatMap((folder) => closedTo(folder, user));
}

function closedTo(folder: string, user: UserIds): readonly string[] {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) return [`${folder} of sandbox.writeDirs is not there. Make it, or take it off the list.`];
  const { uid, gid, mode } = found;
  const bits = uid === user.uid ? 0o200 : gid === user.gid ? 0o020 : 0o002;
  if ((mode & bits) !== 0) return [];
  const give = `chown -R ${user.uid}:${user.gid} ${folder}`;
  return [
    `${folder} of sandbox.writeDirs cannot be written by commands: they run as user ${user.uid}, and it belongs to user ${uid}. The owner can give it to them: ${give}`,
  ];
}
