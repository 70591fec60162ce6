import type { Stats } from "node:fs";

/**
 * Which file or folder it is, wherever it is moved to. A number alone does not tell: a disk gives that of a file which was
 * just removed to the next one.
 */
export function fileId({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev}:${ino}:${birthtimeMs}`;
}
