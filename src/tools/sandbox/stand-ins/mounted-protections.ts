import { join } from "node:path";
import type { Protection } from "./stand-ins.ts";

/**
 * Whether a box still has every protection in place, judged by the kernel's own list of its mounts. A protected file
 * that was replaced or removed since the box was made has taken its mount with it.
 */
export function holdsProtections(mountInfo: string, workspace: string, protections: readonly Protection[]): boolean {
  const mounts = new Map(mountInfo.split("\n").map(readLine));
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
