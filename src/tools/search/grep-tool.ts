import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../contract/tool.ts";
import { escapeName } from "../paths/escape-text.ts";
import { type Answer, resultOf } from "../paths/refusal.ts";
import { readsOnly } from "../reads-only.ts";
import { openFoundMatches } from "./found-matches.ts";
import { readPattern } from "./search-pattern.ts";
import { findSearchRoot } from "./search-root.ts";
import type { SearchInThreads } from "./threads/search-threads.ts";

const GrepArguments = z.object({
  pattern: z.string().describe("Regular expression"),
  path: z.string().optional(),
  glob: z.string().optional(),
  ignoreCase: z.boolean().optional(),
  context: z.number().int().min(0).max(9).optional(),
  mode: z.enum(["lines", "files", "count"]).optional(),
});
type GrepArguments = z.infer<typeof GrepArguments>;

export function grepTool(search: SearchInThreads): Tool {
  return defineTool({
    name: "grep",
    description: "Search text files line by line.",
    arguments: GrepArguments,
    ...readsOnly,
    paths: (args) => [{ path: args.path ?? ".", access: "read" }],
    formatApproval: (args) => `Search for ${escapeName(args.pattern)} in ${escapeName(args.path ?? ".")}`,
    run: async (context, args) => resultOf(await runGrep(search, context, args)),
  });
}

async function runGrep(search: SearchInThreads, context: ToolContext, args: GrepArguments): Promise<Answer> {
  const mode = args.mode ?? "lines";
  const pattern = readPattern(args.pattern, args.ignoreCase ?? false);
  if ("refused" in pattern) return pattern;
  const wanted = { lines: { pattern, context: mode === "lines" ? (args.context ?? 0) : 0, mode } };
  const start = await findSearchRoot(context, { path: args.path, glob: args.glob, wanted });
  if ("refused" in start) return start;
  const found = openFoundMatches(mode);
  const { short, isLost } = await search(start.job, start.task, found.add, context.signal);
  const { text, read } = found.format();
  if (short === undefined) return { outcome: "done", output: text ?? "No match.", read };
  // what was found before a search was cut short is better than nothing
  if (isLost || text === undefined) return { refused: short };
  return { outcome: "done", output: `${text}\n[${short}]`, read };
}
