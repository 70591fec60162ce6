// One browser and one Steward for all tests of a file, and what a person does on a page of it.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { openBrowser, openVisitor, patienceMs, type RunningSteward } from "./page-scene.ts";

export type PageStage = { visitor: ReturnType<typeof openVisitor>; readonly assistant: RunningSteward };

/** To be called at the top of a file. After each test the page must have complained of nothing. */
export function openPageStage(start: () => Promise<RunningSteward>): PageStage {
  let browser: Browser;
  let assistant: RunningSteward;
  const visitor = openVisitor(() => browser);
  beforeAll(async () => {
    browser = await openBrowser();
    assistant = await start();
  }, 180_000);
  afterAll(async () => {
    await assistant.close();
    await browser.close();
  });
  afterEach(async () => expect(await visitor.leave()).toEqual([]), patienceMs);
  return {
    visitor,
    get assistant() {
      return assistant;
    },
  };
}

export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message" });
}

export function said(page: Page): Locator {
  return page.getByRole("log", { name: "Conversation" });
}

export async function ask(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

/** Every page with its heading. */
export const addresses: readonly (readonly [path: string, heading: string])[] = [
  ["/", "What can I do for you?"],
  ["/inbox", "Inbox"],
  ["/tasks", "Tasks"],
  ["/tasks/calendar", "Tasks"],
  ["/tasks/new", "New task"],
  ["/memory", "Memory"],
  ["/memory/files", "Memory"],
  ["/memory/recalled", "Memory"],
  ["/memory/forget", "Memory"],
  ["/channels", "Channels"],
  ["/activity", "Activity"],
  ["/activity/log", "Activity"],
  ["/usage", "Usage"],
  ["/tools/write", "Tools"],
  ["/settings", "Settings"],
  ["/setup", "Connect a model"],
  ["/nowhere", "There is no page here"],
];
