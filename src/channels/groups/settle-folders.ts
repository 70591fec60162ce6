import type { CheckFolder, GivenFolder } from "../../contract/channel/given-folder.ts";
import { type GroupOptions, mountTarget } from "../../contract/channel/group.ts";
import { CallRefused } from "../../contract/wire/client.ts";

/** Each folder by its real path, or a refusal that says why one cannot be given. */
export function settleFolders(check: CheckFolder, wanted: GroupOptions, before?: GroupOptions): GroupOptions {
  const had = before?.sandbox.additionalMounts ?? [];
  const { additionalMounts } = wanted.sandbox;
  if (JSON.stringify(additionalMounts) === JSON.stringify(had)) return wanted;
  const settled = additionalMounts.map((folder) => {
    // what it had is never looked up anew: something else may lie there by now
    if (had.some(({ hostPath }) => hostPath === folder.hostPath)) return folder;
    const checked = check(folder.hostPath);
    if (checked.kind === "denied") throw new CallRefused("invalid", checked.reason);
    return { ...folder, hostPath: checked.path };
  });
  requireRoomForEach(settled);
  return { ...wanted, sandbox: { ...wanted.sandbox, additionalMounts: settled } };
}

function requireRoomForEach(folders: readonly GivenFolder[]): void {
  const targets = folders.map(mountTarget);
  const at = targets.find((target, index) =>
    targets.some((other, otherIndex) => otherIndex !== index && `${other}/`.startsWith(`${target}/`)),
  );
  if (at === undefined) return;
  throw new CallRefused(
    "invalid",
    `Two folders would lie at ${at} or below it. Give one of them another place for commands, on the page under Channels.`,
  );
}
