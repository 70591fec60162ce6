// Puts one name back to what it was, if what stands there now is what the change left behind.
import { symlink } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { FileChange } from "../../contract/file-change.ts";
import { planDelete, standingOf } from "../files/delete-plan.ts";
import { beneath } from "../paths/held-folder.ts";
import type { Standing } from "../paths/look-at-name.ts";
import { type Refusal, unlessTaken } from "../paths/refusal.ts";
import { replaceFile } from "../paths/replace-file.ts";
import type { HeldName } from "../paths/workspace-files.ts";
import type { Place } from "../paths/workspace-path.ts";
import { keepEarlier } from "./keep-earlier.ts";
import { type PutBackDeps, putBackFolder, takenBack, type Undone } from "./put-back-folder.ts";

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
  if (problems.length > 0) return { outcome: "conflict", message: problems.join("\n"), changes: [] };
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
  return "changed" in replaced ? conflict(held) : done(held, change);
}

async function putBackLink(held: HeldName, change: FileChange, target: Buffer): Promise<Undone> {
  if (!(await unlessTaken(symlink(target, beneath(held.folder, held.name))))) return conflict(held);
  await held.folder.handle.sync();
  return done(held, change);
}

function done(held: HeldName, change: FileChange): Undone {
  return { outcome: "put back", message: `${held.shown} is as it was before.`, changes: [takenBack(change)] };
}

function conflict(held: HeldName): Undone {
  return unchanged("conflict", `${held.shown} was left alone: something else has changed it since.`);
}

function unchanged(outcome: Undone["outcome"], message: string): Undone {
  return { outcome, message, changes: [] };
}
