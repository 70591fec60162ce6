import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { Visit } from "../session/use-session.ts";
import { within } from "../within.ts";

// what a click sets going begins within this
const startMs = 150;
const imagesMs = 1_500;

/** Waits until a page stands still, but never long: an endless page is shown as far as it has come. */
export async function settlePage({ limits, signal }: Visit, page: Page): Promise<{ isLoading: boolean }> {
  await sleep(startMs, undefined, { signal });
  const isRead = await reaches(page, "domcontentloaded", limits.loadMs, signal);
  if (isRead) await reaches(page, "load", imagesMs, signal);
  return { isLoading: !isRead };
}

async function reaches(
  page: Page,
  state: "domcontentloaded" | "load",
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  const waited = page.waitForLoadState(state, { timeout: ms, signal }).then(
    () => true,
    // it takes too long, or it has been closed meanwhile: what there is will be shown
    () => false,
  );
  return (await within(ms + 100, waited)) ?? false;
}
