import type { Stats } from "node:fs";
import { readlink } from "node:fs/promises";
import { type EntryKind, kindOf } from "./entry-kind.ts";
import { maxKeptBytes, sha256, sha256Of } from "./file-change.ts";
import { beneath } from "./held-folder.ts";
import type { Refusal } from "./refusal.ts";
import { statIfThere } from "./replace-file.ts";
import { type HeldName, withFile } from "./workspace-files.ts";

/** What stands under a name now. `sha256` null: nothing; undefined: something that no checkpoint can equal. */
export type Standing = {
  kind: EntryKind | "nothing";
  stats?: Stats;
  sha256?: string | null;
};

export async function lookAtName(held: HeldName): Promise<Standing | Refusal> {
  const stats = await statIfThere(held);
  if (!stats) return { kind: "nothing", sha256: null };
  const kind = kindOf(stats);
  if (kind === "link") {
    return { kind, stats, sha256: sha256(await readlink(beneath(held.folder, held.name), "buffer")) };
  }
  if (kind !== "file") return { kind, stats };
  return withFile(held, async ({ handle, stats }): Promise<Standing> => {
    if (stats.size > maxKeptBytes) return { kind: "file", stats };
    return { kind: "file", stats, sha256: await sha256Of(handle.createReadStream({ autoClose: false })) };
  });
}
