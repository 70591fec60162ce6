// What a folder holds, down to a depth: folders first, every name looked up in a folder that is held open.
import type { Dirent, Stats } from "node:fs";
import { lstat, opendir, readlink } from "node:fs/promises";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../contract/tool.ts";
import { type EntryKind, kindOf } from "../paths/entry-kind.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { beneath, type HeldFolder, withFolder } from "../paths/held-folder.ts";
import { type Answer, orOn, orRefusal, type Refusal, resultOf } from "../paths/refusal.ts";
import { isTemporaryName } from "../paths/reserved-names.ts";
import { findPlace, type Place, pathOf } from "../paths/workspace-path.ts";
import { readsOnly } from "../reads-only.ts";

type Entry = {
  /** Relative to the folder that was listed. */
  path: string;
  kind: EntryKind;
  /** Missing when the entry went away while it was being looked at. */
  stats: Stats | undefined;
  target: string | undefined;
};
/** `isCountCut`: there is more than was counted. */
type Level = { entries: readonly Entry[]; notShown: number; isCountCut: boolean };
type Listing = Level & { unreadable: readonly string[] };

const mostEntries = 1000;
const mostNamesOfFolder = 50_000;

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
  const place = await findPlace(context, path.replace(/(?<=[^/])\/$/, ""), "read");
  if ("refused" in place) return place;
  const listing = await listFolder(place, depth, context.signal);
  if ("refused" in listing) return listing;
  const named = listing.entries.map((entry) => pathOf({ ...place, parts: [...place.parts, entry.path] }));
  return { outcome: "done", output: formatListing(path, listing), named };
}

/** Level by level, so that a large folder further down cannot crowd out what lies on top. */
async function listFolder(place: Place, depth: number, signal: AbortSignal): Promise<Listing | Refusal> {
  const entries: Entry[] = [];
  const unreadable: string[] = [];
  let notShown = 0;
  let isCountCut = false;
  const waiting: { place: Place; prefix: string; level: number }[] = [{ place, prefix: "", level: 1 }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (signal.aborted) return { refused: "The listing was stopped." };
    const { prefix, level } = next;
    const found = await readLevel(next.place, prefix, mostEntries - entries.length);
    if ("refused" in found) {
      if (level === 1) return found;
      unreadable.push(prefix);
      continue;
    }
    entries.push(...found.entries);
    notShown += found.notShown;
    isCountCut ||= found.isCountCut || (level < depth && found.notShown > 0);
    if (level === depth) continue;
    for (const folder of found.entries.filter(({ kind }) => kind === "folder")) {
      const parts = [...place.parts, ...folder.path.split("/")];
      waiting.push({ place: { ...place, parts }, prefix: `${folder.path}/`, level: level + 1 });
    }
  }
  return { entries, notShown, isCountCut, unreadable };
}

async function readLevel(place: Place, prefix: string, room: number): Promise<Level | Refusal> {
  return orRefusal(`The folder cannot be listed`, () =>
    withFolder(place, "refuse", async (folder) => {
      const { names, isCountCut } = await readNames(folder);
      const shown = names.slice(0, room);
      const entries = await Promise.all(shown.map((name) => lookAt(folder, name, prefix)));
      return { entries, notShown: names.length - shown.length, isCountCut };
    }),
  );
}

async function readNames(folder: HeldFolder): Promise<{ names: readonly Dirent[]; isCountCut: boolean }> {
  const names: Dirent[] = [];
  let isCountCut = false;
  for await (const entry of await opendir(beneath(folder, "."))) {
    if (isTemporaryName(entry.name)) continue;
    isCountCut = names.length >= mostNamesOfFolder;
    if (isCountCut) break;
    names.push(entry);
  }
  names.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1));
  return { names, isCountCut };
}

async function lookAt(folder: HeldFolder, entry: Dirent, prefix: string): Promise<Entry> {
  const at = beneath(folder, entry.name);
  const path = prefix + entry.name;
  // removed or exchanged for something else since its name was read
  const orGone = orOn(["ENOENT", "EINVAL"], undefined);
  const stats = await lstat(at).catch(orGone);
  const kind = kindOf(stats ?? entry);
  return { path, kind, stats, target: kind === "link" ? await readlink(at).catch(orGone) : undefined };
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
