import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../contract/tool.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { type Answer, resultOf } from "../paths/refusal.ts";
import { findPlace } from "../paths/workspace-path.ts";
import { readsOnly } from "../reads-only.ts";
import { type Entry, type Listing, listFolder } from "./list-folder.ts";

const ListArguments = z.object({
  path: z.string().optional(),
  depth: z.number().int().min(1).max(5).optional(),
});

export function listTool(): Tool {
  return defineTool({
    name: "list",
    description: "List a folder: type, size, time of change (UTC), name.",
    arguments: ListArguments,
    ...readsOnly,
    paths: (args) => [{ path: args.path ?? ".", access: "read" }],
    formatApproval: (args) => `List ${escapeName(args.path ?? ".")}`,
    run: async (context, args) => resultOf(await runList(context, args.path ?? ".", args.depth ?? 1)),
  });
}

async function runList(context: ToolContext, path: string, depth: number): Promise<Answer> {
  // models like to write folders as "src/"
  const place = await findPlace(context.workspace, path.replace(/(?<=[^/])\/$/, ""));
  if ("refused" in place) return place;
  const listing = await listFolder(place, depth, context.signal);
  if ("refused" in listing) return listing;
  return { outcome: "done", output: formatListing(path, listing) };
}

function formatListing(path: string, listing: Listing): string {
  const { entries, notShown, isCountCut, unreadable } = listing;
  if (entries.length === 0) return `${quoteName(path)} is empty.`;
  const lines = entries.map(formatEntry);
  if (notShown > 0) {
    const count = isCountCut ? `at least ${notShown}` : String(notShown);
    lines.push(`[${count} further entries are not shown: list a folder below.]`);
  }
  for (const folder of unreadable) lines.push(`[${escapeName(folder)} could not be opened.]`);
  return lines.join("\n");
}

function formatEntry(entry: Entry): string {
  const name = escapeName(entry.kind === "folder" ? `${entry.path}/` : entry.path);
  const target = entry.target === undefined ? "" : ` -> ${escapeName(entry.target)}`;
  const size = entry.kind === "file" && entry.stats ? String(entry.stats.size) : "-";
  const changed = entry.stats ? entry.stats.mtime.toISOString().slice(0, 16).replace("T", " ") : "-";
  return [entry.kind, size, changed, name + target].join("\t");
}
