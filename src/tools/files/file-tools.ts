// The file tools: paths from the model come in, files of the workspace and nothing else are read and written.
import type { Tool } from "../../contract/tool.ts";
import type { OutputStore } from "../outputs/output-store.ts";
import { readOutputTool } from "../outputs/read-output-tool.ts";
import { searchTools } from "../search/search-tools.ts";
import type { FileChanges } from "../undo/file-changes.ts";
import { deleteTool } from "./delete-tool.ts";
import { editTool } from "./edit-tool.ts";
import { readTool } from "./read-tool.ts";
import { writeTool } from "./write-tool.ts";

export function fileTools(deps: FileChanges & { outputs: OutputStore }): readonly Tool[] {
  return [
    readTool(),
    writeTool(deps),
    editTool(deps),
    ...searchTools(),
    deleteTool(deps),
    readOutputTool(deps.outputs),
  ];
}
