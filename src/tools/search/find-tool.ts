import { z } from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult, textResult } from "../../contract/tool.ts";
import { escapeName } from "../paths/escape-text.ts";
import { type Refusal, resultOf } from "../paths/refusal.ts";
import { namedFolders, readGlob } from "./glob.ts";
import { findSearchRoot } from "./search-root.ts";
import { cutShort, type SearchDeps, searchTree } from "./search-tree.ts";
import type { FoundEntry } from "./threads/search-job.ts";

const FindArguments = z.object({
  pattern: z.string().describe("Glob, such as src/**/*.ts"),
  path: z.string().optional(),
  kind: z.enum(["file", "folder", "link"]).optional(),
});
type FindArguments = z.infer<typeof FindArguments>;

const mostShown = 1000;
const mostKept = 20_000;

export function findTool(deps: SearchDeps): Tool {
  return defineTool({
    name: "find",
    description: "Find files and folders by name. Skips .git and node_modules.",
    arguments: FindArguments,
    result: textResult,
    effects: ["reads"],
    class: "read",
    undo: { kind: "nothing to undo" },
    paths: (args) => [{ path: args.path ?? ".", access: "read" }],
    formatApproval: (args) => `Find ${escapeName(args.pattern)} in ${escapeName(args.path ?? ".")}`,
    run: async (context, args) => resultOf(await runFind(deps, context, args)),
  });
}

async function runFind(deps: SearchDeps, context: ToolContext, args: FindArguments): Promise<ToolResult | Refusal> {
  const path = args.path ?? ".";
  const glob = readGlob(args.pattern);
  if ("refused" in glob) return glob;
  const start = await findSearchRoot(context.workspace, path);
  if ("refused" in start) return start;
  if (start.task.names) return { refused: `${escapeName(path)} is a file. Name the folder to search.` };
  const { root, base, task } = start;
  const names = openSortedNames();
  const job = {
    root,
    base,
    glob: args.pattern,
    named: [...base, ...namedFolders(args.pattern)],
    wanted: { entries: args.kind ?? ("any" as const) },
  };
  const take = (result: { entries: readonly FoundEntry[] }) => {
    names.add(result.entries);
    return true;
  };
  const ending = await searchTree(deps, job, task, take, context.signal);
  const short = cutShort(ending);
  if (short !== undefined && (ending.kind === "stopped" || ending.kind === "broken")) return { refused: short };
  return { outcome: "done", output: formatNames(names.first(), names.total(), short) };
}

/** Keeps the first names in order, however many come. */
function openSortedNames() {
  let kept: FoundEntry[] = [];
  let total = 0;
  return {
    add(entries: readonly FoundEntry[]): void {
      total += entries.length;
      kept.push(...entries);
      if (kept.length > mostKept) kept = sortedStart(kept);
    },
    first: () => sortedStart(kept),
    total: () => total,
  };
}

function sortedStart(entries: FoundEntry[]): FoundEntry[] {
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, mostShown);
}

function formatNames(entries: readonly FoundEntry[], total: number, short: string | undefined): string {
  const lines = entries.map(({ path, kind }) => escapeName(kind === "folder" ? `${path}/` : path));
  if (total === 0) lines.push("Nothing found.");
  if (total > entries.length) lines.push(`[${total - entries.length} more are not shown: narrow the pattern.]`);
  if (short !== undefined) lines.push(`[${short}]`);
  return lines.join("\n");
}
