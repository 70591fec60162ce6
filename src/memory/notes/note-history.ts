// What became of a note, newest first: what the owner wrote, and what calls did to it in conversations of the same memory.
import { stat } from "node:fs/promises";
import type { EventOf } from "../../contract/event.ts";
import { orIfMissing } from "../../contract/failure.ts";
import type { FileChange } from "../../contract/file-change.ts";
import { isNote } from "../../contract/names/protected-names.ts";
import type { Queryable } from "../../store/database/database.ts";
import { changesOf } from "../../store/log/changed-files.ts";
import type { Whose } from "../memory.ts";
import { type KeptVersions, memoryFiles, memoryFolder } from "./note-files.ts";

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
  for await (const event of changesOf(deps.database, { paths })) {
    if ((await memoryOf(event)) !== group) continue;
    const { atMs, conversation: sessionKey } = event;
    if (event.type === "note.written") {
      if (paths.includes(event.path)) yield { atMs, by: "owner", ...versionsOf(event) };
      continue;
    }
    for (const change of event.changes.toReversed())
      if (paths.includes(change.path)) yield { atMs, by: "assistant", sessionKey, ...versionsOf(change) };
  }
}

/** Every version of every note that the log knows of, also of those that are gone or are called otherwise by now. */
export async function versionsOfNotes(
  deps: Pick<HistoryDeps, "database" | "groupOf">,
  { group }: Whose,
): Promise<ReadonlySet<string>> {
  const memoryOf = openMemoryOf(deps);
  const versions = new Set<string>();
  const files = { paths: [...memoryFiles, memoryFolder], within: [memoryFolder] };
  const isOfNotes = ({ path }: { path: string }) =>
    isNote(path) || path === memoryFolder || path.startsWith(`${memoryFolder}/`);
  for await (const event of changesOf(deps.database, files)) {
    if ((await memoryOf(event)) !== group) continue;
    const changes = event.type === "note.written" ? [event] : event.changes;
    for (const { before, after } of changes.filter(isOfNotes))
      for (const version of [before, after]) if (version !== null) versions.add(version);
  }
  return versions;
}

/** Contents are kept once: which of these another memory has kept, too. */
export async function keptByOthers(
  deps: Pick<HistoryDeps, "database" | "groupOf">,
  { group }: Whose,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const memoryOf = openMemoryOf(deps);
  const kept = new Set<string>();
  for await (const event of changesOf(deps.database, { hashes })) {
    if ((await memoryOf(event)) === group) continue;
    const changes = event.type === "note.written" ? [event] : event.changes;
    for (const { before, after } of changes)
      for (const hash of hashes) if (hash === before || hash === after) kept.add(hash);
  }
  return kept;
}

/** Whose files an event is about: the name of the group, or undefined for the owner. */
function openMemoryOf({ groupOf }: Pick<HistoryDeps, "groupOf">) {
  const groups = new Map<string, string | undefined>();
  return async (event: EventOf<"tool.returned" | "note.written">): Promise<string | undefined> => {
    if (event.type === "note.written") return event.group;
    const { conversation } = event;
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
