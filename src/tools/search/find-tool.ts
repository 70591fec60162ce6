import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../contract/tool.ts";
import { escapeName } from "../paths/escape-text.ts";
import { type Answer, resultOf } from "../paths/refusal.ts";
import { readsOnly } from "../reads-only.ts";
import { findSearchRoot } from "./search-root.ts";
import type { FoundEntry } from "./threads/search-job.ts";
import type { SearchInThreads } from "./threads/search-threads.ts";

const FindArguments = z.object({
  pattern: z.string().describe("Glob, such as src/**/*.ts"),
  path: z.string().optional(),
  kind: z.enum(["file", "folder", "link"]).optional(),
});
type FindArguments = z.infer<typeof FindArguments>;

const mostShown = 1000;
const mostKept = 20_000;

export function findTool(search: SearchInThreads): Tool {
  return defineTool({
    name: "find",
    description: "Find files and folders by name. Skips .git and node_modules.",
    arguments: FindArguments,
    ...readsOnly,
    paths: (args) => [{ path: args.path ?? ".", access: "read" }],
    formatApproval: (args) => `Find ${escapeName(args.pattern)} in ${escapeName(args.path ?? ".")}`,
    run: async (context, args) => resultOf(await runFind(search, context, args)),
  });
}

async function runFind(search: SearchInThreads, context: ToolContext, args: FindArguments): Promise<Answer> {
  const wanted = { entries: args.kind ?? ("any" as const) };
  const start = await findSearchRoot(context, { path: args.path, glob: args.pattern, wanted });
  if ("refused" in start) return start;
  if (start.task.names) return { refused: `${escapeName(args.path ?? ".")} is a file. Name the folder to search.` };
  // the first names in order, however many come
  let kept: FoundEntry[] = [];
  let total = 0;
  const { short, isLost } = await search(start.job, start.task, take, context.signal);
  if (short !== undefined && isLost) return { refused: short };
  const shown = sortedStart(kept);
  return { outcome: "done", output: formatNames(shown, total, short), named: shown.map(({ path }) => path) };

  function take({ entries }: { entries: readonly FoundEntry[] }): boolean {
    total += entries.length;
    kept.push(...entries);
    if (kept.length > mostKept) kept = sortedStart(kept);
    return true;
  }
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
