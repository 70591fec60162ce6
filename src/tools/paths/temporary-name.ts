import { randomBytes } from "node:crypto";

const pattern = /^\.steward-[0-9a-f]{32}\.tmp$/;

/** Unguessable, so that nobody can put a link or a file of their own in its place beforehand. */
export function newTemporaryName(): string {
  return `.steward-${randomBytes(16).toString("hex")}.tmp`;
}

export function isTemporaryName(name: string): boolean {
  return pattern.test(name);
}
