// Earlier texts of the notes that speak of something: kept for an undo, also of notes that are gone or say something else by now.

import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import type { Whose } from "../memory.ts";
import { folderOf, isOwnNote, type KeptVersions, type NotePlaces, type NoteTexts } from "../notes/note-files.ts";
import { type HistoryDeps, versionsOfNotes } from "../notes/note-history.ts";
import type { SpeaksOf } from "./asked-words.ts";

export type EarlierDeps = NotePlaces &
  Pick<HistoryDeps, "database" | "groupOf"> & { versions: KeptVersions; texts: Pick<NoteTexts, "read"> };

/** By their hashes. What another memory has kept as well stays, since it is theirs; and so does what one of `paths` says now. */
export async function earlierVersions(
  deps: EarlierDeps,
  whose: Whose,
  { speaksOf, paths }: { speaksOf: SpeaksOf; paths: Iterable<string> },
): Promise<ReadonlySet<string>> {
  const { own, others } = await versionsOfNotes(deps, whose);
  const earlier = own.difference(others).difference(await versionsNow(deps, whose, paths));
  const speaking = new Set<string>();
  for (const version of earlier) {
    const content = await deps.versions.read(version);
    const text = content ? (await buffer(content)).toString("utf8") : "";
    // a folder's pack holds its files as they were
    if (speaksOf.mayHold(text) && text.split("\n").some((line) => speaksOf.times(line) > 0)) speaking.add(version);
    await setImmediate();
  }
  return speaking;
}

async function versionsNow(deps: EarlierDeps, whose: Whose, paths: Iterable<string>): Promise<ReadonlySet<string>> {
  const now = new Set<string>();
  for (const path of new Set(paths)) {
    if (!isOwnNote(path, whose)) continue;
    const read = await deps.texts.read(folderOf(deps, whose), path);
    if (!("refused" in read)) now.add(read.version);
  }
  return now;
}
