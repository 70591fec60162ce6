// config.json as bytes on the disk: made on the first run, read whole.
import { createHash, randomBytes } from "node:crypto";
import { chmod, link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, Failure, orIfMissing, reasonOf } from "../contract/failure.ts";
import { Settings } from "../contract/settings.ts";
import { findJsonMistake } from "./json-mistake.ts";

/** The folder, closed to others; what is odd about it comes back. */
export async function prepareHome(home: string): Promise<string[]> {
  try {
    // mkdir's mode is narrowed by the umask only, but parents made on the way need it as well
    if (await makeFolder(home)) await chmod(home, 0o700);
    const mode = (await stat(home)).mode & 0o077;
    return mode === 0 || process.platform === "win32"
      ? []
      : [`${home} can be opened by other users of this machine; close it with: chmod 700 ${home}`];
  } catch (cause) {
    throw new Failure(`The folder ${home} cannot be made: ${reasonOf(cause)}. Set STEWARD_HOME to a folder that can.`, {
      cause,
    });
  }
}

// mkdir's own recursion never ends where the system says of a name that it is not there and lets nobody make it, as in /proc
async function makeFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(orIfMissing(undefined));
  if (found?.isDirectory()) return false;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (cause) {
    // somebody else was faster
    if (codeOf(cause) === "EEXIST" && !found) return false;
    throw cause;
  }
}

/** Makes the file with all defaults; says whether it did. */
export async function createWhenMissing(path: string): Promise<boolean> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await stat(path);
    return false;
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw new Failure(`${path} cannot be opened: ${reasonOf(cause)}.`, { cause });
  }
  try {
    await writeFile(temporary, `${JSON.stringify(Settings.parse({}), null, 2)}\n`, { flag: "wx", mode: 0o600 });
    return await moveIntoPlace(temporary, path);
  } catch (cause) {
    throw new Failure(`${path} cannot be written: ${reasonOf(cause)}.`, { cause });
  } finally {
    await rm(temporary, { force: true });
  }
}

// a link, unlike a rename, never replaces a file that someone else made in the meantime
async function moveIntoPlace(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    // some file systems have no hard links
    await rename(temporary, path);
    return true;
  }
}

/** What the owner has written; the revision changes with every change of the file. */
export async function readWritten(path: string): Promise<{ written: unknown; revision: string }> {
  const { bytes, text } = await readText(path);
  return { written: parseText(path, text), revision: revisionOf(bytes) };
}

export function revisionOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function readText(path: string): Promise<{ bytes: Uint8Array; text: string }> {
  try {
    const bytes = await readFile(path);
    return { bytes, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (cause) {
    throw new Failure(`${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  }
}

function parseText(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const mistake = findJsonMistake(text);
    const place = mistake ? ` at line ${mistake.line}, column ${mistake.column}: ${mistake.message}` : "";
    throw new Failure(`${path} is not valid JSON${place}. Mend it there, or remove the file to start from defaults.`, {
      cause,
    });
  }
}
