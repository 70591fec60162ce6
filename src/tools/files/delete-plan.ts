// What a deletion would take away: kept first, and only what was kept is removed.

import { readlink, rmdir, unlink } from "node:fs/promises";
import type { FileChange } from "../../contract/file-change.ts";
import { isSecretName } from "../../contract/names/protected-names.ts";
import { count } from "../../contract/words/amounts.ts";
import { kindOf } from "../paths/entry-kind.ts";
import { sha256Of } from "../paths/file-change.ts";
import { countNames, readTree, type TreeNode } from "../paths/folder-tree.ts";
import { beneath, type HeldFolder, withFolderIn } from "../paths/held-folder.ts";
import { lookAtName, type Standing } from "../paths/look-at-name.ts";
import { missingRefusal } from "../paths/missing-name.ts";
import { orRefusal, type Refusal } from "../paths/refusal.ts";
import { isUnchanged, statIfThere } from "../paths/replace-file.ts";
import { type HeldName, heldName, specialRefusal, withFile } from "../paths/workspace-files.ts";
import type { Checkpoints } from "../undo/checkpoint-files.ts";
import { canBeKept, type Packing, packTree } from "../undo/folder-pack.ts";
import { keepOrRefusal } from "../undo/keep-earlier.ts";

export type DeletePlan = {
  change: FileChange;
  /** How many names go besides this one. */
  namesBelow: number;
  /** Some of what goes is not kept. */
  isPartlyLost: boolean;
  /** Answers why something stayed, if it did. */
  remove(): Promise<readonly string[]>;
};
export type DeleteWish = { recursive: boolean; signal: AbortSignal };

export async function planDelete(
  checkpoints: Checkpoints,
  held: HeldName,
  wish: DeleteWish,
): Promise<DeletePlan | Refusal> {
  const node = await lookAtNode(held);
  if ("refused" in node) return node;
  const tree = node.kind === "folder" ? await lookBelow(held, wish) : [];
  if ("refused" in tree) return tree;
  const whole: TreeNode = { ...node, children: tree };
  const packed = new Set<TreeNode>([whole]);
  const packing: Packing = { packed: (child) => void packed.add(child), signal: wish.signal };
  const kept = await keepOrRefusal(held, () => keepNode(checkpoints, held, whole, packing));
  if (typeof kept !== "string" && kept !== null) return kept;
  if (wish.signal.aborted) return { refused: `${held.shown} was not deleted: the call was stopped.` };
  const mayGo = (child: TreeNode) => packed.has(child) || !canBeKept(child);
  return {
    change: changeOf(held.path, whole, kept),
    namesBelow: countNames(tree),
    isPartlyLost: kept === null || hasUnkeepable(tree),
    remove: () => removeTree(held.folder, [whole], mayGo, prefixOf(held.path)),
  };
}

/** What stands under a name now, a folder with the hash of all that is in it. */
export async function standingOf(held: HeldName, signal: AbortSignal): Promise<Standing | Refusal> {
  const standing = await lookAtName(held);
  if ("refused" in standing || standing.kind !== "folder") return standing;
  return withFolderIn(held.folder, held.name, async (folder) => {
    const tree = await readTree(folder, held.shown, signal);
    if ("refused" in tree) return tree;
    return { ...standing, sha256: await sha256Of(packTree(folder, tree, { packed: () => {}, signal })) };
  });
}

async function lookAtNode(held: HeldName): Promise<TreeNode | Refusal> {
  const stats = await statIfThere(held);
  if (!stats) return missingRefusal(beneath(held.folder, "."), held.name, held.shown);
  const kind = kindOf(stats);
  if (kind !== "folder" && isSecretName(held.name)) {
    return { refused: `${held.shown} holds secrets, and only the owner may remove it.` };
  }
  return kind === "special" ? specialRefusal(held.shown) : { name: held.name, kind, stats, children: [] };
}

async function lookBelow(held: HeldName, wish: DeleteWish): Promise<readonly TreeNode[] | Refusal> {
  const tree = await withFolderIn(held.folder, held.name, (folder) => readTree(folder, held.shown, wish.signal));
  if ("refused" in tree || tree.length === 0 || wish.recursive) return tree;
  return {
    refused: `${held.shown} was not deleted: it is a folder with ${count(tree.length, "name")} in it. Set recursive to delete them too.`,
  };
}

/** Null: too large to keep. */
async function keepNode(
  checkpoints: Checkpoints,
  held: HeldName,
  node: TreeNode,
  packing: Packing,
): Promise<string | null | Refusal> {
  if (!canBeKept(node)) return null;
  if (node.kind === "link") return checkpoints.keep(await readlink(beneath(held.folder, held.name), "buffer"));
  if (node.kind === "file")
    return withFile(held, ({ handle }) => checkpoints.keep(handle.createReadStream({ autoClose: false })));
  return withFolderIn(held.folder, held.name, (folder) => checkpoints.keep(packTree(folder, node.children, packing)));
}

function changeOf(path: string, node: TreeNode, kept: string | null): FileChange {
  const kind = node.kind === "special" ? "file" : node.kind;
  const change: FileChange = { path, kind, before: kept, after: null, mode: node.stats.mode & 0o777 };
  return kept === null ? { ...change, notKept: true } : change;
}

function hasUnkeepable(nodes: readonly TreeNode[]): boolean {
  return nodes.some((node) => !canBeKept(node) || hasUnkeepable(node.children));
}

function prefixOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** Removes what was seen and may go; whatever has changed or come since stays. Answers why something stayed. */
async function removeTree(
  folder: HeldFolder,
  nodes: readonly TreeNode[],
  mayGo: (node: TreeNode) => boolean,
  prefix: string,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const node of nodes) {
    const held = heldName(folder, prefix + node.name);
    const removed = await orRefusal(`${held.shown} is still there`, () => removeNode(held, node, mayGo));
    problems.push(...("refused" in removed ? [removed.refused] : removed));
  }
  return problems;
}

async function removeNode(
  held: HeldName,
  node: TreeNode,
  mayGo: (node: TreeNode) => boolean,
): Promise<readonly string[]> {
  if (!mayGo(node)) return [`${held.shown} is still there: it could not be read.`];
  const path = beneath(held.folder, node.name);
  if (node.kind !== "folder") {
    if (!(await isUnchanged(held, node.stats))) return [`${held.shown} is still there: something else changed it.`];
    await unlink(path);
    return [];
  }
  const problems = await withFolderIn(held.folder, node.name, (below) =>
    removeTree(below, node.children, mayGo, `${held.path}/`),
  );
  // its own times change with every name that goes, so whether it may go is told by its being empty
  if (problems.length === 0) await rmdir(path);
  return problems;
}
