import { constants } from "node:fs";
import { type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { extname } from "node:path";
import { beneath, type HeldFolder, noFollow, withFolder } from "../../paths/held-folder.ts";
import { errorCode, ifThere, orRefusal, type Refusal, unlessTaken } from "../../paths/refusal.ts";
import { newTemporaryName } from "../../paths/reserved-names.ts";
import { findPlace } from "../../paths/workspace-path.ts";

const folderName = "downloads";

type Finished = { path: string; name: string; maxBytes: number };
type Kept = { path: string; bytes: number };

/** Copies a finished download into the workspace's folder for them, under a name that nothing else has. */
export async function saveDownload(workspace: string, file: Finished): Promise<Kept | Refusal> {
  return orRefusal("The download was not saved", async () => {
    const place = await findPlace({ workspace }, folderName, "write");
    if ("refused" in place) return place;
    // the folder may stay when the file goes: it is where downloads belong
    return withFolder(place, { made: () => {} }, (folder) => copyInto(folder, file));
  });
}

async function copyInto(folder: HeldFolder, file: Finished): Promise<Kept | Refusal> {
  // the file belongs to the browser's user, who may have put something else there
  await using source = await open(file.path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  const temporary = beneath(folder, newTemporaryName());
  try {
    const stats = await source.stat();
    const isOwnFile = stats.isFile() && stats.nlink === 1 && stats.size <= file.maxBytes;
    if (!isOwnFile) return { refused: "The download was not saved: it is no plain file of an allowed size." };
    await copyTo(temporary, source, stats.size);
    const name = await giveName(folder, temporary, file.name);
    await folder.handle.sync();
    return { path: `${folderName}/${name}`, bytes: stats.size };
  } finally {
    await ifThere(unlink(temporary));
  }
}

async function copyTo(path: string, source: FileHandle, bytes: number): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;
  await using target = await open(path, flags, 0o644);
  // as many bytes as were counted, should it still grow
  const reading = source.createReadStream({ autoClose: false, start: 0, end: Math.max(0, bytes - 1) });
  for await (const chunk of reading) await target.writeFile(chunk);
  await target.datasync();
}

async function giveName(folder: HeldFolder, temporary: string, suggested: string): Promise<string> {
  for (const name of downloadNames(suggested)) if (await linkUnlessThere(temporary, beneath(folder, name))) return name;
  throw new Error("there are too many downloads of the same name");
}

// a link, unlike a rename, never takes the place of what is there
async function linkUnlessThere(temporary: string, path: string): Promise<boolean> {
  try {
    return await unlessTaken(link(temporary, path));
  } catch (cause) {
    // some file systems know no links
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP"].includes(errorCode(cause) ?? "")) throw cause;
    if (await lstat(path).catch(() => undefined)) return false;
    await rename(temporary, path);
    return true;
  }
}

const longestBytes = 100;
const mostTries = 200;

/** The name a server gave its file, made harmless, and then the same with numbers. */
export function* downloadNames(suggested: string): Generator<string> {
  const plain = suggested
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[/\\:*?"<>|]/g, "_")
    // neither hidden nor a way up
    .replace(/^[.\s~-]+|[.\s]+$/g, "");
  const extension = /^\.[A-Za-z0-9]{1,10}$/.test(extname(plain)) ? extname(plain) : "";
  const stem = cut(plain.slice(0, plain.length - extension.length)) || "download";
  yield stem + extension;
  for (let number = 2; number <= mostTries; number++) yield `${stem}-${number}${extension}`;
}

// names are limited in bytes, and a character has up to four
function cut(text: string): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(longestBytes)).read);
}
