import { z } from "zod";
import { defineTool, type Tool, type ToolResult } from "../../contract/tool.ts";
import { readsOnly } from "../reads-only.ts";
import { linksIn } from "./links-in.ts";
import { type LoadDeps, loadPage, type WebPage } from "./load-page.ts";
import { openPageCache } from "./page-cache.ts";
import { wrapUntrusted } from "./reader/tidy-text.ts";

export type FetchToolDeps = LoadDeps & {
  world: { nowMs(): number; newId(prefix: string): string };
  /** Hears of every page that was read, and by which URL it was asked for. */
  onPage?(askedUrl: string, page: WebPage): void;
};

const windowCharacters = 10_000;
// of a page that only tells what went wrong
const problemCharacters = 2_000;
const cacheLimits = { maxBytes: 16 * 1024 * 1024, keepMs: 15 * 60_000 };
const bytesPerCharacter = 2;

const FetchArguments = z.object({
  url: z.string().min(1),
  offset: z.number().int().min(0).max(1e7).optional().describe("Continue from"),
  raw: z.boolean().optional().describe("Source"),
});

export function fetchTool(deps: FetchToolDeps): Tool {
  const cache = openPageCache<WebPage>(deps.world, cacheLimits);
  return defineTool({
    name: "web_fetch",
    description: `Read a web page, JSON, text or PDF as Markdown, ${windowCharacters} characters at a time.`,
    arguments: FetchArguments,
    ...readsOnly,
    // the place on a page is looked up here
    tells: ({ url }) => [{ kind: "address", url: url.replace(/#.*$/s, "") }],
    formatApproval: (args) => `Fetch ${args.url}`,
    run: (context, args) => run(context.signal, args),
  });

  async function run(signal: AbortSignal, args: z.infer<typeof FetchArguments>): Promise<ToolResult> {
    const { url, offset = 0, raw = false } = args;
    const key = `${raw ? "raw" : "readable"} ${url}`;
    // only a continuation may be old: who asks from the start wants to know how it is now
    const kept = offset > 0 ? cache.get(key) : undefined;
    if (kept) return showPage(deps, kept, offset);
    const page = await loadPage(deps, { url, raw, signal });
    if ("output" in page) return page;
    if (page.problem === undefined) {
      cache.set(key, page, (page.text.length + url.length) * bytesPerCharacter);
      deps.onPage?.(url, page);
    }
    return showPage(deps, page, offset);
  }
}

function showPage(deps: FetchToolDeps, page: WebPage, offset: number): ToolResult {
  const { problem, labels } = page;
  if (page.text.trim() === "" && problem === undefined) {
    const hint = "it may need a browser to show any. With raw you get its source.";
    return { outcome: "done", output: `The page holds no readable text; ${hint}`, labels };
  }
  const window = cutWindow(page.text, offset, problem ? problemCharacters : windowCharacters);
  if (offset >= window.total && offset > 0)
    return { outcome: "failed", output: `The text ends at character ${window.total}; there is no more.`, labels };

  const head = [page.url, ...(page.title && window.from === 0 ? [page.title] : [])].join("\n");
  const marked = wrapUntrusted(`${head}\n\n${window.text.trimEnd()}`, deps.world.newId("web"));
  if (problem) return { outcome: "failed", output: `The server answered ${problem}.\n${marked}`, labels };
  const output = [marked, ...closingNotes(page, window)].join("\n");
  return { outcome: "done", output, labels, links: linksIn(window.text) };
}

function closingNotes(page: WebPage, window: { from: number; to: number; total: number }): readonly string[] {
  const { from, to, total } = window;
  if (to < total) return [`[Characters ${from} to ${to} of ${total}: continue with offset ${to}.]`];
  return page.isCut ? ["[The page is longer than what is kept of it; the rest cannot be shown.]"] : [];
}

/** So many characters from an offset on, ended at a line or word if one ends near there. */
export function cutWindow(text: string, offset: number, maxCharacters: number) {
  const total = text.length;
  const from = Math.min(offset, total);
  const to = endOf(text, from, maxCharacters);
  return { text: text.slice(from, to), from, to, total };
}

function endOf(text: string, from: number, maxCharacters: number): number {
  const last = from + maxCharacters;
  if (last >= text.length) return text.length;
  const tail = text.slice(last - Math.floor(maxCharacters / 20), last);
  for (const boundary of ["\n", " "]) {
    const at = tail.lastIndexOf(boundary);
    if (at !== -1) return last - tail.length + at + 1;
  }
  // never through the middle of a character
  return /[\ud800-\udbff]/.test(text[last - 1] ?? "") ? last - 1 : last;
}
