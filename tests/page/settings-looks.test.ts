// The page Settings in a narrow window: no section is wider than it, whatever stands in it; what few people need is folded away.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { isLoaded, phone, startSteward } from "../scenes/page/page-scene.ts";
import { openPageStage } from "../scenes/page/page-stage.ts";
import { findSticksOut } from "../scenes/page/scrollers.ts";

const pictures = process.env.STEWARD_MEMORY_PICTURES;
// the port is decided by a variable, which is named beside it
const stage = openPageStage(() => startSteward());

async function arriveAtSettings(viewport: { width: number; height: number }): Promise<Page> {
  const { page } = await stage.visitor.visit(stage.assistant, "/settings/memory", {
    viewport,
    reducedMotion: "reduce",
  });
  await page.getByRole("heading", { level: 2, name: "Memory" }).waitFor();
  await eventually(() => page.evaluate(isLoaded));
  return page;
}

async function take(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

test("on a phone no section of the settings is wider than the window", async () => {
  const page = await arriveAtSettings(phone);
  await page.getByText("Decided by the variable").first().waitFor();
  await take(page, "settings-390");
  await page.getByText("Advanced").click();
  expect(await page.evaluate<string[]>(findSticksOut)).toEqual([]);
  await take(page, "settings-advanced-390");
});

test("how the search is tuned is folded at the end of its section, and found by its name all the same", async () => {
  const page = await arriveAtSettings({ width: 1440, height: 900 });
  const section = page.getByRole("region", { name: "Memory" });
  await section.getByText("Recall by itself").waitFor();
  await section.getByText("Nightly tidy", { exact: true }).waitFor();
  const ranking = section.getByLabel("Search: Ranking");
  expect(await ranking.isVisible()).toBe(false);
  await take(page, "settings-1440");
  await section.getByText("Advanced").click();
  await ranking.selectOption("rrf");
  // whoever has changed something in it sees it until it is saved
  await section.getByText("Not saved").waitFor();
  await take(page, "settings-advanced-1440");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByLabel("Search settings").fill("ranking");
  await ranking.waitFor();
  expect(await page.getByText("Advanced").count()).toBe(0);
});
