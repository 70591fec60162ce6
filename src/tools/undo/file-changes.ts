import { join } from "node:path";
import type { World } from "../../contract/world.ts";
import { openPathLocks, type PathLocks } from "../paths/path-locks.ts";
import { type Checkpoints, openCheckpointFiles } from "./checkpoint-files.ts";
import { type OwnTexts, openOwnTexts } from "./own-texts.ts";

/** What everybody shares who changes files: one lock a path, and what was there before. */
export type FileChanges = {
  /** Must be the same for every list of tools that works on the same files. */
  locks: PathLocks;
  checkpoints: Checkpoints;
  /** Why a name must not be replaced right now, if there is a reason. */
  whyKeep(path: string): string | undefined;
  /** As a model has read what is there. */
  redact(text: string): string;
};

/** And what the owner changes without the agent. */
export type SharedFileChanges = FileChanges & { ownTexts: OwnTexts };

export function openFileChanges(deps: {
  home: string;
  world: World;
  whyKeep(path: string): string | undefined;
  redact(text: string): string;
}): SharedFileChanges {
  const folder = join(deps.home, "data", "checkpoints");
  const locks = openPathLocks();
  const checkpoints = openCheckpointFiles({ folder, nowMs: deps.world.nowMs });
  const { whyKeep, redact } = deps;
  return { locks, checkpoints, whyKeep, redact, ownTexts: openOwnTexts({ locks, checkpoints, whyKeep }) };
}
