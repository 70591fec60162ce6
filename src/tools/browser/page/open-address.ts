import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { reasonOf } from "../../../contract/failure.ts";
import { quoteName } from "../../paths/escape-text.ts";
import type { Refusal } from "../../paths/refusal.ts";
import type { BrowserSession } from "../session/browser-session.ts";
import type { Visit } from "../session/use-session.ts";
import { within } from "../within.ts";

type Opened = { page: Page; isLoading: boolean; mediaType: string };

// a page that does not even answer or make room in this time is stuck, and is closed
const stuckMs = 1_500;
// what a click sets going begins within this
const startMs = 150;
const imagesMs = 1_500;

/** Leads the current tab to an address that has been checked; the proxy checks it again, with every redirect. */
export async function openAddress(visit: Visit, url: string): Promise<Opened | Refusal> {
  const { session, signal } = visit;
  const refusal = await refusalForAddress(visit, url);
  if (refusal) return refusal;
  const page = await usablePage(session);
  return session.tabs.leave(async () => {
    try {
      const response = await page.goto(url, { waitUntil: "commit", signal });
      const { isLoading } = await settlePage(visit, page);
      return { page, isLoading, mediaType: response?.headers()["content-type"] ?? "" };
    } catch (cause) {
      signal.throwIfAborted();
      // nothing half-loaded stays behind under the new address
      await page.goto("about:blank", { timeout: stuckMs, signal }).catch(() => page.close());
      if (session.running.ended() !== undefined) throw cause;
      return { refused: `${quoteName(url)} was not opened: ${whyNot(cause)}` };
    }
  });
}

async function usablePage(session: BrowserSession): Promise<Page> {
  const tab = session.tabs.current();
  // what answers with an error is in motion, not stuck
  const answer = tab?.page.evaluate("1").catch(() => "moving");
  if (tab && answer && (await within(stuckMs, answer)) === undefined) {
    session.notes.add(`tab ${tab.number} was stuck and was closed`);
    await tab.page.close();
  }
  return session.tabs.current()?.page ?? (await session.tabs.open()).page;
}

export async function refusalForAddress(visit: Visit, url: string): Promise<Refusal | undefined> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    return { refused: `${quoteName(url)} was not opened: give a whole address that begins with https:// or http://.` };
  }
  try {
    const checked = await visit.checkAddress(url, visit.signal);
    return checked.ok ? undefined : { refused: `${quoteName(url)} was not opened: ${checked.reason}.` };
  } catch (cause) {
    visit.signal.throwIfAborted();
    // what cannot be decided is refused
    return { refused: `${quoteName(url)} was not opened: the address could not be checked: ${reasonOf(cause)}.` };
  }
}

function whyNot(cause: unknown): string {
  const message = reasonOf(cause);
  if (/Download is starting/.test(message)) return "it is a file. Take it with browser_act: download.";
  if (/Timeout/.test(message)) return "it did not answer in time. Try again later or another address.";
  const code = /net::ERR_([A-Z_]+)/.exec(message)?.[1];
  return reasons.get(code ?? "") ?? `the browser answered ${code ?? "with an error"}.`;
}

const reasons = new Map([
  ["TOO_MANY_REDIRECTS", "it redirects in a circle."],
  ["HTTP_RESPONSE_CODE_FAILURE", "it answered with an error and no page; see the notes."],
  ["TUNNEL_CONNECTION_FAILED", "no connection was made; see the notes."],
  ["EMPTY_RESPONSE", "it answered nothing."],
  ["NAME_NOT_RESOLVED", "there is no such name."],
  ["ABORTED", "the page stopped it, or it holds nothing to show."],
  ["CERT_AUTHORITY_INVALID", "its certificate is not trusted."],
  ["CERT_DATE_INVALID", "its certificate has expired."],
  ["CERT_COMMON_NAME_INVALID", "its certificate belongs to another name."],
]);

/** Waits until a page stands still, but never long: an endless page is shown as far as it has come. */
export async function settlePage({ limits, signal }: Visit, page: Page): Promise<{ isLoading: boolean }> {
  await sleep(startMs, undefined, { signal });
  const isRead = await reaches(page, "domcontentloaded", limits.loadMs, signal);
  if (isRead) await reaches(page, "load", imagesMs, signal);
  return { isLoading: !isRead };
}

type Loaded = "domcontentloaded" | "load";

async function reaches(page: Page, state: Loaded, ms: number, signal: AbortSignal): Promise<boolean> {
  const waited = page.waitForLoadState(state, { timeout: ms, signal }).then(
    () => true,
    // it takes too long, or it has been closed meanwhile: what there is will be shown
    () => false,
  );
  return (await within(ms + 100, waited)) ?? false;
}

/** The page the conversation is at; one that was closed while nobody used it is opened again. */
export async function currentPage(visit: Visit): Promise<{ page: Page; isReopened: boolean } | Refusal> {
  const { session } = visit;
  const page = session.tabs.current()?.page;
  if (page) return { page, isReopened: false };
  const url = session.takeResumeUrl();
  if (url === undefined || !/^https?:/.test(url)) return { refused: "No page is open. Open an address first." };
  session.notes.add("the page had been closed while nobody used it, and was opened again");
  const opened = await openAddress(visit, url);
  return "refused" in opened ? opened : { page: opened.page, isReopened: true };
}
