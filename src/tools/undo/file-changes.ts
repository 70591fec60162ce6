import { join } from "node:path";
import type { World } from "../../contract/world.ts";
import { openPathLocks, type PathLocks } from "../paths/path-locks.ts";
import { type Checkpoints, openCheckpointFiles } from "./checkpoint-files.ts";

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

export function openFileChanges(deps: {
  home: string;
  world: World;
  whyKeep(path: string): string | undefined;
  redact(text: string): string;
}): FileChanges {
  const folder = join(deps.home, "data", "checkpoints");
  return {
    locks: openPathLocks(),
    checkpoints: openCheckpointFiles({ folder, nowMs: deps.world.nowMs }),
    whyKeep: deps.whyKeep,
    redact: deps.redact,
  };
}
