import type { Page } from "playwright-core";
import type { Refusal } from "../../paths/refusal.ts";
import { type OpenDeps, openAddress } from "../page/open-address.ts";
import type { BrowserSession } from "./browser-session.ts";

/** The page the conversation is at; one that was closed while nobody used it is opened again. */
export async function currentPage(
  deps: OpenDeps,
  session: BrowserSession,
  signal: AbortSignal,
): Promise<{ page: Page; isReopened: boolean } | Refusal> {
  const page = session.tabs.current()?.page;
  if (page) return { page, isReopened: false };
  const url = session.takeResumeUrl();
  if (url === undefined || !/^https?:/.test(url)) return { refused: "No page is open. Open an address first." };
  session.notes.add("the page had been closed while nobody used it, and was opened again");
  const opened = await openAddress(deps, session, url, signal);
  return "refused" in opened ? opened : { page: opened.page, isReopened: true };
}
