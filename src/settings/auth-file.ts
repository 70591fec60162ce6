// auth.json: the owner's API keys by provider. Comes in: the Steward folder. Goes out: keys, and what is odd about the file.
import { constants, type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf, Failure } from "../contract/failure.ts";
import { replaceOwnFile } from "./replace-own-file.ts";

// entries that are no plain keys belong to another way of signing in, and stay as they are
const Entries = z.record(z.string(), z.unknown());
const maxBytes = 1_000_000;

export type StoredKeys = { keys: Readonly<Record<string, string>>; warnings: readonly string[] };

export type AuthFile = {
  read(): Promise<StoredKeys>;
  /** Keeps one provider's key beside the others; null takes it out. */
  setKey(provider: string, key: string | null): Promise<void>;
};

export function openAuthFile(deps: { home: string }): AuthFile {
  const path = join(deps.home, "auth.json");
  let lastWrite: Promise<unknown> = Promise.resolve();
  return {
    async read() {
      const { entries, warnings } = await readEntries(path);
      return { keys: Object.fromEntries(Object.entries(entries).filter(isKey)), warnings };
    },
    setKey(provider, key) {
      const mine = lastWrite.then(() => writeKey(path, provider, key));
      // the chain only orders writes; each caller hears of its own failure
      lastWrite = mine.catch(() => undefined);
      return mine;
    },
  };
}

function isKey(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string" && entry[1].trim() !== "";
}

async function writeKey(path: string, provider: string, key: string | null): Promise<void> {
  const { entries } = await readEntries(path);
  const { [provider]: _, ...others } = entries;
  const next = key === null ? others : { ...others, [provider]: key };
  await replaceOwnFile(path, `${JSON.stringify(next, null, 2)}\n`);
}

type Read = { entries: Readonly<Record<string, unknown>>; warnings: readonly string[] };

async function readEntries(path: string): Promise<Read> {
  const file = await openPlain(path);
  if (!file) return { entries: {}, warnings: [] };
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Failure("auth.json is not a plain file. Move it away, and Steward makes a new one.");
    const warnings = await closeToOthers(file, found.mode);
    if (found.size > maxBytes)
      throw new Failure("auth.json is far too large to hold keys. Move it away and add the keys again.");
    return { entries: parseEntries(await file.readFile("utf8")), warnings };
  } finally {
    await file.close();
  }
}

// a link or a pipe in the place of the keys is nothing that Steward has made
async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT") return undefined;
    const why = code === "ELOOP" ? "it is a link" : code === "EACCES" ? "it belongs to somebody else" : String(code);
    throw new Failure(`auth.json cannot be opened: ${why}. Make it a plain file that only you can read.`, { cause });
  }
}

/** Keys that others could read are mended first, and not used when that cannot be done. */
async function closeToOthers(file: FileHandle, mode: number): Promise<readonly string[]> {
  if (process.platform === "win32" || (mode & 0o077) === 0) return [];
  try {
    await file.chmod(0o600);
  } catch (cause) {
    throw new Failure(
      "auth.json can be read by other users of this machine, and that could not be changed, so its keys are not used. Close it with: chmod 600 auth.json",
      { cause },
    );
  }
  return [
    "auth.json could be read by other users of this machine; it is closed to them now. If you do not trust them, replace the keys in it.",
  ];
}

function parseEntries(text: string): Readonly<Record<string, unknown>> {
  try {
    return Entries.parse(JSON.parse(text));
  } catch {
    // neither the text nor the parser's complaint is passed on: both could hold a key
    throw new Failure(
      'auth.json is not readable. It must be a JSON object of keys by provider, such as {"anthropic": "…"}.',
    );
  }
}
