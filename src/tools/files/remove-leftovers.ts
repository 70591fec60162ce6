import { opendir } from "node:fs/promises";
import { beneath, type HeldFolder, withFolder } from "../paths/held-folder.ts";
import { orRefusal } from "../paths/refusal.ts";
import { removeIfOlder } from "../paths/remove-if-older.ts";
import { isTemporaryName } from "../paths/reserved-names.ts";
import { findPlace } from "../paths/workspace-path.ts";

const keptMs = 60 * 60 * 1000;
const deepestFolder = 64;

/** Deletes the temporary files that a killed process left behind more than an hour ago; answers how many. */
export async function removeLeftovers(deps: { nowMs(): number }, workspace: string): Promise<number> {
  const root = await findPlace({ workspace }, ".", "write");
  if ("refused" in root) return 0;
  let removed = 0;
  const waiting = [root];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { parts } = place;
    // a folder that cannot be read is left as it is: cleaning up must not stop a start
    const found = await orRefusal("Cleaning up failed", () =>
      withFolder(place, "refuse", (folder) => cleanFolder(folder, deps.nowMs() - keptMs)),
    );
    if ("refused" in found) continue;
    removed += found.removed;
    if (parts.length < deepestFolder) {
      waiting.push(...found.folders.map((name) => ({ ...root, parts: [...parts, name] })));
    }
  }
  return removed;
}

async function cleanFolder(folder: HeldFolder, beforeMs: number): Promise<{ removed: number; folders: string[] }> {
  const folders: string[] = [];
  let removed = 0;
  for await (const entry of await opendir(beneath(folder, "."))) {
    if (entry.isDirectory()) folders.push(entry.name);
    if (entry.isFile() && isTemporaryName(entry.name) && (await removeIfOlder(beneath(folder, entry.name), beforeMs)))
      removed++;
  }
  return { removed, folders };
}
