// Earlier contents of files, each under the name of its hash, in a folder that the agent cannot reach.
import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, opendir, rename, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { sha256, sha256Of } from "../paths/file-change.ts";
import { openPathLocks } from "../paths/path-locks.ts";
import { ifThere } from "../paths/refusal.ts";
import { removeIfOlder } from "../paths/remove-if-older.ts";

type Content = Uint8Array | AsyncIterable<Uint8Array>;

export type Checkpoints = {
  /** On disk when it resolves; the same content twice is kept once, as long as the later asks. */
  keep(content: Content): Promise<string>;
  /** Undefined when it was never kept, has been removed, or is damaged. */
  read(sha256: string): Promise<AsyncIterable<Buffer> | undefined>;
  /** Removes what nobody has kept since then; answers how many. */
  removeOld(beforeMs: number): Promise<number>;
  /** The file that holds it, for whoever removes it. */
  pathOf(name: string): string;
};

const hashName = /^[0-9a-f]{64}$/;

export function openCheckpointFiles(deps: { folder: string; nowMs(): number }): Checkpoints {
  const { folder } = deps;
  const locks = openPathLocks();
  return {
    keep: (content) => (content instanceof Uint8Array ? keepBytes(content) : keepStream(content)),
    read: readVerified,
    removeOld,
    pathOf: (name) => join(folder, name),
  };

  async function keepBytes(bytes: Uint8Array): Promise<string> {
    const name = sha256(bytes);
    await locks.hold(name, async () => {
      if (!(await renew(name))) await write(bytes, () => name);
    });
    return name;
  }

  // what it is called is known only when all of it has been written
  async function keepStream(content: AsyncIterable<Uint8Array>): Promise<string> {
    const hash = createHash("sha256");
    return write(hashing(content, hash), () => hash.digest("hex"));
  }

  async function write(content: Content, nameOf: () => string): Promise<string> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `${randomBytes(16).toString("hex")}.tmp`);
    try {
      {
        await using file = await open(temporary, "wx", 0o600);
        await file.writeFile(content);
        // its age counts from the last time somebody relied on it
        await file.utimes(deps.nowMs() / 1000, deps.nowMs() / 1000);
        await file.datasync();
      }
      const name = nameOf();
      await rename(temporary, join(folder, name));
      await syncFolder();
      return name;
    } catch (cause) {
      // never created, or the disk refuses everything; removeOld finds it later, and the first failure is the one to tell
      await unlink(temporary).catch(() => {});
      throw cause;
    }
  }

  async function renew(name: string): Promise<boolean> {
    const seconds = deps.nowMs() / 1000;
    return (await ifThere(utimes(join(folder, name), seconds, seconds).then(() => true))) ?? false;
  }

  async function syncFolder(): Promise<void> {
    await using handle = await open(folder, "r");
    await handle.sync();
  }

  async function readVerified(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    if (!hashName.test(name)) return undefined;
    const path = join(folder, name);
    const isWhole = (await ifThere(sha256Of(piecesOf(path)))) === name;
    return isWhole ? piecesOf(path) : undefined;
  }

  async function removeOld(beforeMs: number): Promise<number> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    let removed = 0;
    for await (const entry of await opendir(folder)) {
      if (await locks.hold(entry.name, () => removeIfOlder(join(folder, entry.name), beforeMs))) removed++;
    }
    return removed;
  }
}

async function* hashing(content: AsyncIterable<Uint8Array>, hash: { update(piece: Uint8Array): unknown }) {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}

async function* piecesOf(path: string): AsyncIterable<Buffer> {
  await using file = await open(path, "r");
  yield* file.createReadStream({ autoClose: false });
}
