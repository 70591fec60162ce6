// Puts a deleted folder back from its pack: what is missing is made, what stands there already is never replaced.
import { mkdir, symlink } from "node:fs/promises";
import type { FileChange } from "../../contract/file-change.ts";
import { quoteName } from "../paths/escape-text.ts";
import { sha256 } from "../paths/file-change.ts";
import { beneath, withFolderIn } from "../paths/held-folder.ts";
import { lookAtName } from "../paths/look-at-name.ts";
import { listProblems, type Refusal, unlessTaken } from "../paths/refusal.ts";
import { replaceFile } from "../paths/replace-file.ts";
import { type HeldName, withNameAt } from "../paths/workspace-files.ts";
import type { Place } from "../paths/workspace-path.ts";
import type { Checkpoints } from "./checkpoint-files.ts";
import { type PackedName, unpack } from "./folder-pack.ts";

type Made = { outcome: "made" | "there" } | Refusal;

const nothingToNote = { made: () => {} };

export async function putBackFolder(
  deps: PutBackDeps,
  place: Place,
  change: FileChange,
  pack: AsyncIterable<Buffer>,
): Promise<Undone | Refusal> {
  const folders: { place: Place; mode: number }[] = [{ place, mode: change.mode }];
  const problems: string[] = [];
  const own = await make(place, change.path, (held) => makeFolder(held));
  if ("refused" in own) return own;
  let made = own.outcome === "made" ? 1 : 0;
  for await (const { name, content } of unpack(pack)) {
    if (deps.signal.aborted)
      return { refused: `${quoteName(change.path)} was put back only in part: the undo was stopped.` };
    const at = { root: place.root, parts: [...place.parts, ...name.path.split("/")] };
    if (name.kind === "folder") folders.push({ place: at, mode: name.mode });
    const result = await make(at, `${change.path}/${name.path}`, (held) => makeName(deps, held, name, content));
    if ("refused" in result) problems.push(result.refused);
    else if (result.outcome === "made") made++;
  }
  // a folder may be closed to writing, so it gets its permissions when all is in it
  for (const folder of folders.toReversed()) await make(folder.place, "", (held) => setMode(held, folder.mode));
  return outcomeOf(change, made, problems);
}

async function make(place: Place, path: string, work: (held: HeldName) => Promise<Made>): Promise<Made> {
  return withNameAt(place, `${quoteName(path)} was not put back`, work, nothingToNote);
}

async function makeName(deps: PutBackDeps, held: HeldName, name: PackedName, content: Buffer): Promise<Made> {
  if (name.kind === "folder") return makeFolder(held);
  if (name.kind === "link") return makeLink(held, content);
  const { signal } = deps;
  const replaced = await replaceFile(held, { content, expected: "nothing", mode: name.mode, signal });
  if ("written" in replaced) return { outcome: "made" };
  return "refused" in replaced ? replaced : sameOrRefusal(held, name.kind, content);
}

async function makeFolder(held: HeldName): Promise<Made> {
  // if it is not a folder, the names in it cannot be put back, and say so
  if (!(await unlessTaken(mkdir(beneath(held.folder, held.name), 0o700)))) return { outcome: "there" };
  await held.folder.handle.sync();
  return { outcome: "made" };
}

async function makeLink(held: HeldName, target: Buffer): Promise<Made> {
  const isMade = await unlessTaken(symlink(target, beneath(held.folder, held.name)));
  return isMade ? { outcome: "made" } : sameOrRefusal(held, "link", target);
}

async function sameOrRefusal(held: HeldName, kind: "file" | "link", content: Buffer): Promise<Made> {
  const now = await lookAtName(held);
  if ("refused" in now) return now;
  if (now.kind === kind && now.sha256 === sha256(content)) return { outcome: "there" };
  return { refused: `${held.shown} was left alone: something else stands there now.` };
}

async function setMode(held: HeldName, mode: number): Promise<Made> {
  await withFolderIn(held.folder, held.name, (folder) => folder.handle.chmod(mode));
  return { outcome: "made" };
}

function outcomeOf(change: FileChange, made: number, problems: readonly string[]): Undone {
  const shown = quoteName(change.path);
  const changes = [takenBack(change)];
  if (problems.length === 0) {
    return { outcome: "put back", message: `${shown} is as it was before: ${made} names were put back.`, changes };
  }
  return { outcome: "conflict", message: `${shown}: ${made} names were put back.\n${listProblems(problems)}`, changes };
}

/** The change that an undo is, so that it too can be taken back. */
export function takenBack({ path, kind, before, after, mode }: FileChange): FileChange {
  return { path, kind, before: after, after: before, mode };
}

export type PutBackDeps = { checkpoints: Checkpoints; signal: AbortSignal };

/** already: it is as it was before. conflict: something else happened to it since. lost: what was there is not kept. */
export type Undone = {
  outcome: "put back" | "already" | "conflict" | "lost";
  message: string;
  /** What this did in turn. */
  changes: readonly FileChange[];
};
