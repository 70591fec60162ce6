// The content of a folder as one stream: for each name a line of JSON, and after it the bytes that the line announces.
import { readlink } from "node:fs/promises";
import { z } from "zod";
import { maxKeptBytes } from "../paths/file-change.ts";
import type { TreeNode } from "../paths/folder-tree.ts";
import { beneath, type HeldFolder, openFolderIn } from "../paths/held-folder.ts";
import { heldName, readWhole, withFile } from "../paths/workspace-files.ts";

const PackedName = z.object({
  path: z.string(),
  kind: z.enum(["file", "folder", "link"]),
  mode: z.number().int(),
  bytes: z.number().int().nonnegative(),
});
export type PackedName = z.infer<typeof PackedName>;

const newline = 0x0a;

/** Pipes, sockets and what is too large are left out of a pack. */
export function canBeKept(node: TreeNode): boolean {
  return node.kind !== "special" && (node.kind !== "file" || node.stats.size <= maxKeptBytes);
}

export type Packing = {
  /** Told of each name once its content has been taken. */
  packed(node: TreeNode): void;
  /** Ends the pack where it is; whoever stops it has no use for it. */
  signal: AbortSignal;
};

export async function* packTree(
  folder: HeldFolder,
  nodes: readonly TreeNode[],
  packing: Packing,
  prefix = "",
): AsyncGenerator<Uint8Array> {
  for (const node of nodes) {
    if (packing.signal.aborted) return;
    const path = prefix + node.name;
    const content = canBeKept(node) ? await contentOf(folder, node, path) : undefined;
    if (!content || node.kind === "special") continue;
    const name: PackedName = { path, kind: node.kind, mode: node.stats.mode & 0o777, bytes: content.length };
    yield Buffer.from(`${JSON.stringify(name)}\n`);
    yield content;
    packing.packed(node);
    if (node.children.length === 0) continue;
    const below = await openFolderIn(folder, node.name);
    await using _held = below.handle;
    yield* packTree(below, node.children, packing, `${path}/`);
  }
}

async function contentOf(folder: HeldFolder, node: TreeNode, path: string): Promise<Buffer | undefined> {
  if (node.kind === "folder") return Buffer.alloc(0);
  if (node.kind === "link") return readlink(beneath(folder, node.name), "buffer");
  const read = await withFile(heldName(folder, path), async ({ handle }) => ({
    bytes: await readWhole(handle, maxKeptBytes),
  }));
  // exchanged for something else since it was looked at: not packed, so not removed either
  return "refused" in read ? undefined : read.bytes;
}

/** The names of a pack with their contents, in the order in which they can be put back. */
export async function* unpack(pack: AsyncIterable<Buffer>): AsyncGenerator<{ name: PackedName; content: Buffer }> {
  const pieces = openPieces(pack);
  for (let line = await pieces.line(); line !== undefined; line = await pieces.line()) {
    const name = PackedName.parse(JSON.parse(line));
    yield { name, content: await pieces.take(name.bytes) };
  }
}

function openPieces(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return { line, take };

  async function line(): Promise<string | undefined> {
    const parts: Buffer[] = [];
    for (;;) {
      const end = rest.indexOf(newline);
      if (end >= 0) {
        parts.push(rest.subarray(0, end));
        rest = rest.subarray(end + 1);
        return Buffer.concat(parts).toString("utf8");
      }
      parts.push(rest);
      if (!(await next())) return undefined;
    }
  }

  async function take(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let wanted = bytes; ; ) {
      const part = rest.subarray(0, wanted);
      parts.push(part);
      rest = rest.subarray(part.length);
      wanted -= part.length;
      if (wanted === 0) return Buffer.concat(parts);
      if (!(await next())) throw new Error("a pack ends in the middle of a file");
    }
  }

  async function next(): Promise<boolean> {
    const { value, done } = await iterator.next();
    rest = done ? Buffer.alloc(0) : value;
    return !done;
  }
}
