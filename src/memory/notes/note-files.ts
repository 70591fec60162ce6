// Which files are the notes of a memory, and what the notes need of those who change files.
import { join } from "node:path";
import { removedGroupName } from "../../contract/channel/group.ts";
import { isNote, memoryNames, type ProtectedName, steeringNames } from "../../contract/names/protected-names.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { Whose } from "../memory.ts";
import type { FilesPlace } from "../sources/files-place.ts";

type Refusal = { refused: string; isMissing?: true };

/** Texts below a folder; `version` is the hash of the bytes. No link is followed. */
export type NoteTexts = {
  read(folder: string, path: string): Promise<{ bytes: Buffer; version: string } | Refusal>;
  /** `expected` null: nothing stands there. `changed`: another version does by now, and nothing was written. */
  replace(
    folder: string,
    path: string,
    change: { content: Uint8Array; expected: string | null; keeps: boolean },
  ): Promise<{ version: string } | { changed: string } | Refusal>;
};

/** Earlier contents, each under its hash. */
export type KeptVersions = {
  read(version: string): Promise<AsyncIterable<Buffer> | undefined>;
  pathOf(version: string): string;
};

export type NotePlaces = { home: string; workspace: string };

/** The folder in which a memory's files lie. */
export function folderOf({ home, workspace }: NotePlaces, { group }: Whose): string {
  if (group === undefined) return workspace;
  // it stands for all that are no more, and no memory is theirs together
  if (group === removedGroupName) throw new CallRefused("not_found", "There is no such group any more.");
  return join(home, "groups", group);
}

/** All that is looked through in it; a group knows of the owner's files the one that is for all of them. */
export function filesPlaceOf(places: NotePlaces, whose: Whose, extraPaths: readonly string[] = []): FilesPlace {
  const folder = folderOf(places, whose);
  if (whose.group === undefined) return { folder, extraPaths };
  return { folder, extraPaths: [], globalFile: join(places.workspace, "GLOBAL.md") };
}

const memoryFiles: readonly string[] = namesOf("file", memoryNames);
export const memoryFolder = "memory";

/** The files that shape the assistant, which only the owner has. */
export const steeringFiles: readonly string[] = namesOf("file", steeringNames);

function namesOf(kind: ProtectedName["kind"], names: readonly ProtectedName[]): readonly string[] {
  return names.filter((one) => one.kind === kind).map(({ name }) => name);
}

/** Whether it may be written here: a note, or for the owner a file that shapes the assistant. */
export function isOwnNote(path: string, { group }: Whose): boolean {
  return isNote(path) || (group === undefined && steeringFiles.includes(path));
}

export function requireNote(path: string, whose: Whose): void {
  if (isOwnNote(path, whose)) return;
  throw new CallRefused(
    "invalid",
    `${path} is no note. Notes are ${memoryFiles.join(", ")} and the .md files in memory/.`,
  );
}
