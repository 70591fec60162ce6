import { createHash } from "node:crypto";
import { basename } from "node:path";

/**
 * A group's containers are called after its folder. Two groups whose names read alike must not share a name, hence
 * the digest of the whole path.
 */
export function containerName(stewardHome: string, workspace: string): string {
  const readable = basename(workspace)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 24);
  return [installationName(stewardHome), readable, digestOf(workspace)].filter((part) => part !== "").join("-");
}

/** How the names of all containers of this installation begin, so that those a crash left behind are found. */
export function installationName(stewardHome: string): string {
  return `steward-${digestOf(stewardHome)}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
