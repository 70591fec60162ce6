// The page Memory at both widths and in both themes: nothing for axe to find, nothing that scrolls astray or jumps.
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { arriveAtMemory, livedIn, lookedUp, notes } from "../scenes/page/memory-scene.ts";
import { isLoaded, startSteward } from "../scenes/page/page-scene.ts";
import { openPageStage } from "../scenes/page/page-stage.ts";
import { findStrayScrollers } from "../scenes/page/scrollers.ts";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env.STEWARD_MEMORY_PICTURES;
const stage = openPageStage(() => startSteward());

const watchShifts = `globalThis.shifts = []; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) globalThis.shifts.push(one.value + " " +
    one.sources.map(({ node }) => (node?.localName ?? "?") + "." + (node?.className ?? "")).join(" "));
}).observe({ type: "layout-shift", buffered: true });`;

const views: readonly (readonly [name: string, path: string, act?: (page: Page) => Promise<unknown>])[] = [
  ["search", "/memory"],
  ["found", "/memory/search/anna~20berlin", (page) => page.getByText("Show all").click()],
  ["nothing", "/memory/search/submarine"],
  ["files", "/memory/files"],
  ["file", "/memory/file/MEMORY~2Emd/3-9/4"],
  [
    "palette",
    "/memory/files",
    async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Find or do anything" }).fill("dentist");
    },
  ],
  ["edit", "/memory/edit/MEMORY~2Emd"],
  [
    "look-over",
    "/memory/edit/MEMORY~2Emd",
    async (page) => {
      await page.getByRole("textbox").fill(notes.replace("blue", "green"));
      await page.getByRole("button", { name: "Look over the change" }).click();
    },
  ],
  ["history", "/memory/history/MEMORY~2Emd", (page) => page.locator("summary").first().click()],
  ["recalled", "/memory/recalled"],
  ["forget", "/memory/forget"],
  ["forget-anna", "/memory/forget/Anna"],
  ["forget-boiler", "/memory/forget/boiler", (page) => page.getByText("3 things looked up or done").click()],
];

async function examine(page: Page, place: string): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${axeSource} })()`);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { resultTypes: ["violations"], preload: false })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${place}: ${id}: ${target.join(" ")} ${html.slice(0, 160)}`),
  );
}

// a phone lays its scrollbars over the page
const touch = { isMobile: true, hasTouch: true };

for (const [width, height, more] of [
  [1440, 900, {}],
  [390, 844, touch],
] as const)
  for (const colorScheme of ["light", "dark"] as const)
    test(`at ${width} px in ${colorScheme} colours nothing is hard to read, jumps or scrolls astray`, async () => {
      const { page } = await arriveAtMemory(
        stage,
        (memory) => {
          livedIn(memory);
          lookedUp(memory);
          memory.earlierVersions = 17;
          memory.groups = [{ name: "family", title: "Family" }];
        },
        { viewport: { width, height }, colorScheme, reducedMotion: "reduce", ...more },
      );
      await page.addInitScript({ content: watchShifts });
      const found: string[] = [];
      for (const [name, path, act] of views) {
        await page.goto(`${stage.assistant.origin}${path}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await eventually(() => page.evaluate(isLoaded));
        if (name === "found") await page.getByRole("list", { name: "Found" }).waitFor();
        const shifts = await page.evaluate<string[]>("globalThis.shifts");
        found.push(...shifts.map((shift) => `${name}: jumps ${shift}`));
        await act?.(page);
        await eventually(() => page.evaluate(isLoaded));
        found.push(...(await examine(page, name)));
        found.push(...(await page.evaluate<string[]>(findStrayScrollers)).map((words) => `${name}: ${words}`));
        if (pictures) {
          await mkdir(pictures, { recursive: true });
          await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`) });
        }
      }
      expect(found).toEqual([]);
    });
