// Folders of the owner's that a group is given, stored by their real paths.
import type { GroupOptions } from "./group.ts";

export type GivenFolder = GroupOptions["sandbox"]["additionalMounts"][number];

/** Whether commands may be shown a folder, and its real path. */
export type CheckFolder = (path: string) => { kind: "allowed"; path: string } | { kind: "denied"; reason: string };

/** Why it cannot be had now: it is not there, or a link in its place would open another one. Undefined: it can. */
export function whyAway(check: CheckFolder, { hostPath }: GivenFolder): string | undefined {
  const checked = check(hostPath);
  if (checked.kind === "denied") return checked.reason;
  if (checked.path === hostPath.replace(/(?<=.)\/+$/, "")) return undefined;
  return `${hostPath} may not be shown to commands: it leads to another folder, or was given by another name. If that is right, take it from the group and give it again.`;
}
