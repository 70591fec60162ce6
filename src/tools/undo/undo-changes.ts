// Takes back what calls did to files, last first, and only where nothing has happened since.
import type { FileChange } from "../../contract/file-change.ts";
import type { Reach } from "../../contract/tool.ts";
import { quoteName } from "../paths/escape-text.ts";
import { folderMade } from "../paths/file-change.ts";
import { lockKey, type PathLocks } from "../paths/path-locks.ts";
import { withNameAt } from "../paths/workspace-files.ts";
import { findPlace } from "../paths/workspace-path.ts";
import { type PutBackDeps, putBack, type Undone, unchanged } from "./put-back.ts";

export type UndoDeps = PutBackDeps & Reach & { locks: PathLocks };
export type UndoneChange = Undone & { path: string };
export type Undoing = {
  undone: readonly UndoneChange[];
  /** What the undo did in turn, so that it too can be taken back. */
  changes: readonly FileChange[];
  /** For a person: one sentence for each name. */
  output: string;
};

export async function undoChanges(deps: UndoDeps, changes: readonly FileChange[]): Promise<Undoing> {
  const undone: UndoneChange[] = [];
  for (const change of changes.toReversed()) undone.push({ path: change.path, ...(await undoChange(deps, change)) });
  return { undone, changes: undone.flatMap((one) => one.changes), output: wordsFor(undone) };
}

async function undoChange(deps: UndoDeps, change: FileChange): Promise<Undone> {
  const shown = quoteName(change.path);
  if (deps.signal.aborted) return unchanged("conflict", `${shown} was left alone: the undo was stopped.`);
  if (change.notKept) return unchanged("lost", `${shown} cannot be put back: it was too large to keep.`);
  const place = await findPlace(deps, change.path, "write");
  if ("refused" in place) return unchanged("conflict", place.refused);
  const folders: FileChange[] = [];
  const made = (path: string) => void folders.push(folderMade(path));
  // what is to be put back may need its folder again; what is to go does not
  const missing = change.before === null ? "refuse" : { made };
  const undone = await deps.locks.hold(lockKey(place), () =>
    withNameAt(place, `${shown} was not put back`, (held) => putBack(deps, place, held, change), missing),
  );
  if (!("refused" in undone)) return { ...undone, changes: [...folders, ...undone.changes] };
  // where there is no folder, nothing is in it
  if (change.before === null && undone.isMissing) return unchanged("already", `${shown} is already as it was before.`);
  return unchanged("conflict", undone.refused);
}

function wordsFor(undone: readonly UndoneChange[]): string {
  if (undone.length === 0) return "There is nothing to undo.";
  if (undone.every(({ outcome }) => outcome === "already"))
    return "This has already been undone: everything is as it was before.";
  return undone.map(({ message }) => message).join("\n");
}
