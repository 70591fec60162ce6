// Before a name is changed, what stands there is kept, so that the change can be undone.
import type { Stats } from "node:fs";
import { maxKeptBytes } from "../paths/file-change.ts";
import { orRefusal, type Refusal } from "../paths/refusal.ts";
import { refusalForWriting, statIfThere } from "../paths/replace-file.ts";
import { type HeldName, readWhole, withFile } from "../paths/workspace-files.ts";
import type { Checkpoints } from "./checkpoint-files.ts";

/** `sha256` null: nothing was there, or, with `stats`, a file too large to keep. */
export type Earlier = { stats: Stats | undefined; sha256: string | null };

export const nothingEarlier: Earlier = { stats: undefined, sha256: null };

/** What stands under a name that is to be written, kept; or nothing. */
export async function keepEarlier(checkpoints: Checkpoints, held: HeldName): Promise<Earlier | Refusal> {
  const seen = await statIfThere(held);
  if (!seen) return nothingEarlier;
  const refusal = refusalForWriting(seen, held.shown);
  if (refusal) return refusal;
  return withFile(held, async ({ handle, stats }): Promise<Earlier | Refusal> => {
    const bytes = stats.size > maxKeptBytes ? undefined : await readWhole(handle, maxKeptBytes);
    if (!bytes) return { stats, sha256: null };
    const sha256 = await keepOrRefusal(held, () => checkpoints.keep(bytes));
    return typeof sha256 === "string" ? { stats, sha256 } : sha256;
  });
}

export async function keepOrRefusal<T>(held: HeldName, keep: () => Promise<T>): Promise<T | Refusal> {
  return orRefusal(`${held.shown} was left as it is, because its content could not be kept for an undo`, keep);
}

export const cannotBeUndone = ` This cannot be undone: what was there had more than ${maxKeptBytes / 1024 / 1024} MB.`;
