import { createHash, randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { codeOf } from "../../contract/failure.ts";
import { sha256Of } from "../paths/file-change.ts";
import { withFile, withNameInWorkspace } from "../paths/workspace-files.ts";
import { standInNames, standsIn } from "../sandbox/stand-ins/stand-ins.ts";

// a call can name hundreds of files, and hashing them must not keep the program busy
const maxHashedBytes = 1024 * 1024;
const mostEntries = 200_000;
const entriesAtOnce = 64;
const mostRead = 2_000;
const maxReadBytes = 64 * 1024;

/**
 * What a file or folder holds right now, as a word that changes whenever it does; what is not there is `absent`. Of a folder
 * that cannot be looked through to its end the word is never the same twice.
 */
export async function hashWorkspaceFile(workspace: string, path: string, maxEntries = mostEntries): Promise<string> {
  const hashed = await withNameInWorkspace({ workspace }, { path, access: "read" }, "The file cannot be read", (held) =>
    withFile(held, async ({ handle, stats }) => {
      if (isPlaceholder(workspace, resolve(workspace, path), stats)) return { word: "absent" };
      if (stats.size > maxHashedBytes) return { word: `large ${stats.ino} ${whenAndHowMuch(stats)}` };
      return { word: await sha256Of(handle.createReadStream({ autoClose: false })) };
    }),
  );
  return "refused" in hashed ? hashFolder(workspace, resolve(workspace, path), maxEntries) : hashed.word;
}

/** What lies there only as long as a command runs is nobody's. */
function isPlaceholder(workspace: string, path: string, stats: Stats): boolean {
  return standInNames.has(relative(workspace, path)) && standsIn(path, stats);
}

/** No write leaves these as they were: nobody but the system sets the time of the last change. */
function whenAndHowMuch({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs}`;
}

// links are not followed; of what are not among the first, sizes and times are enough, since it is only compared with itself
async function hashFolder(workspace: string, folder: string, maxEntries: number): Promise<string> {
  if ((await entryAt(workspace, folder, false)) === "gone") return "absent";
  const hash = createHash("sha256");
  const waiting = [folder];
  for (let seen = 0; waiting.length > 0; ) {
    const paths = waiting.splice(-entriesAtOnce);
    seen += paths.length;
    const isAmongFirst = seen <= mostRead;
    const entries = await Promise.all(paths.map((path) => entryAt(workspace, path, isAmongFirst)));
    for (const [at, entry] of entries.entries()) {
      if (entry === "hidden" || seen > maxEntries) return unbindable();
      if (entry === "gone") continue;
      hash.update(`${paths[at]} ${entry.words}\n`);
      // one by one: a folder may hold more than a call takes arguments
      for (const path of entry.inside) waiting.push(path);
    }
  }
  return hash.digest("hex");
}

/** What was not seen whole may change unseen: nothing that is bound to this word ever holds. */
function unbindable(): string {
  return `unbindable ${randomUUID()}`;
}

/** A folder is known by what is in it. A small file is read: whom it belongs to may change without a change of its words. */
async function contentOf(path: string, stats: Stats, isRead: boolean): Promise<string> {
  if (stats.isDirectory()) return "folder";
  if (!isRead || !stats.isFile() || stats.size > maxReadBytes) return whenAndHowMuch(stats);
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  return sha256Of(handle.createReadStream());
}

/** `hidden`: it is there, and what it holds cannot be seen. */
async function entryAt(
  workspace: string,
  path: string,
  isRead: boolean,
): Promise<{ words: string; inside: readonly string[] } | "gone" | "hidden"> {
  try {
    const stats = await lstat(path);
    if (isPlaceholder(workspace, path, stats)) return "gone";
    const names = stats.isDirectory() ? (await readdir(path)).sort() : [];
    return {
      words: `${stats.mode} ${await contentOf(path, stats, isRead)}`,
      inside: names.map((name) => join(path, name)),
    };
  } catch (cause) {
    return ["ENOENT", "ENOTDIR"].includes(codeOf(cause) ?? "") ? "gone" : "hidden";
  }
}
