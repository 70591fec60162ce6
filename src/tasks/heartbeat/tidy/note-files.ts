// The owner's notes as they are now: the folder comes in, each file with its text goes out.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { orIfMissing } from "../../../contract/failure.ts";
import { isNote } from "../../../contract/names/protected-names.ts";

export type NoteFile = { path: string; text: string; changedAtMs: number };

const mostFiles = 200;
const mostBytes = 262_144;

/** MEMORY.md first, then what was changed last. */
export async function readNoteFiles(workspace: string): Promise<readonly NoteFile[]> {
  const paths = (await filesBelow(workspace, "memory")).filter(isNote);
  const files: NoteFile[] = [];
  for (const path of ["MEMORY.md", "USER.md", ...[...paths].sort().slice(0, mostFiles)]) {
    const file = await readNote(workspace, path);
    if (file && file.text.trim() !== "") files.push(file);
  }
  const isMain = ({ path }: NoteFile) => (path === "MEMORY.md" ? 1 : 0);
  return files.toSorted((one, other) => isMain(other) - isMain(one) || other.changedAtMs - one.changedAtMs);
}

/** No link is followed. */
async function filesBelow(workspace: string, folder: string): Promise<readonly string[]> {
  const isFolder = (await lstat(join(workspace, folder)).catch(orIfMissing(undefined)))?.isDirectory() === true;
  const entries = isFolder ? await readdir(join(workspace, folder), { withFileTypes: true }) : [];
  const paths: string[] = [];
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile()) paths.push(path);
    else if (entry.isDirectory() && !entry.name.startsWith(".")) paths.push(...(await filesBelow(workspace, path)));
  }
  return paths;
}

/** Another one whenever anything in them is. */
export function stampOf(files: readonly NoteFile[]): string {
  const all = files.map(({ path, text }) => JSON.stringify([path, text])).toSorted();
  return createHash("sha256").update(all.join("\n")).digest("hex").slice(0, 32);
}

/** Of one line nothing can be there twice. */
export function isWorthALook(files: readonly NoteFile[]): boolean {
  const lines = files.flatMap(({ text }) => text.split("\n")).filter((line) => line.trim() !== "" && !/^#/.test(line));
  return lines.length > 1;
}

/** No link is followed, and what is no plain text of a usual size is left out. */
async function readNote(workspace: string, path: string): Promise<NoteFile | undefined> {
  const file = join(workspace, path);
  const seen = await lstat(file).catch(orIfMissing(undefined));
  if (!seen?.isFile() || seen.size > mostBytes) return undefined;
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  const bytes = await handle.readFile();
  return { path, text: bytes.toString("utf8"), changedAtMs: seen.mtimeMs };
}
