import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sha256Of } from "../paths/file-change.ts";
import { withFile, withNameInWorkspace } from "../paths/workspace-files.ts";

// a call can name hundreds of files, and hashing them must not keep the program busy
const maxHashedBytes = 1024 * 1024;
const maxEntries = 20_000;

/** What a file or folder holds right now, as a word that changes whenever it does; what cannot be read is `absent`. */
export async function hashWorkspaceFile(workspace: string, path: string): Promise<string> {
  const hashed = await withNameInWorkspace(workspace, path, "The file cannot be read", (held) =>
    withFile(held, async ({ handle, stats }) => ({
      word:
        stats.size > maxHashedBytes
          ? `large ${stats.ino} ${whenAndHowMuch(stats)}`
          : await sha256Of(handle.createReadStream({ autoClose: false })),
    })),
  );
  return "refused" in hashed ? hashFolder(resolve(workspace, path)) : hashed.word;
}

/** No write leaves these as they were: nobody but the system sets the time of the last change. */
function whenAndHowMuch({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs}`;
}

// only compared with itself later, so names, sizes and times are enough; links are not followed
async function hashFolder(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const waiting = [folder];
  for (let seen = 0; waiting.length > 0 && seen < maxEntries; ) {
    const at = waiting.pop() ?? "";
    const stats = await lstat(at).catch(() => undefined);
    if (!stats) return "absent";
    seen += 1;
    hash.update(`${at} ${stats.mode} ${whenAndHowMuch(stats)}\n`);
    if (!stats.isDirectory()) continue;
    const names = await readdir(at).catch(() => []);
    waiting.push(...names.sort().map((name) => join(at, name)));
  }
  return hash.digest("hex");
}
