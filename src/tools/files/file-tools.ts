// The file tools: paths from the model come in, files of the workspace and nothing else are read and written.
import type { Tool } from "../../contract/tool.ts";
import { editTool } from "./edit-tool.ts";
import { findTool } from "./find-tool.ts";
import { grepTool } from "./grep-tool.ts";
import { listTool } from "./list-tool.ts";
import type { PathLocks } from "./path-locks.ts";
import { readTool } from "./read-tool.ts";
import { usualLimits } from "./search-tree.ts";
import { writeTool } from "./write-tool.ts";

/** The locks must be the same for every list of tools that works on the same files. */
export function fileTools(deps: { locks: PathLocks }): readonly Tool[] {
  return [readTool(), writeTool(deps), editTool(deps), listTool(), findTool(), grepTool(usualLimits)];
}
