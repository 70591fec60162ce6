// The notes as the owner reads and writes them on the page: a path comes in, a text with its version goes out.
import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { installationKey } from "../../contract/event.ts";
import { orIfMissing } from "../../contract/failure.ts";
import { isNote } from "../../contract/names/protected-names.ts";
import type { Sender } from "../../contract/sender.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import type { Whose } from "../memory.ts";
import { listMemoryFiles, readMemoryFile } from "../sources/files.ts";
import {
  filesPlaceOf,
  folderOf,
  isOwnNote,
  type NotePlaces,
  type NoteTexts,
  requireNote,
  steeringFiles,
} from "./note-files.ts";
import { type HistoryDeps, historyOf, type NoteChange } from "./note-history.ts";

export type NoteFile = { path: string; bytes: number; changedAtMs: number };

/** `isNote` false: it is only read. */
export type ReadNote = { text: string; version: string; isNote: boolean };

export type Notes = {
  list(whose: Whose): Promise<readonly NoteFile[]>;
  /** `version`: one of its history. */
  read(whose: Whose, path: string, version?: string): Promise<ReadNote>;
  write(
    whose: Whose,
    note: { path: string; text: string; version: string | null; by: Sender },
  ): Promise<{ version: string }>;
  history(whose: Whose, path: string): Promise<readonly NoteChange[]>;
};

export type NotesDeps = NotePlaces &
  HistoryDeps & {
    log: Pick<EventLog, "append">;
    texts: NoteTexts;
    /** Further files of the owner's memory, which are only read. */
    extraPaths: readonly string[];
  };

export function openNotes(deps: NotesDeps): Notes {
  return {
    list: (whose) => listNotes(deps, whose),
    async read(whose, path, version) {
      if (!isOwnNote(path, whose)) return readBeside(deps, whose, path);
      const now = await readNow(deps, whose, path);
      if (version === undefined || version === now?.version) return textOf(path, required(path, now));
      return textOf(path, { bytes: await readEarlier(deps, whose, { path, current: now?.version }, version), version });
    },
    write: (whose, note) => writeNote(deps, whose, note),
    async history(whose, path) {
      const current = (await readNow(deps, whose, path))?.version;
      return historyOf(deps, whose, { path, current });
    },
  };
}

/** What is searched, too, and lies elsewhere. */
async function readBeside(deps: NotesDeps, whose: Whose, path: string): Promise<ReadNote> {
  const file = await readMemoryFile(filesPlaceOf(deps, whose, deps.extraPaths), path);
  if (!file) requireNote(path, whose);
  const text = file?.text ?? "";
  return { text, version: createHash("sha256").update(text).digest("hex"), isNote: false };
}

type Stored = { bytes: Uint8Array; version: string };

/** Undefined: there is no such file. */
async function readNow(deps: NotesDeps, whose: Whose, path: string): Promise<Stored | undefined> {
  requireNote(path, whose);
  const read = await deps.texts.read(folderOf(deps, whose), path);
  if (!("refused" in read)) return read;
  if (read.isMissing) return undefined;
  throw new CallRefused("failed", read.refused);
}

function required(path: string, stored: Stored | undefined): Stored {
  if (!stored) throw new CallRefused("not_found", `There is no ${path}.`);
  return stored;
}

/** What is not of its own history is not handed out: all earlier contents of all files lie in one folder. */
async function readEarlier(
  deps: NotesDeps,
  whose: Whose,
  { path, current }: { path: string; current: string | undefined },
  version: string,
): Promise<Uint8Array> {
  const changes = await historyOf(deps, whose, { path, current });
  const isIts = changes.some(({ before, after }) => before === version || after === version);
  const content = isIts ? await deps.versions.read(version) : undefined;
  if (!content) throw new CallRefused("not_found", `This version of ${path} is no longer kept.`);
  return buffer(content);
}

function textOf(path: string, { bytes, version }: Stored): ReadNote {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), version, isNote: true };
  } catch {
    // saving it from here would destroy what cannot be shown
    throw new CallRefused("failed", `${path} is no UTF-8 text. Open it with an editor on this machine.`);
  }
}

async function writeNote(
  deps: NotesDeps,
  whose: Whose,
  { path, text, version, by }: { path: string; text: string; version: string | null; by: Sender },
): Promise<{ version: string }> {
  requireNote(path, whose);
  const content = Buffer.from(text.toWellFormed(), "utf8");
  const now = await readNow(deps, whose, path);
  if (now && now.version === version && content.equals(now.bytes)) return { version };
  const change = { content, expected: version, keeps: true };
  const written = await deps.texts.replace(folderOf(deps, whose), path, change);
  if ("changed" in written)
    throw new CallRefused(
      "conflict",
      version === null
        ? `There is a ${path} by now. Open it, and add to it what you want to keep of yours.`
        : `${path} was changed since you opened it. Open it again, and make your change there.`,
    );
  if ("refused" in written) throw new CallRefused(written.isMissing ? "conflict" : "failed", written.refused);
  const { version: after } = written;
  const group = whose.group !== undefined && { group: whose.group };
  await deps.log.append([
    { type: "note.written", conversation: installationKey, ...group, path, before: version, after, by },
  ]);
  return { version: after };
}

const mostNotes = 5_000;

async function listNotes(deps: NotePlaces, whose: Whose): Promise<readonly NoteFile[]> {
  const place = filesPlaceOf(deps, whose);
  const { files } = await listMemoryFiles(place);
  const notes = files.map(({ name }) => name).filter(isNote);
  const shaping = whose.group === undefined ? steeringFiles : [];
  const found: NoteFile[] = [];
  for (const path of [...notes.slice(0, mostNotes).sort(byPlace), ...shaping]) {
    const file = await noteFile(place.folder, path);
    if (file) found.push(file);
  }
  return found;
}

function byPlace(one: string, other: string): number {
  return Number(one.includes("/")) - Number(other.includes("/")) || one.localeCompare(other);
}

async function noteFile(folder: string, path: string): Promise<NoteFile | undefined> {
  const stats = await lstat(join(folder, path)).catch(orIfMissing(undefined));
  return stats?.isFile() ? { path, bytes: stats.size, changedAtMs: stats.mtimeMs } : undefined;
}
