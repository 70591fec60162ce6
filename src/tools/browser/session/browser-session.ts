// The pages of one conversation: its own cookies, its own tabs, its own pass through the proxy.
import type { BrowserContext } from "playwright-core";
import type { BrowserLimits } from "../browser-limits.ts";
import type { RunningBrowser } from "../process/browser-process.ts";
import { openPageNotes, type PageNotes } from "./page-notes.ts";
import type { SavedPages } from "./saved-pages.ts";
import { openSessionTabs, type SessionTabs } from "./session-tabs.ts";

export type BrowserSession = {
  context: BrowserContext;
  running: RunningBrowser;
  tabs: SessionTabs;
  notes: PageNotes;
  /** What was typed into password fields: it comes back in no result. */
  secrets: Set<string>;
  /** Where it was when its pages were closed; told once. */
  takeResumeUrl(): string | undefined;
  close(): Promise<void>;
};

// addresses of this machine's network are nobody's business; the flags already keep it from sending
const withoutPeerConnections = "delete globalThis.RTCPeerConnection; delete globalThis.webkitRTCPeerConnection;";

export async function openBrowserSession(
  limits: BrowserLimits,
  running: RunningBrowser,
  saved: SavedPages | undefined,
): Promise<BrowserSession> {
  const { proxy } = running;
  const notes = openPageNotes();
  const pass = proxy.admit(({ url, reason, isRefused }) =>
    notes.add(`${isRefused ? "refused" : "not reached"} ${url}: ${reason}`),
  );
  const context = await running.browser.newContext({
    proxy: { server: `http://127.0.0.1:${proxy.port}`, username: pass.username, password: pass.password },
    ...(saved && { storageState: { cookies: saved.cookies, origins: saved.origins } }),
    viewport: limits.viewport,
    acceptDownloads: true,
    serviceWorkers: "block",
    // none is granted, and so all are denied
    permissions: [],
  });
  context.setDefaultTimeout(limits.actionMs);
  await context.addInitScript(withoutPeerConnections);
  let resumeUrl = saved?.url ?? undefined;
  return {
    context,
    running,
    tabs: openSessionTabs({ notes, mostTabs: limits.tabs }, context),
    notes,
    secrets: new Set(),
    takeResumeUrl() {
      const url = resumeUrl;
      resumeUrl = undefined;
      return url;
    },
    async close() {
      pass.revoke();
      await context.close();
    },
  };
}
