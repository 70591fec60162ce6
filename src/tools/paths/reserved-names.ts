import { randomBytes } from "node:crypto";
import type { Dirent } from "node:fs";
import { isSecretName } from "../../contract/names/protected-names.ts";

// large, and seldom what is looked for
const usuallySkipped = new Set([".git", "node_modules"]);

export function isSkipped(entry: Dirent, named: readonly string[]): boolean {
  if (entry.isDirectory())
    return isSecretName(entry.name, "folder") || (usuallySkipped.has(entry.name) && !named.includes(entry.name));
  return isSecretName(entry.name) || isTemporaryName(entry.name);
}

const temporaryPattern = /^\.steward-[0-9a-f]{32}\.tmp$/;

/** Unguessable, so that nobody can put a link or a file of their own in its place beforehand. */
export function newTemporaryName(): string {
  return `.steward-${randomBytes(16).toString("hex")}.tmp`;
}

export function isTemporaryName(name: string): boolean {
  return temporaryPattern.test(name);
}
