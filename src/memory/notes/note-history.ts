// What became of a note, newest first: what the owner wrote, and what calls did to it in conversations of the same memory.
import { stat } from "node:fs/promises";
import { orIfMissing } from "../../contract/failure.ts";
import type { FileChange } from "../../contract/file-change.ts";
import type { Queryable } from "../../store/database/database.ts";
import { allChanges, changesOf } from "../../store/log/changed-files.ts";
import type { Whose } from "../memory.ts";
import { isOwnNote, type KeptVersions, memoryFolder } from "./note-files.ts";

export type NoteChange = {
  atMs: number;
  by: "owner" | "assistant";
  sessionKey?: string;
  before: string | null;
  after: string | null;
};

export type HistoryDeps = {
  database: Queryable;
  versions: KeptVersions;
  groupOf(conversation: string): Promise<{ name: string } | undefined>;
};

type Change = Pick<FileChange, "path" | "before" | "after">;

/** Every change of these names, whether or not what they held is still kept. */
export async function* changesOfNotes(
  deps: Pick<HistoryDeps, "database" | "groupOf">,
  { group }: Whose,
  paths: readonly string[],
): AsyncGenerator<NoteChange> {
  const memoryOf = openMemoryOf(deps);
  for await (const event of changesOf(deps.database, paths)) {
    const of = event.type === "note.written" ? event.group : await memoryOf(event.conversation);
    if (of !== group) continue;
    const { atMs, conversation: sessionKey } = event;
    if (event.type === "note.written") {
      if (paths.includes(event.path)) yield { atMs, by: "owner", ...versionsOf(event) };
      continue;
    }
    for (const change of event.changes.toReversed())
      if (paths.includes(change.path)) yield { atMs, by: "assistant", sessionKey, ...versionsOf(change) };
  }
}

/** Contents are kept once. `own`: those that notes of this memory have had, and their folders; `others`: those that any file of another memory has had. */
export async function versionsOfNotes(
  deps: Pick<HistoryDeps, "database" | "groupOf">,
  { group }: Whose,
): Promise<{ own: ReadonlySet<string>; others: ReadonlySet<string> }> {
  const memoryOf = openMemoryOf(deps);
  const [own, others] = [new Set<string>(), new Set<string>()];
  for await (const { by, path, kind, before, after } of allChanges(deps.database)) {
    const isTheirs = ("group" in by ? by.group : await memoryOf(by.conversation)) === group;
    // a folder's pack holds its files as they were
    const isOfNotes = kind === "folder" ? `${path}/`.startsWith(`${memoryFolder}/`) : isOwnNote(path, { group });
    if (isTheirs && !isOfNotes) continue;
    for (const version of [before, after]) if (version) (isTheirs ? own : others).add(version);
  }
  return { own, others };
}

/** Whose files an event is about: the name of the group, or undefined for the owner. */
function openMemoryOf({ groupOf }: Pick<HistoryDeps, "groupOf">) {
  const groups = new Map<string, string | undefined>();
  return async (conversation: string): Promise<string | undefined> => {
    if (!groups.has(conversation)) groups.set(conversation, (await groupOf(conversation))?.name);
    return groups.get(conversation);
  };
}

const mostChanges = 200;

/** Those whose every version can be read. */
export async function historyOf(
  deps: HistoryDeps,
  whose: Whose,
  { path, current }: { path: string; current: string | undefined },
): Promise<readonly NoteChange[]> {
  const found: NoteChange[] = [];
  for await (const change of changesOfNotes(deps, whose, [path])) {
    const versions = [change.before, change.after].filter((version) => version !== null && version !== current);
    const kept = await Promise.all(versions.map((version) => isKept(deps.versions, version)));
    if (kept.every(Boolean)) found.push(change);
    if (found.length === mostChanges) break;
  }
  return found;
}

async function isKept(versions: KeptVersions, version: string | null): Promise<boolean> {
  if (version === null) return true;
  return stat(versions.pathOf(version))
    .then((stats) => stats.isFile())
    .catch(orIfMissing(false));
}

function versionsOf({ before, after }: Omit<Change, "path">): Omit<Change, "path"> {
  return { before, after };
}
