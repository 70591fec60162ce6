// Where a search begins: a path of the workspace comes in, a folder or one file of it goes out.
import { lstat } from "node:fs/promises";
import { beneath, symlinkRefusal } from "../paths/held-folder.ts";
import { missingRefusal } from "../paths/missing-name.ts";
import { errorCode, orRefusal, type Refusal } from "../paths/refusal.ts";
import { isSecretName } from "../paths/reserved-names.ts";
import { type HeldName, specialRefusal, withNameAt } from "../paths/workspace-files.ts";
import { findPlace } from "../paths/workspace-path.ts";
import type { SearchTask } from "./threads/search-job.ts";

export type SearchRoot = { root: string; base: readonly string[]; task: SearchTask };

export async function findSearchRoot(workspace: string, path: string): Promise<SearchRoot | Refusal> {
  // models like to write folders as "src/"
  const place = await findPlace(workspace, path.replace(/(?<=[^/])\/$/, ""));
  if ("refused" in place) return place;
  const { root, parts } = place;
  const whole = { root, base: parts, task: { folder: "" } };
  if (parts.length === 0) return whole;
  const kind = await orRefusal(`The folder cannot be searched`, () => withNameAt(place, "refuse", kindOf));
  if (typeof kind !== "string") return kind;
  return kind === "folder" ? whole : { root, base: parts.slice(0, -1), task: { folder: "", names: parts.slice(-1) } };
}

// the search opens it again without following a link, whatever stands there by then
async function kindOf(held: HeldName): Promise<"folder" | "file" | Refusal> {
  try {
    const stats = await lstat(beneath(held.folder, held.name));
    if (stats.isDirectory()) return "folder";
    if (isSecretName(held.name)) return { refused: `${held.shown} holds secrets, and only the owner opens it.` };
    if (stats.isFile()) return "file";
    return stats.isSymbolicLink() ? symlinkRefusal(held.shown) : specialRefusal(held.shown);
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return missingRefusal(beneath(held.folder, "."), held.name, held.shown);
    throw cause;
  }
}
