// What a person needs to decide: why a model did not answer and what mends it, and which lines of a file would go.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FakeAnswer } from "../fakes/model/model-answer.ts";
import { type Scripts, startSteward } from "../scenes/page/page-scene.ts";
import { ask, openPageStage, said } from "../scenes/page/page-stage.ts";

const status = (code: number, message: string): FakeAnswer => ({
  fault: { kind: "status", status: code, retryAfter: "0", message },
});
const refusedKey = status(401, "invalid x-api-key");
const scripts: Scripts = {
  "Which key": [refusedKey, refusedKey],
  "Shorten the list": [
    { toolCalls: [{ name: "write", arguments: { path: "list.txt", content: "bread\nbutter\n" } }] },
    { text: "Done." },
  ],
};

const stage = openPageStage(() => startSteward({ scripts }));
const { visitor } = stage;

test("a model whose key is refused says so in one line that leads to Setup, also after a reload and in Activity", async () => {
  const { page } = await visitor.visit(stage.assistant);
  await ask(page, "Which key");
  const fix = said(page).getByRole("link", { name: "Fix in Setup" });
  await fix.waitFor();
  await page.reload();
  await fix.waitFor();
  expect(await said(page).getByText("refuses the key (401: invalid x-api-key)").count()).toBe(1);
  await fix.click();
  await page.waitForURL("**/setup");
  await page.goto(`${stage.assistant.origin}/activity`);
  await page.getByText("refuses the key (401: invalid x-api-key)").first().waitFor();
});

test("a question about a file shows the lines that go and come", async () => {
  await writeFile(join(stage.assistant.home, "workspace", "list.txt"), "milk\nbread\neggs\n");
  const { page } = await visitor.visit(stage.assistant);
  await ask(page, "Shorten the list");
  const card = said(page).locator("steward-approval-card");
  await card.waitFor();
  const lines = async (kind: string) => card.locator(`.well > .${kind}`).allInnerTexts();
  expect([await lines("goes"), await lines("comes")]).toEqual([["- milk", "- eggs"], ["+ butter"]]);
  await card.getByRole("button", { name: "Deny", exact: true }).click();
  await said(page).getByText("Done.").waitFor();
});
