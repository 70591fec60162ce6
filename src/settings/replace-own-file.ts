import { randomBytes } from "node:crypto";
import { open, realpath, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Puts a new content in a file's place whole or not at all, also when the power goes; nobody but the owner can read it. */
export async function replaceOwnFile(path: string, text: string): Promise<void> {
  // an owner who keeps the file elsewhere and links to it here keeps the link
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeDurably(temporary, text);
    await rename(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(target));
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(text);
  await file.sync();
}

async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, "r");
    await folder.sync();
  } catch {
    // some systems cannot sync a folder; the file itself is whole either way
  }
}
