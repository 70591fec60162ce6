import type { Dirent } from "node:fs";
import { isTemporaryName } from "./temporary-name.ts";

// large, and seldom what is looked for
const usuallySkipped = new Set([".git", "node_modules"]);

export function isSkipped(entry: Dirent, named: readonly string[]): boolean {
  if (entry.isDirectory()) return usuallySkipped.has(entry.name) && !named.includes(entry.name);
  return isSecretName(entry.name) || isTemporaryName(entry.name);
}

/** Keys and passwords of the owner; compared without case, because some file systems do not tell cases apart. */
export function isSecretName(name: string): boolean {
  return name.normalize("NFC").toLowerCase() === ".env";
}
