import { createHash, randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { codeOf } from "../../contract/failure.ts";
import { sha256Of } from "../paths/file-change.ts";
import { withFile, withNameInWorkspace } from "../paths/workspace-files.ts";

// a call can name hundreds of files, and hashing them must not keep the program busy
const maxHashedBytes = 1024 * 1024;
const mostEntries = 200_000;
const entriesAtOnce = 64;

/**
 * What a file or folder holds right now, as a word that changes whenever it does; what is not there is `absent`. Of a folder
 * that cannot be looked through to its end the word is never the same twice.
 */
export async function hashWorkspaceFile(workspace: string, path: string, maxEntries = mostEntries): Promise<string> {
  const hashed = await withNameInWorkspace(workspace, path, "The file cannot be read", (held) =>
    withFile(held, async ({ handle, stats }) => ({
      word:
        stats.size > maxHashedBytes
          ? `large ${stats.ino} ${whenAndHowMuch(stats)}`
          : await sha256Of(handle.createReadStream({ autoClose: false })),
    })),
  );
  return "refused" in hashed ? hashFolder(resolve(workspace, path), maxEntries) : hashed.word;
}

/** No write leaves these as they were: nobody but the system sets the time of the last change. */
function whenAndHowMuch({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs}`;
}

// only compared with itself later, so names, sizes and times are enough; links are not followed
async function hashFolder(folder: string, maxEntries: number): Promise<string> {
  if ((await entryAt(folder)) === "gone") return "absent";
  const hash = createHash("sha256");
  const waiting = [folder];
  for (let seen = 0; waiting.length > 0; ) {
    const paths = waiting.splice(-entriesAtOnce);
    seen += paths.length;
    const entries = await Promise.all(paths.map(entryAt));
    for (const [at, entry] of entries.entries()) {
      if (entry === "hidden" || seen > maxEntries) return unbindable();
      // that it was there when its folder was read is part of the answer
      if (entry === "gone") hash.update(`${paths[at]} gone\n`);
      else {
        hash.update(`${paths[at]} ${entry.words}\n`);
        // one by one: a folder may hold more than a call takes arguments
        for (const path of entry.inside) waiting.push(path);
      }
    }
  }
  return hash.digest("hex");
}

/** What was not seen whole may change unseen: nothing that is bound to this word ever holds. */
function unbindable(): string {
  return `unbindable ${randomUUID()}`;
}

/** `hidden`: it is there, and what it holds cannot be seen. */
async function entryAt(path: string): Promise<{ words: string; inside: readonly string[] } | "gone" | "hidden"> {
  try {
    const stats = await lstat(path);
    const names = stats.isDirectory() ? (await readdir(path)).sort() : [];
    return { words: `${stats.mode} ${whenAndHowMuch(stats)}`, inside: names.map((name) => join(path, name)) };
  } catch (cause) {
    return ["ENOENT", "ENOTDIR"].includes(codeOf(cause) ?? "") ? "gone" : "hidden";
  }
}
