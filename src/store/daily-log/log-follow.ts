// New lines of the log files as they are written, from one file to the next.
import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { orIfMissing } from "../../contract/failure.ts";
import { logFilesIn } from "./log-files.ts";

export type FollowDeps = { folder: string; signal: AbortSignal; lookEveryMs?: number };

type LogFile = { path: string; inode: number; size: number };
type Held = { file: FileHandle; inode: number; offset: number; decoder: TextDecoder; rest: string };

const pieceBytes = 1 << 16;

/** The lines that come after it has resolved, until the signal. A file that is set aside is read to its end first. */
export async function followLog(deps: FollowDeps): Promise<AsyncGenerator<string>> {
  const newest = (await filesNow(deps.folder))?.at(-1);
  return follow(deps, newest && (await hold(newest, newest.size)));
}

async function* follow({ folder, signal, lookEveryMs = 250 }: FollowDeps, first: Held | undefined) {
  let held = first;
  try {
    while (!signal.aborted) {
      // asked before the lines are read: whatever is set aside was written to the end by then
      const next = nextAfter(held, await filesNow(folder));
      if (held) yield* newLines(held);
      const after = next && (await hold(next, 0));
      if (after) {
        await held?.file.close();
        held = after;
      } else await pause(lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await held?.file.close();
  }
}

/** Oldest first; undefined while files are given other names, which takes a moment. */
async function filesNow(folder: string): Promise<readonly LogFile[] | undefined> {
  const paths = (await logFilesIn(folder)).map((name) => join(folder, name));
  const found = await Promise.all(paths.map((path) => stat(path).catch(orIfMissing(undefined))));
  const files = found.flatMap((file, at) =>
    file ? [{ path: paths[at] ?? "", inode: file.ino, size: file.size }] : [],
  );
  return files.length === paths.length ? files : undefined;
}

function nextAfter(held: Held | undefined, files: readonly LogFile[] = []): LogFile | undefined {
  if (!held) return files.at(-1);
  // one that was removed was older than all that are left; -1 + 1 is the first of them
  return files[files.findIndex(({ inode }) => inode === held.inode) + 1];
}

/** Undefined when the name means another file by now. */
async function hold({ path, inode }: LogFile, offset: number): Promise<Held | undefined> {
  const file = await open(path, "r").catch(orIfMissing(undefined));
  if (!file) return undefined;
  const found = await file.stat().catch(() => undefined);
  if (found?.ino === inode) return { file, inode, offset, decoder: new TextDecoder(), rest: "" };
  await file.close();
  return undefined;
}

async function* newLines(held: Held): AsyncGenerator<string> {
  const buffer = Buffer.alloc(pieceBytes);
  for (;;) {
    const { bytesRead } = await held.file.read(buffer, 0, pieceBytes, held.offset);
    if (bytesRead === 0) return;
    // a line is taken when it is whole, or longer than a piece
    const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
    if (end === 0 && bytesRead < pieceBytes) return;
    const taken = end === 0 ? bytesRead : end;
    held.offset += taken;
    const lines = (held.rest + held.decoder.decode(buffer.subarray(0, taken), { stream: true })).split("\n");
    held.rest = lines.pop() ?? "";
    yield* lines;
  }
}
