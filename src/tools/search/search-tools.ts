// Searching: names and lines of the workspace are looked for, by threads of their own, and nothing is changed.
import type { Tool } from "../../contract/tool.ts";
import { findTool } from "./find-tool.ts";
import { grepTool } from "./grep-tool.ts";
import { listTool } from "./list-tool.ts";
import { openSearchThreads } from "./threads/search-threads.ts";

export function searchTools(): readonly Tool[] {
  const search = openSearchThreads({ idleMs: 10_000 });
  return [listTool(), findTool(search), grepTool(search)];
}
