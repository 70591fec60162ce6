// What the agent can do with what lasts: find it, read around it, add to it, and have it forgotten.
import type { Tool } from "../../contract/tool.ts";
import type { Memory } from "../memory.ts";
import { type ForgetDeps, forgetTool } from "./forget-tool.ts";
import { memoryGetTool } from "./memory-get-tool.ts";
import { memorySearchTool } from "./memory-search-tool.ts";
import { type RememberDeps, rememberTool } from "./remember-tool.ts";

export type MemoryToolDeps = ForgetDeps & RememberDeps & { memory: Memory };

export function memoryTools(deps: MemoryToolDeps): readonly Tool[] {
  return [memorySearchTool(deps), memoryGetTool(deps), rememberTool(deps), forgetTool(deps)];
}
