// The file tools: paths from the model come in, files of the workspace and nothing else are read and written.
import type { Tool } from "../../contract/tool.ts";
import type { Checkpoints } from "./checkpoint-files.ts";
import { deleteTool } from "./delete-tool.ts";
import { editTool } from "./edit-tool.ts";
import { sha256 } from "./file-change.ts";
import { findTool } from "./find-tool.ts";
import { grepTool } from "./grep-tool.ts";
import { listTool } from "./list-tool.ts";
import type { OutputStore } from "./output-store.ts";
import type { PathLocks } from "./path-locks.ts";
import { readOutputTool } from "./read-output-tool.ts";
import { readTool } from "./read-tool.ts";
import { openSearchThreads } from "./search-threads.ts";
import { usualLimits } from "./search-tree.ts";
import { writeTool } from "./write-tool.ts";

export type FileToolsDeps = {
  /** Must be the same for every list of tools that works on the same files. */
  locks: PathLocks;
  /** Without it nothing can be undone, and so nothing be deleted. */
  checkpoints?: Checkpoints;
  outputs?: OutputStore;
};

export function fileTools(deps: FileToolsDeps): readonly Tool[] {
  const { locks, checkpoints, outputs } = deps;
  const search = { threads: openSearchThreads({ idleMs: 10_000 }), limits: usualLimits };
  const changing = checkpoints
    ? [writeTool({ locks, checkpoints }), editTool({ locks, checkpoints })]
    : [writeTool({ locks, checkpoints: onlyHashes }), editTool({ locks, checkpoints: onlyHashes })].map(withoutUndo);
  return [
    readTool(),
    ...changing,
    listTool(),
    findTool(search),
    grepTool(search),
    ...(checkpoints ? [deleteTool({ locks, checkpoints })] : []),
    ...(outputs ? [readOutputTool(outputs)] : []),
  ];
}

const onlyHashes: Checkpoints = {
  keep: async (content) => (content instanceof Uint8Array ? sha256(content) : ""),
  read: async () => undefined,
  removeOld: async () => 0,
};

function withoutUndo(tool: Tool): Tool {
  return { ...tool, undo: { kind: "impossible", reason: "earlier versions of files are not kept here" } };
}
