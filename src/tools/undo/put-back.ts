// Puts one name back to what it was, if what stands there now is what the change left behind.
import { mkdir, symlink } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { FileChange } from "../../contract/file-change.ts";
import { planDelete, standingOf } from "../files/delete-plan.ts";
import { quoteName } from "../paths/escape-text.ts";
import { sha256 } from "../paths/file-change.ts";
import { beneath, withFolderIn } from "../paths/held-folder.ts";
import { lookAtName, type Standing } from "../paths/look-at-name.ts";
import { listProblems, type Refusal, unlessTaken } from "../paths/refusal.ts";
import { replaceFile } from "../paths/replace-file.ts";
import { type HeldName, withNameAt } from "../paths/workspace-files.ts";
import { type Place, pathOf } from "../paths/workspace-path.ts";
import type { Checkpoints } from "./checkpoint-files.ts";
import { type PackedName, unpack } from "./folder-pack.ts";
import { keepEarlier } from "./keep-earlier.ts";

export type PutBackDeps = { checkpoints: Checkpoints; signal: AbortSignal };

/** already: it is as it was before. conflict: something else happened to it since. lost: what was there is not kept. */
export type Undone = {
  outcome: "put back" | "already" | "conflict" | "lost";
  message: string;
  /** What this did in turn. */
  changes: readonly FileChange[];
};

/** One name of a folder; not made: it stands there already as it was. */
type Made = { made: boolean } | Refusal;

export async function putBack(
  deps: PutBackDeps,
  place: Place,
  held: HeldName,
  change: FileChange,
): Promise<Undone | Refusal> {
  const now = await standingOf(held, deps.signal);
  if ("refused" in now) return now;
  if (isAt(now, change, change.before)) return unchanged("already", `${held.shown} is already as it was before.`);
  // a folder that is there again takes back what is missing in it
  const isMerge = change.kind === "folder" && change.before !== null && now.kind === "folder";
  if (!isAt(now, change, change.after) && !isMerge) return conflict(held);
  if (change.before === null) return takeAway(deps, held, change);
  const content = await deps.checkpoints.read(change.before);
  if (!content) return unchanged("lost", `${held.shown} cannot be put back: its earlier content is no longer kept.`);
  switch (change.kind) {
    case "folder":
      return putBackFolder(deps, place, change, content);
    case "link":
      return putBackLink(held, change, await buffer(content));
    case "file":
      return putBackFile(deps, held, change, await buffer(content));
    default:
      return change.kind satisfies never;
  }
}

function isAt(now: Standing, change: FileChange, sha256: string | null): boolean {
  return now.kind === (sha256 === null ? "nothing" : change.kind) && now.sha256 === sha256;
}

async function takeAway(deps: PutBackDeps, held: HeldName, change: FileChange): Promise<Undone | Refusal> {
  const { checkpoints, signal } = deps;
  const plan = await planDelete(checkpoints, held, { recursive: true, signal });
  if ("refused" in plan) return plan;
  if (plan.change.before !== change.after) return conflict(held);
  const problems = await plan.remove();
  if (problems.length > 0) return unchanged("conflict", problems.join("\n"));
  await held.folder.handle.sync();
  return { outcome: "put back", message: `${held.shown} was removed again.`, changes: [plan.change] };
}

async function putBackFile(
  deps: PutBackDeps,
  held: HeldName,
  change: FileChange,
  content: Buffer,
): Promise<Undone | Refusal> {
  const earlier = await keepEarlier(deps.checkpoints, held);
  if ("refused" in earlier) return earlier;
  if (earlier.sha256 !== change.after) return conflict(held);
  const expected = earlier.stats ?? "nothing";
  const replaced = await replaceFile(held, { content, expected, mode: change.mode, signal: deps.signal });
  if ("refused" in replaced) return replaced;
  return "changed" in replaced ? conflict(held) : done(held.shown, change);
}

async function putBackLink(held: HeldName, change: FileChange, target: Buffer): Promise<Undone> {
  if (!(await unlessTaken(symlink(target, beneath(held.folder, held.name))))) return conflict(held);
  await held.folder.handle.sync();
  return done(held.shown, change);
}

/** From its pack: what is missing is made, what stands there already is never replaced. */
async function putBackFolder(
  deps: PutBackDeps,
  place: Place,
  change: FileChange,
  pack: AsyncIterable<Buffer>,
): Promise<Undone | Refusal> {
  const shown = quoteName(change.path);
  const folders = [{ place, mode: change.mode }];
  const problems: string[] = [];
  const own = await within(place, makeFolder);
  if ("refused" in own) return own;
  let count = own.made ? 1 : 0;
  for await (const { name, content } of unpack(pack)) {
    if (deps.signal.aborted) return { refused: `${shown} was put back only in part: the undo was stopped.` };
    const at = { ...place, parts: [...place.parts, ...name.path.split("/")] };
    if (name.kind === "folder") folders.push({ place: at, mode: name.mode });
    const result = await within(at, (held) => makeName(deps, held, name, content));
    if ("refused" in result) problems.push(result.refused);
    else if (result.made) count++;
  }
  // a folder may be closed to writing, so it gets its permissions when all is in it
  for (const { place, mode } of folders.toReversed())
    await within(place, ({ folder, name }) => withFolderIn(folder, name, ({ handle }) => handle.chmod(mode)));
  if (problems.length === 0) return done(shown, change, `: ${count} names were put back`);
  const message = `${shown}: ${count} names were put back.\n${listProblems(problems)}`;
  return { outcome: "conflict", message, changes: [takenBack(change)] };
}

function within<T>(place: Place, work: (held: HeldName) => Promise<T>): Promise<T | Refusal> {
  return withNameAt(place, `${quoteName(pathOf(place))} was not put back`, work, { made: () => {} });
}

async function makeName(deps: PutBackDeps, held: HeldName, name: PackedName, content: Buffer): Promise<Made> {
  if (name.kind === "folder") return makeFolder(held);
  if (name.kind === "link") {
    const made = await unlessTaken(symlink(content, beneath(held.folder, held.name)));
    return made ? { made } : sameOrRefusal(held, name.kind, content);
  }
  const { signal } = deps;
  const replaced = await replaceFile(held, { content, expected: "nothing", mode: name.mode, signal });
  if ("written" in replaced) return { made: true };
  return "refused" in replaced ? replaced : sameOrRefusal(held, name.kind, content);
}

async function makeFolder(held: HeldName): Promise<Made> {
  // if it is not a folder, the names in it cannot be put back, and say so
  const made = await unlessTaken(mkdir(beneath(held.folder, held.name), 0o700));
  if (made) await held.folder.handle.sync();
  return { made };
}

async function sameOrRefusal(held: HeldName, kind: "file" | "link", content: Buffer): Promise<Made> {
  const now = await lookAtName(held);
  if ("refused" in now) return now;
  if (now.kind === kind && now.sha256 === sha256(content)) return { made: false };
  return { refused: `${held.shown} was left alone: something else stands there now.` };
}

function done(shown: string, change: FileChange, more = ""): Undone {
  return { outcome: "put back", message: `${shown} is as it was before${more}.`, changes: [takenBack(change)] };
}

function conflict(held: HeldName): Undone {
  return unchanged("conflict", `${held.shown} was left alone: something else has changed it since.`);
}

export function unchanged(outcome: Undone["outcome"], message: string): Undone {
  return { outcome, message, changes: [] };
}

/** The change that an undo is, so that it too can be taken back. */
function takenBack({ path, kind, before, after, mode }: FileChange): FileChange {
  return { path, kind, before: after, after: before, mode };
}
