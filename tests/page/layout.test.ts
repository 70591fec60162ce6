// What scrolls: on every page one thing does, with scrollbars shown as people have them, on a desk and in a narrow window.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { openUsedHome, reminderQuestion, renewalsQuestion } from "../scenes/page/lived-in.ts";
import { isLoaded, openBrowser, openVisitor, patienceMs, type RunningSteward } from "../scenes/page/page-scene.ts";
import { addresses } from "../scenes/page/page-stage.ts";
import { findStrayScrollers } from "../scenes/page/scrollers.ts";

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;
const calm = { reducedMotion: "reduce", viewport: sizes[0] } as const;

let browser: Browser;
let assistant: RunningSteward;
let conversation = "";
const visitor = openVisitor(() => browser);

beforeAll(async () => {
  browser = await openBrowser();
  assistant = await openUsedHome();
  conversation = (await assistant.call("sessions.create", { channel: "web" })).sessionKey;
  for (const message of [renewalsQuestion, "Tell me of it again", "And once more", reminderQuestion]) {
    await assistant.call("chat.send", { sessionKey: conversation, message });
    await eventually(async () => {
      const { session } = await assistant.call("sessions.get", { sessionKey: conversation });
      return session.state !== "working";
    });
  }
}, 180_000);
afterAll(async () => {
  await assistant.close();
  await browser.close();
});
afterEach(async () => expect(await visitor.leave()).toEqual([]), patienceMs);

/** What scrolls and should not, at every size in both themes, when the page has come to rest. */
async function strayScrollers(page: Page, place: string): Promise<string[]> {
  const found: string[] = [];
  for (const size of sizes)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      const stray = await page.evaluate<string[]>(findStrayScrollers);
      found.push(...stray.map((words) => `${place} at ${size.width} px, ${colorScheme}: ${words}`));
    }
  return found;
}

test("nothing scrolls sideways, nothing scrolls inside what scrolls, and the window never does", async () => {
  const { page } = await visitor.visit(assistant, "/", calm);
  const found: string[] = [];
  for (const [path, heading] of addresses) {
    await page.goto(`${assistant.origin}${path}`);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await eventually(() => page.evaluate(isLoaded));
    found.push(...(await strayScrollers(page, path)));
  }
  await page.goto(`${assistant.origin}/chat/${conversation}`);
  await page.getByRole("button", { name: "Approve" }).waitFor();
  found.push(...(await strayScrollers(page, "conversation")));
  expect(found).toEqual([]);
});

test("the wheel over the composer leaves the page where it is", async () => {
  const { page } = await visitor.visit(assistant, `/chat/${conversation}`, calm);
  await page.getByRole("button", { name: "Approve" }).waitFor();
  for (const size of sizes) {
    await page.setViewportSize(size);
    const composer = page.getByRole("textbox", { name: "Message" });
    const before = await settledBox(composer);
    await composer.hover();
    await page.mouse.wheel(0, 2_000);
    // a wheel is followed by the browser's own time; another one over the conversation has an effect to wait for
    await page.getByRole("log", { name: "Conversation" }).hover();
    await page.mouse.wheel(0, -20_000);
    await eventually(() => page.getByRole("button", { name: "To the end" }).isVisible(), true);
    expect(await settledBox(composer)).toEqual(before);
  }
});

/** Where something stands once the page has come to rest after a change of its size. */
async function settledBox(locator: Locator): Promise<unknown> {
  let last: unknown;
  await eventually(async () => {
    const before = last;
    last = await locator.boundingBox();
    return JSON.stringify(last) === JSON.stringify(before);
  }, true);
  return last;
}
