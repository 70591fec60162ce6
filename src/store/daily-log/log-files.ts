// The files of the log in one folder: one a day, and more when a day has much to tell. By their names they are in order.
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { orIfMissing } from "../../contract/failure.ts";

const ours = /^\d{4}-\d\d-\d\d(\.\d{4})?\.jsonl$/;

export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The one that is written to on that day. */
export function fileOfDay(day: string): string {
  return `${day}.jsonl`;
}

/** Oldest first: the parts of a day that were set aside, then the one of the day itself. */
export async function logFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(orIfMissing<string[]>([]));
  return names.filter((name) => ours.test(name)).sort();
}

/** Sets the file of a day aside, so that the next line begins a new one. */
export async function setAside(folder: string, day: string): Promise<void> {
  const parts = (await logFilesIn(folder)).filter((name) => name.startsWith(day) && name !== fileOfDay(day));
  const last = Number(parts.at(-1)?.slice(11, 15) ?? 0);
  const part = String(last + 1).padStart(4, "0");
  // somebody may have taken it away
  await rename(join(folder, fileOfDay(day)), join(folder, `${day}.${part}.jsonl`)).catch(orIfMissing(undefined));
}

/** Removes what is older than wanted, then the oldest of what is too much; the newest stays. */
export async function removeOldFiles(folder: string, kept: { sinceDay: string; bytes: number }): Promise<void> {
  let bytes = 0;
  for (const [age, name] of (await logFilesIn(folder)).toReversed().entries()) {
    const path = join(folder, name);
    bytes += (await stat(path)).size;
    if (name.slice(0, 10) < kept.sinceDay || (age > 0 && bytes > kept.bytes)) await rm(path, { force: true });
  }
}
