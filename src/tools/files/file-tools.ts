// The file tools: paths from the model come in, files of the workspace and nothing else are read and written.
import type { Tool } from "../../contract/tool.ts";
import type { OutputStore } from "../outputs/output-store.ts";
import { readOutputTool } from "../outputs/read-output-tool.ts";
import type { PathLocks } from "../paths/path-locks.ts";
import { findTool } from "../search/find-tool.ts";
import { grepTool } from "../search/grep-tool.ts";
import { listTool } from "../search/list-tool.ts";
import { usualLimits } from "../search/search-tree.ts";
import { openSearchThreads } from "../search/threads/search-threads.ts";
import type { Checkpoints } from "../undo/checkpoint-files.ts";
import { deleteTool } from "./delete-tool.ts";
import { editTool } from "./edit-tool.ts";
import { readTool } from "./read-tool.ts";
import { writeTool } from "./write-tool.ts";

export type FileToolsDeps = {
  /** Must be the same for every list of tools that works on the same files. */
  locks: PathLocks;
  checkpoints: Checkpoints;
  outputs: OutputStore;
  /** Why a name must not be replaced right now, if there is a reason. */
  whyKeep(path: string): string | undefined;
};

export function fileTools(deps: FileToolsDeps): readonly Tool[] {
  const { locks, checkpoints, outputs, whyKeep } = deps;
  const search = { threads: openSearchThreads({ idleMs: 10_000 }), limits: usualLimits };
  return [
    readTool(),
    writeTool({ locks, checkpoints, whyKeep }),
    editTool({ locks, checkpoints, whyKeep }),
    listTool(),
    findTool(search),
    grepTool(search),
    deleteTool({ locks, checkpoints, whyKeep }),
    readOutputTool(outputs),
  ];
}
