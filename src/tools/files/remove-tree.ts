import { rmdir, unlink } from "node:fs/promises";
import type { TreeNode } from "../paths/folder-tree.ts";
import { beneath, type HeldFolder, withFolderIn } from "../paths/held-folder.ts";
import { orRefusal } from "../paths/refusal.ts";
import { isUnchanged } from "../paths/replace-file.ts";
import { type HeldName, heldName } from "../paths/workspace-files.ts";

/** Removes what was seen and may go; whatever has changed or come since stays. Answers why something stayed. */
export async function removeTree(
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
  if (node.kind !== "folder") return removeFile(held, node);
  const problems = await withFolderIn(held.folder, node.name, (below) =>
    removeTree(below, node.children, mayGo, `${held.path}/`),
  );
  // its own times change with every name that goes, so whether it may go is told by its being empty
  if (problems.length === 0) await rmdir(beneath(held.folder, node.name));
  return problems;
}

async function removeFile(held: HeldName, node: TreeNode): Promise<readonly string[]> {
  if (!(await isUnchanged(held, node.stats))) return [`${held.shown} is still there: something else changed it.`];
  await unlink(beneath(held.folder, node.name));
  return [];
}
