import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ToolResult } from "../../contract/tool.ts";

const maxEntries = 20_000;
// file systems keep coarser time than clocks do
const slackMs = 50;

/** The files below a folder that were changed since a moment, relative to it; links are not followed. */
export async function changedFiles(folder: string, sinceMs: number): Promise<NonNullable<ToolResult["wrote"]>> {
  const changed: { path: string; replaced: boolean }[] = [];
  const waiting = [""];
  for (let seen = 0; waiting.length > 0 && seen < maxEntries; ) {
    const at = waiting.pop() ?? "";
    // a folder that vanished, or that may not be opened, holds nothing that can be read later either
    for (const entry of await readdir(join(folder, at), { withFileTypes: true }).catch(() => [])) {
      seen += 1;
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && (await changedMs(join(folder, path))) >= sinceMs - slackMs)
        changed.push({ path, replaced: false });
    }
  }
  return changed;
}

async function changedMs(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  // removed between listing and looking: nothing is left that could be read
  return stats ? Math.max(stats.mtimeMs, stats.ctimeMs) : 0;
}
