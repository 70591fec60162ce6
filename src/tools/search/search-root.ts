// Where a search begins: a path of the workspace comes in, a folder or one file of it goes out.
import { isSecretName } from "../../contract/names/protected-names.ts";
import type { Reach } from "../../contract/tool.ts";
import { quoteName } from "../paths/escape-text.ts";
import { beneath } from "../paths/held-folder.ts";
import { missingRefusal } from "../paths/missing-name.ts";
import type { Refusal } from "../paths/refusal.ts";
import { statIfThere } from "../paths/replace-file.ts";
import { type HeldName, refusalForKind, withNameAt } from "../paths/workspace-files.ts";
import { findPlace } from "../paths/workspace-path.ts";
import { namedFolders, readGlob } from "./glob.ts";
import type { SearchJob, SearchTask } from "./threads/search-job.ts";

export type SearchWish = { path: string | undefined; glob: string | undefined; wanted: SearchJob["wanted"] };
export type SearchRoot = { job: SearchJob; task: SearchTask };

export async function findSearchRoot(reach: Reach, wish: SearchWish): Promise<SearchRoot | Refusal> {
  const { path = ".", glob, wanted } = wish;
  const read = glob === undefined ? undefined : readGlob(glob);
  if (read && "refused" in read) return read;
  // models like to write folders as "src/"
  const place = await findPlace(reach, path.replace(/(?<=[^/])\/$/, ""), "read");
  if ("refused" in place) return place;
  const { root, parts, prefix } = place;
  if (parts.some((name, at) => isSecretName(name, at < parts.length - 1 ? "folder" : "file")))
    return { refused: `${quoteName(path)} holds secrets, and only the owner opens it.` };
  const kind = parts.length === 0 ? "folder" : await withNameAt(place, "The folder cannot be searched", searchableKind);
  if (typeof kind !== "string") return kind;
  const base = kind === "folder" ? parts : parts.slice(0, -1);
  return {
    job: { root, base, prefix, glob, named: [...base, ...namedFolders(glob ?? "")], wanted },
    task: kind === "folder" ? { folder: "" } : { folder: "", names: parts.slice(-1) },
  };
}

// the search opens it again without following a link, whatever stands there by then
async function searchableKind(held: HeldName): Promise<"folder" | "file" | Refusal> {
  const stats = await statIfThere(held);
  if (!stats) return missingRefusal(beneath(held.folder, "."), held.name, held.shown);
  if (stats.isDirectory()) return "folder";
  return refusalForKind(stats, held.shown) ?? "file";
}
