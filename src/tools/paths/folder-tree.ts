// All that lies below a folder, looked at by descriptor and without following a link, before it is packed and removed.

import type { Stats } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { isSecretName } from "../../contract/names/protected-names.ts";
import { type EntryKind, kindOf } from "./entry-kind.ts";
import { quoteName } from "./escape-text.ts";
import { beneath, type HeldFolder, withFolderIn } from "./held-folder.ts";
import type { Refusal } from "./refusal.ts";

export type TreeNode = {
  name: string;
  kind: EntryKind;
  stats: Stats;
  children: readonly TreeNode[];
};

const mostNames = 50_000;
const mostBytes = 512 * 1024 * 1024;
const deepestFolder = 100;

type Walk = { shown: string; names: number; bytes: number; signal: AbortSignal };

/** Refuses what is too much to be kept, and what only the owner may remove. */
export async function readTree(
  folder: HeldFolder,
  shown: string,
  signal: AbortSignal,
): Promise<readonly TreeNode[] | Refusal> {
  return readNames({ shown, names: 0, bytes: 0, signal }, folder, []);
}

export function countNames(nodes: readonly TreeNode[]): number {
  return nodes.reduce((total, node) => total + 1 + countNames(node.children), 0);
}

async function readNames(
  walk: Walk,
  folder: HeldFolder,
  parts: readonly string[],
): Promise<readonly TreeNode[] | Refusal> {
  const nodes: TreeNode[] = [];
  for await (const entry of await opendir(beneath(folder, "."))) {
    const stats = await lstat(beneath(folder, entry.name));
    walk.names++;
    walk.bytes += stats.size;
    const refusal = refusalFor(walk, [...parts, entry.name], stats);
    if (refusal) return refusal;
    const kind = kindOf(stats);
    const children =
      kind === "folder"
        ? await withFolderIn(folder, entry.name, (below) => readNames(walk, below, [...parts, entry.name]))
        : [];
    if ("refused" in children) return children;
    nodes.push({ name: entry.name, kind, stats, children });
  }
  // always the same order, so that the same content gives the same pack
  return nodes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function refusalFor(walk: Walk, parts: readonly string[], stats: Stats): Refusal | undefined {
  const because = (reason: string) => ({ refused: `${walk.shown} was not deleted: ${reason}` });
  if (walk.signal.aborted) return because("the call was stopped.");
  if (!stats.isDirectory() && isSecretName(parts.at(-1) ?? ""))
    return because(`${quoteName(parts.join("/"))} in it holds secrets, and only the owner may remove it.`);
  if (parts.length > deepestFolder) return because(`it is more than ${deepestFolder} folders deep.`);
  if (walk.names > mostNames) return because(`it holds more than ${mostNames} names. Delete its parts first.`);
  if (walk.bytes > mostBytes) return because(`it holds more than ${mostBytes} bytes. Delete its parts first.`);
  return undefined;
}
