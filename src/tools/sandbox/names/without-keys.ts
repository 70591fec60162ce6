import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { foldName } from "../../../contract/names/protected-names.ts";
import type { Protection } from "../stand-ins/stand-ins.ts";

// of what other programs obey, these may hold a password or a token as well
const mayHoldKeys = new Set([".npmrc", ".yarnrc", ".yarnrc.yml", "config"]);
const longestFile = 65_536;

type Seen = { version: string; masked: string | undefined };

/** Settings with keys in them are shown to commands with the keys masked. What has not changed is not read again. */
export function openMasking(redact: (text: string) => string) {
  const seen = new Map<string, Seen>();
  return (workspace: string, protections: readonly Protection[]): readonly Protection[] =>
    protections.map((one) => {
      if (one.kind !== "read-only" || !mayHoldKeys.has(foldName(basename(one.name)))) return one;
      const text = maskedAt(join(workspace, one.name));
      return text === undefined ? one : { ...one, kind: "text", text };
    });

  /** Undefined: there is nothing to mask. */
  function maskedAt(path: string): string | undefined {
    let file: number | undefined;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size === 0) return undefined;
      const version = `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
      const before = seen.get(path);
      if (before?.version === version) return before.masked;
      const masked = stats.size > longestFile ? "" : maskedText(file, stats.size);
      seen.set(path, { version, masked });
      return masked;
    } catch {
      // it is gone, or a link: then there is no mount on it either
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  function maskedText(file: number, size: number): string | undefined {
    const bytes = Buffer.alloc(size);
    const text = bytes.toString("utf8", 0, readSync(file, bytes));
    const masked = redact(text);
    return masked === text ? undefined : masked;
  }
}
