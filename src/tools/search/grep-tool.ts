import { z } from "zod";
import { defineTool, type Tool, type ToolContext, textResult } from "../../contract/tool.ts";
import { escapeName } from "../paths/escape-text.ts";
import type { FileToolResult } from "../paths/file-change.ts";
import { type Refusal, resultOf } from "../paths/refusal.ts";
import { type FoundMatches, openFoundMatches } from "./found-matches.ts";
import { namedFolders, readGlob } from "./glob.ts";
import { readPattern } from "./search-pattern.ts";
import { findSearchRoot } from "./search-root.ts";
import { cutShort, type SearchDeps, searchTree } from "./search-tree.ts";
import type { SearchJob } from "./threads/search-job.ts";

const GrepArguments = z.object({
  pattern: z.string().describe("Regular expression"),
  path: z.string().optional(),
  glob: z.string().optional(),
  ignoreCase: z.boolean().optional(),
  context: z.number().int().min(0).max(9).optional(),
  mode: z.enum(["lines", "files", "count"]).optional(),
});
type GrepArguments = z.infer<typeof GrepArguments>;

export function grepTool(deps: SearchDeps): Tool {
  return defineTool({
    name: "grep",
    description: "Search text files line by line.",
    arguments: GrepArguments,
    result: textResult,
    effects: ["reads"],
    class: "read",
    undo: { kind: "nothing to undo" },
    paths: (args) => [{ path: args.path ?? ".", access: "read" }],
    formatApproval: (args) => `Search for ${escapeName(args.pattern)} in ${escapeName(args.path ?? ".")}`,
    run: async (context, args) => resultOf(await runGrep(deps, context, args)),
  });
}

async function runGrep(deps: SearchDeps, context: ToolContext, args: GrepArguments): Promise<FileToolResult | Refusal> {
  const mode = args.mode ?? "lines";
  const pattern = readPattern(args.pattern, args.ignoreCase ?? false);
  if ("refused" in pattern) return pattern;
  const glob = args.glob === undefined ? undefined : readGlob(args.glob);
  if (glob && "refused" in glob) return glob;
  const start = await findSearchRoot(context.workspace, args.path ?? ".");
  if ("refused" in start) return start;
  const { root, base, task } = start;
  const job: SearchJob = {
    root,
    base,
    glob: args.glob,
    named: [...base, ...namedFolders(args.glob ?? "")],
    wanted: { lines: { pattern, context: mode === "lines" ? (args.context ?? 0) : 0, mode } },
  };
  const found = openFoundMatches(mode);
  const ending = await searchTree(deps, job, task, found.add, context.signal);
  return sayWhatWasFound(found, cutShort(ending), ending.kind === "stopped" || ending.kind === "broken");
}

function sayWhatWasFound(found: FoundMatches, short: string | undefined, isLost: boolean): FileToolResult | Refusal {
  const { text, read } = found.format();
  if (short === undefined) return { outcome: "done", output: text ?? "No match.", read };
  // what was found before a search was cut short is better than nothing
  if (isLost || text === undefined) return { refused: short };
  return { outcome: "done", output: `${text}\n[${short}]`, read };
}
