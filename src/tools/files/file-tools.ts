// The file tools: paths from the model come in, files of the workspace and nothing else are read and written.
import type { Tool } from "../../contract/tool.ts";
import type { OutputStore } from "../outputs/output-store.ts";
import { readOutputTool } from "../outputs/read-output-tool.ts";
import type { PathLocks } from "../paths/path-locks.ts";
import { searchTools } from "../search/search-tools.ts";
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
  return [
    readTool(),
    writeTool({ locks, checkpoints, whyKeep }),
    editTool({ locks, checkpoints, whyKeep }),
    ...searchTools(),
    deleteTool({ locks, checkpoints, whyKeep }),
    readOutputTool(outputs),
  ];
}
