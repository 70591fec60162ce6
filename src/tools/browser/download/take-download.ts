// A file from the web comes into the workspace: only one that was asked for, never too large, never over another.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Download, Locator } from "playwright-core";
import type { ToolResult } from "../../../contract/tool.ts";
import { count } from "../../../contract/words/amounts.ts";
import type { Refusal } from "../../paths/refusal.ts";
import type { Visit } from "../session/use-session.ts";
import { untilAborted, within } from "../within.ts";
import { saveDownload } from "./save-download.ts";

/** `sources`: where it came from, which need not be where the page is. */
export type Saved = {
  sources: readonly string[];
  said: string;
  details: readonly string[];
  wrote: NonNullable<ToolResult["wrote"]>;
};

const pollMs = 100;

/** What a link leads to, or what a button hands out. */
export async function takeDownload(visit: Visit, link: Locator): Promise<Saved | Refusal> {
  const { session, limits, signal } = visit;
  const before = new Set(await readdir(session.running.folder.downloads));
  const expected = session.tabs.expectDownload();
  try {
    const isLink = (await link.getAttribute("href", { signal })) !== null;
    // with Alt held down, a link is saved instead of followed
    await link.click({ signal, ...(isLink && { modifiers: ["Alt" as const] }) });
    const download = await within(limits.actionMs, untilAborted(signal, expected.started, "aborted" as const));
    if (download === "aborted") return { refused: "Stopped before the download began." };
    if (!download) return { refused: "No download began. Read the page again to see what it shows." };
    return await receive(visit, download, before);
  } finally {
    expected.forget();
  }
}

/** What lies at an address, saved without being shown. */
export async function takeDownloadFrom(visit: Visit, url: string): Promise<Saved | Refusal> {
  return visit.session.tabs.aside(async (page) => {
    await page.setContent(`<a href="${escapeAttribute(url)}">file</a>`);
    return takeDownload(visit, page.locator("a"));
  });
}

async function receive(visit: Visit, download: Download, before: ReadonlySet<string>): Promise<Saved | Refusal> {
  const { limits, context } = visit;
  const refusal = await watch(visit, download, before);
  // what was cancelled or broke off is already gone
  if (refusal) return refusal;
  try {
    const name = download.suggestedFilename();
    const file = { path: await download.path(), name, maxBytes: limits.downloadBytes };
    const saved = await saveDownload(context.workspace, file);
    if ("refused" in saved) return saved;
    const said = `Saved a file of ${count(saved.bytes, "byte")}.`;
    const wrote = [{ path: saved.path, replaced: true }];
    return { said, details: [`saved as: ${saved.path}`], sources: [download.url()], wrote };
  } finally {
    await download.delete();
  }
}

async function watch(
  { limits, session, signal }: Visit,
  download: Download,
  before: ReadonlySet<string>,
): Promise<Refusal | undefined> {
  const ended = download.failure();
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const outcome = await Promise.race([ended, sleep(pollMs, "running" as const)]);
    if (outcome === null) return undefined;
    if (outcome !== "running") return { refused: `The download failed: ${outcome}.` };
    const bytes = await largestNewFile(session.running.folder.downloads, before);
    const why = signal.aborted
      ? "it was stopped"
      : bytes > limits.downloadBytes
        ? `it is larger than the ${limits.downloadBytes} bytes that are allowed`
        : waitedMs > limits.downloadMs
          ? `it took longer than ${limits.downloadMs / 1000} s`
          : undefined;
    if (why === undefined) continue;
    await download.cancel();
    return { refused: `The download was cancelled: ${why}.` };
  }
}

async function largestNewFile(folder: string, before: ReadonlySet<string>): Promise<number> {
  const names = (await readdir(folder)).filter((name) => !before.has(name));
  // one that has been renamed or removed since it was listed has no size
  const found = await Promise.all(names.map((name) => lstat(join(folder, name)).catch(() => undefined)));
  return Math.max(0, ...found.map((stats) => stats?.size ?? 0));
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
