// What is left of a conversation's pages while they are closed: cookies, local storage and the address, on disk and for us only.
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { removeIfOlder } from "../../paths/remove-if-older.ts";

const Cookie = z.object({
  name: z.string(),
  value: z.string(),
  domain: z.string(),
  path: z.string(),
  expires: z.number(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(["Strict", "Lax", "None"]),
});
const Origin = z.object({
  origin: z.string(),
  localStorage: z.array(z.object({ name: z.string(), value: z.string() })),
});
const SavedPages = z.object({
  url: z.string().nullable(),
  cookies: z.array(Cookie),
  origins: z.array(Origin),
});
export type SavedPages = z.infer<typeof SavedPages>;

const keptMs = 30 * 24 * 60 * 60_000;
const maxCharacters = 20_000_000;

export async function savePages(folder: string, conversation: string, pages: unknown): Promise<void> {
  const text = JSON.stringify(SavedPages.parse(pages));
  if (text.length > maxCharacters) throw new Error("the pages' cookies and storage are too large to keep");
  const path = pathOf(folder, conversation);
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  await mkdir(join(folder, "pages"), { recursive: true, mode: 0o700 });
  await writeFile(temporary, text, { flag: "wx", mode: 0o600 });
  await rename(temporary, path);
}

export async function loadPages(folder: string, conversation: string): Promise<SavedPages | undefined> {
  try {
    return SavedPages.parse(JSON.parse(await readFile(pathOf(folder, conversation), "utf8")));
  } catch {
    // never saved, or by another version: either way the conversation begins without cookies
    return undefined;
  }
}

/** Those that were saved up to that time. */
export async function removePages(folder: string, conversation: string, throughMs: number): Promise<void> {
  await removeIfOlder(pathOf(folder, conversation), throughMs);
}

/** Cookies that nobody has used for a month are forgotten. */
export async function removeOldPages(folder: string, nowMs: number): Promise<void> {
  const pages = join(folder, "pages");
  await mkdir(pages, { recursive: true, mode: 0o700 });
  for (const name of await readdir(pages)) {
    const path = join(pages, name);
    if (name.endsWith(".tmp") || (await stat(path)).mtimeMs < nowMs - keptMs) await unlink(path);
  }
}

// a hash, so that the name of a file says nothing and holds nothing odd
function pathOf(folder: string, conversation: string): string {
  return join(folder, "pages", `${createHash("sha256").update(conversation).digest("hex")}.json`);
}
