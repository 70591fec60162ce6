// The page Memory with the real memory behind it: what lies in the workspace and was said is found, changed and forgotten.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { notes } from "../scenes/page/memory-scene.ts";
import { shownText, startSteward } from "../scenes/page/page-scene.ts";
import { ask, openPageStage, said } from "../scenes/page/page-stage.ts";

const stage = openPageStage(() =>
  startSteward({
    async furnish(home) {
      await mkdir(join(home, "workspace", "memory"), { recursive: true });
      await writeFile(join(home, "workspace", "MEMORY.md"), notes);
      await writeFile(join(home, "workspace", "memory", "2026-11-15.md"), "Anna’s birthday is on 3 March.\n");
    },
  }),
);
const field = (page: Page) => page.getByRole("searchbox", { name: "Search the memory" });
const finds = (page: Page) => page.getByRole("list", { name: "Found" }).getByRole("listitem");
const inWorkspace = (name: string) => readFile(join(stage.assistant.home, "workspace", name), "utf8");

test("a note is found, opened at its line, and the index tells what it holds", async () => {
  const { page } = await stage.visitor.visit(stage.assistant, "/memory");
  await field(page).fill("Where did Anna move?");
  await eventually(async () => (await shownText(finds(page).first())).includes("Berlin"));
  await page.getByText(/paragraphs and messages from \d+ files?/).waitFor();
  await finds(page).first().getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "MEMORY.md" }).waitFor();
  await eventually(async () => (await page.locator(".line.found").allTextContents()).join("\n").includes("Berlin"));
});

test("a note is changed on disk, its history tells of it, and the earlier text comes back", async () => {
  const { page } = await stage.visitor.visit(stage.assistant, "/memory/edit/MEMORY~2Emd");
  await page.getByRole("textbox", { name: "Text of MEMORY.md" }).fill(notes.replace("blue", "green"));
  await page.getByRole("button", { name: "Look over the change" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".line").getByText("Her bicycle is green").waitFor();
  expect(await inWorkspace("MEMORY.md")).toContain("green");
  await writeFile(join(stage.assistant.home, "workspace", "MEMORY.md"), notes.replace("blue", "red"));
  await page.getByRole("link", { name: "Edit" }).click();
  const text = page.getByRole("textbox", { name: "Text of MEMORY.md" });
  await text.waitFor();
  expect(await text.inputValue()).toContain("red");
  await writeFile(join(stage.assistant.home, "workspace", "MEMORY.md"), notes.replace("blue", "white"));
  await text.fill(notes.replace("blue", "black"));
  await page.getByRole("button", { name: "Look over the change" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("This file was changed meanwhile").waitFor();
  await page.getByRole("button", { name: "Save mine all the same" }).click();
  await page.locator(".line").getByText("Her bicycle is black").waitFor();
  await page.getByRole("link", { name: "History" }).click();
  const changes = page.getByRole("list", { name: "Changes" }).getByRole("listitem");
  // with what stood there before the first of them
  await eventually(() => changes.count(), 3);
  await changes.nth(1).getByRole("link", { name: "Go back to this" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".line").getByText("Her bicycle is green").waitFor();
  await page.getByRole("link", { name: "History" }).click();
  await changes.last().getByRole("link", { name: "Go back to this" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".line").getByText("Her bicycle is blue").waitFor();
});

test("what is forgotten is gone from the file and is not found any more", async () => {
  const { page } = await stage.visitor.visit(stage.assistant, "/memory/forget/Lindgren");
  await page.getByText(/^1 line and \d earlier versions of notes are chosen\.$/).waitFor();
  await page.getByRole("button", { name: "Forget" }).click();
  await page.getByRole("button", { name: "Forget for good" }).click();
  await page.getByText(/^1 line and \d earlier versions of notes are gone\.$/).waitFor();
  expect(await inWorkspace("MEMORY.md")).not.toContain("Lindgren");
  await page.goto(`${stage.assistant.origin}/memory`);
  await field(page).fill("Lindgren dentist");
  await page
    .getByRole("status")
    .filter({ hasText: /results?,|No results/ })
    .waitFor();
  expect(await shownText(page.locator("main"))).not.toContain("Lindgren is");
});

test("what is recalled for a question is one line in the chat, which leads to what it was", async () => {
  const { page } = await stage.visitor.visit(stage.assistant);
  await ask(page, "When is Anna’s birthday?");
  await said(page).getByText("echo: When is Anna").waitFor();
  await said(page)
    .getByRole("link", { name: /^Looked up \d things?$/ })
    .click();
  await eventually(async () => (await shownText(page.getByRole("article").first())).includes("3 March"));
  await page.getByRole("article").first().getByRole("link", { name: "Open the conversation" }).click();
  await said(page).getByText("echo: When is Anna").waitFor();
});
