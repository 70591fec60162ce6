// Earlier texts of the notes that speak of something: kept for an undo, also of notes that are gone or say something else by now.

import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import type { Whose } from "../memory.ts";
import type { KeptVersions } from "../notes/note-files.ts";
import { type HistoryDeps, keptByOthers, versionsOfNotes } from "../notes/note-history.ts";
import type { SpeaksOf } from "./asked-words.ts";

export type EarlierDeps = Pick<HistoryDeps, "database" | "groupOf"> & { versions: KeptVersions };

/** By their hashes. What another memory has kept as well stays, since it is theirs. */
export async function earlierVersions(
  deps: EarlierDeps,
  whose: Whose,
  speaksOf: SpeaksOf,
): Promise<ReadonlySet<string>> {
  const speaking = new Set<string>();
  for (const version of await versionsOfNotes(deps, whose)) {
    const content = await deps.versions.read(version);
    const text = content ? (await buffer(content)).toString("utf8") : "";
    // a folder's pack holds its files as they were
    if (speaksOf.mayHold(text) && text.split("\n").some((line) => speaksOf.times(line) > 0)) speaking.add(version);
    await setImmediate();
  }
  for (const version of await keptByOthers(deps, whose, [...speaking])) speaking.delete(version);
  return speaking;
}
