// Long outputs of tools, kept so that what did not fit can be read later; in a folder that the agent cannot reach.
import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, opendir, readdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ifThere } from "../paths/refusal.ts";
import { removeIfOlder } from "../paths/remove-if-older.ts";

export type KeptOutput = {
  conversation: string;
  /** With secrets already masked. */
  text: string;
  /** Where untrusted text in it comes from. */
  labels: readonly string[];
};
export type OutputPart = { text: string; offset: number; totalCharacters: number; labels: readonly string[] };

export type OutputStore = {
  /** Resolves with the handle by which the same conversation can read it. */
  keep(output: KeptOutput): Promise<string>;
  /** Undefined when there is none of that name for this conversation, or no longer. */
  read(conversation: string, handle: string, range: { offset: number; limit: number }): Promise<OutputPart | undefined>;
  /** Removes what is older than seven days; answers how many. */
  removeOld(): Promise<number>;
  /** Removes what a conversation has kept up to that time. */
  forget(conversation: string, throughMs: number): Promise<void>;
  /** Removes one, if it is that conversation's. */
  forgetOne(conversation: string, handle: string): Promise<void>;
};

const Heading = z.object({ conversation: z.string(), labels: z.array(z.string()) });
const keptMs = 7 * 86_400_000;
const cleanEveryMs = 3_600_000;
const handlePattern = /^out_[0-9a-f]{16}$/;
// the heading's length stands first, and a character always has two bytes, so any part is found at once
const lengthBytes = 4;
const characterBytes = 2;

export function openOutputStore(deps: { folder: string; nowMs(): number }): OutputStore {
  const { folder, nowMs } = deps;
  let cleanedAtMs = Number.NEGATIVE_INFINITY;
  return { keep, read, removeOld, forget, forgetOne };

  async function keep({ conversation, text, labels }: KeptOutput): Promise<string> {
    if (nowMs() - cleanedAtMs > cleanEveryMs) await removeOld();
    const handle = `out_${randomBytes(8).toString("hex")}`;
    const temporary = join(folder, `${handle}.tmp`);
    const heading = Buffer.from(JSON.stringify({ conversation, labels }));
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32LE(heading.length);
    {
      await using file = await open(temporary, "wx", 0o600);
      await file.writeFile(Buffer.concat([length, heading, Buffer.from(text, "utf16le")]));
      await file.utimes(nowMs() / 1000, nowMs() / 1000);
    }
    await rename(temporary, join(folder, handle));
    return handle;
  }

  async function read(conversation: string, handle: string, range: { offset: number; limit: number }) {
    if (!handlePattern.test(handle)) return undefined;
    await using file = await ifThere(open(join(folder, handle), "r"));
    if (!file) return undefined;
    const stats = await file.stat();
    if (stats.mtimeMs < nowMs() - keptMs) return undefined;
    const { heading, start } = await readHeading(file);
    if (heading?.conversation !== conversation) return undefined;
    const { text, offset } = await readText(file, start, range);
    return { text, offset, totalCharacters: (stats.size - start) / characterBytes, labels: heading.labels };
  }

  async function forget(conversation: string, throughMs: number): Promise<void> {
    for (const name of (await ifThere(readdir(folder))) ?? []) {
      if (!handlePattern.test(name)) continue;
      await using file = await ifThere(open(join(folder, name), "r"));
      if (!file || (await file.stat()).mtimeMs > throughMs) continue;
      const { heading } = await readHeading(file);
      // of a damaged one nobody knows whose words it holds, and nobody can read it any more
      if (!heading || heading.conversation === conversation) await unlink(join(folder, name));
    }
  }

  async function forgetOne(conversation: string, handle: string): Promise<void> {
    if (await read(conversation, handle, { offset: 0, limit: 1 })) await unlink(join(folder, handle));
  }

  async function removeOld(): Promise<number> {
    cleanedAtMs = nowMs();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    let removed = 0;
    for await (const entry of await opendir(folder)) {
      if (await removeIfOlder(join(folder, entry.name), nowMs() - keptMs)) removed++;
    }
    return removed;
  }
}

/** A power failure can leave a file empty, or full of zeros: then there is no heading. */
async function readHeading(file: FileHandle): Promise<{ heading?: z.infer<typeof Heading>; start: number }> {
  const length = await readAt(file, 0, lengthBytes);
  const headingBytes = length.length === lengthBytes ? length.readUInt32LE() : 0;
  const start = lengthBytes + headingBytes;
  if (headingBytes === 0 || (await file.stat()).size < start) return { start };
  const text = (await readAt(file, lengthBytes, headingBytes)).toString("utf8");
  try {
    return { heading: Heading.parse(JSON.parse(text)), start };
  } catch {
    return { start };
  }
}

/** A character of two halves is never cut: a half at either edge is left to its other half. */
async function readText(file: FileHandle, start: number, { offset, limit }: { offset: number; limit: number }) {
  const from = Math.max(0, offset - 1);
  const bytes = await readAt(file, start + from * characterBytes, (offset - from + limit) * characterBytes);
  const text = bytes.toString("utf16le");
  const first = offset - from;
  const isSplit = first > 0 && isHighHalf(text.charCodeAt(0));
  const wanted = text.slice(isSplit ? first - 1 : first);
  const whole = wanted.length > 1 && isHighHalf(wanted.charCodeAt(wanted.length - 1)) ? wanted.slice(0, -1) : wanted;
  return { text: whole.toWellFormed(), offset: isSplit ? offset - 1 : offset };
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes; length += read) {
    read = (await file.read(buffer, length, bytes - length, position + length)).bytesRead;
  }
  return buffer.subarray(0, length);
}
