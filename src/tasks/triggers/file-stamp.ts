// What a file or folder is now, so that a later look can tell whether it is another.
import { createHash } from "node:crypto";
import { lstat, readdir, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { orIfMissing } from "../../contract/failure.ts";
import { CallRefused } from "../../contract/wire/client.ts";

const mostLookedAt = 2_000;
const longestName = 255;

/** Changes with every change of the file, of the names in the folder, and of what the first of these hold; empty while there is none. */
export async function stampOf(workspace: string, path: string): Promise<string> {
  const whole = await insideWorkspace(workspace, path);
  const found = await lstat(whole).catch(orIfMissing(undefined));
  if (!found) return "";
  const entries = found.isDirectory() ? (await readdir(whole)).sort() : [];
  const hash = createHash("sha256");
  hash.update(entries.join("\0"));
  for (const path of [whole, ...entries.slice(0, mostLookedAt).map((name) => join(whole, name))]) {
    const { size, mtimeMs, ino } = (await lstat(path).catch(orIfMissing(undefined))) ?? {
      size: -1,
      mtimeMs: 0,
      ino: 0,
    };
    // a folder's own time changes with what lies in it, and its size says nothing
    hash.update(
      `${relative(whole, path)}\0${path === whole && found.isDirectory() ? "" : `${size}:${mtimeMs}:${ino}`}\n`,
    );
  }
  return hash.digest("hex").slice(0, 32);
}

async function insideWorkspace(workspace: string, path: string): Promise<string> {
  // a name that no disk can hold is no name of a file
  if (path.includes("\0") || path.split("/").some((name) => Buffer.byteLength(name) > longestName))
    throw new CallRefused("invalid", "No file can have that name. Name a file or folder in the workspace.");
  const root = await realpath(workspace);
  const whole = resolve(root, path);
  const real = await realpath(whole).catch(orIfMissing(whole));
  if (real === root || real.startsWith(`${root}${sep}`)) return real;
  throw new CallRefused("invalid", `${path} lies outside the workspace. Name a file or folder in it.`);
}
