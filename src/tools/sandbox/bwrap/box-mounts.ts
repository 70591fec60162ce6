import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Protection } from "../stand-ins/stand-ins.ts";

/** By their places, with their options. */
export type Mounts = ReadonlyMap<string, readonly string[]>;

/** The kernel's own list for the box of this process. */
export function mountsOf(innerPid: number): Mounts {
  try {
    return mountsIn(readFileSync(`/proc/${innerPid}/mountinfo`, "utf8"));
  } catch {
    // a box whose mounts cannot be seen is not trusted
    return new Map();
  }
}

export function mountsIn(mountInfo: string): Mounts {
  return new Map(mountInfo.split("\n").map(readLine));
}

/**
 * Whether a box still has every protection in place. A protected file that was replaced or removed since the box was made
 * has taken its mount with it.
 */
export function holdsProtections(mounts: Mounts, workspace: string, protections: readonly Protection[]): boolean {
  return protections.every(({ kind, name }) => {
    const options = mounts.get(join(workspace, name));
    return options !== undefined && (kind === "writable" || options.includes("ro"));
  });
}

/** The fifth field is the place, in which spaces and the like are written as octal numbers; the sixth the options. */
function readLine(line: string): [place: string, options: readonly string[]] {
  const [, , , , place = "", options = ""] = line.split(" ");
  const bytes = place.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return [bytes, options.split(",")];
}
