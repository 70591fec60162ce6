// The pages of one conversation: its own cookies, its own tabs, its own pass through the proxy.
import type { BrowserLimits } from "../browser-limits.ts";
import type { RunningBrowser } from "../process/browser-process.ts";
import { openPageNotes } from "./page-notes.ts";
import type { SavedPages } from "./saved-pages.ts";
import { openSessionTabs } from "./session-tabs.ts";

export type BrowserSession = Awaited<ReturnType<typeof openBrowserSession>>;

// addresses of this machine's network are nobody's business; the flags already keep it from sending
const withoutPeerConnections = "delete globalThis.RTCPeerConnection; delete globalThis.webkitRTCPeerConnection;";

export async function openBrowserSession(
  limits: BrowserLimits,
  running: RunningBrowser,
  saved: SavedPages | undefined,
) {
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
    /** What was typed into password fields: it comes back in no result. */
    secrets: new Set<string>(),
    /** Where it was when its pages were closed; told once. */
    takeResumeUrl() {
      const url = resumeUrl;
      resumeUrl = undefined;
      return url;
    },
    async close(): Promise<void> {
      pass.revoke();
      await context.close();
    },
  };
}
