// What a conversation shows while it happens is what it shows after a reload, and no line outlives what it tells of.
import { expect, onTestFinished, test } from "vitest";
import { type Scripts, shownText, startSteward, theirConnectionBreaks } from "../scenes/page/page-scene.ts";
import { ask, composer, openPageStage, said } from "../scenes/page/page-stage.ts";

const writes = (path: string) => ({ toolCalls: [{ name: "write", arguments: { path, content: "x\n" } }] });
const scripts: Scripts = {
  "Look around": [
    { text: "First I look for it.", toolCalls: [{ name: "grep", arguments: { pattern: "dentist", path: "." } }] },
    // a single word is held back for masking until the call after it has been told
    { text: "Further.", toolCalls: [{ name: "read", arguments: { path: "../../etc/passwd" } }] },
    { text: "That was refused." },
  ],
  "Note the bins": [writes("bins.txt"), { text: "Noted." }],
  "Note the locker": [writes("locker.txt"), { text: "Then not." }],
  "Tell a long story": [{ text: `Once ${"upon a time ".repeat(400)}`, delayPerPieceMs: 40 }],
};

const stage = openPageStage(() => startSteward({ scripts }));
const { visitor } = stage;

test("what was said before a refused call stands before it, also after a reload, and a search names what it looks for", async () => {
  const { page } = await visitor.visit(stage.assistant);
  await ask(page, "Look around");
  await said(page).getByRole("button", { name: "Ask again" }).waitFor();
  const order = /First I look for it\..*Search in files dentist.*Further\..*Read a file.*That was refused\./;
  const live = await shownText(said(page));
  expect(live).toMatch(order);
  await page.reload();
  await said(page).getByText("That was refused.").waitFor();
  expect(await shownText(said(page))).toBe(live);
});

test("a file beside a picture shows its name and size", async () => {
  const { page } = await visitor.visit(stage.assistant);
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 240, height: 160 } });
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add files" }).click();
  await (await choosing).setFiles([
    { name: "garden.png", mimeType: "image/png", buffer: picture },
    { name: "a list of all the plants.txt", mimeType: "text/plain", buffer: Buffer.from("rose\n") },
  ]);
  await page.getByRole("button", { name: "Remove a list of all the plants.txt" }).waitFor();
  await ask(page, "What grows there?");
  await said(page).getByText("echo: What grows there?").waitFor();
  const name = said(page).getByRole("link", { name: /a list of all the plants/ });
  const card = await name.boundingBox();
  const words = await name.getByText("a list of all the plants.txt").boundingBox();
  expect(words?.width).toBeGreaterThan(100);
  // no larger than its words need, however high the picture is
  expect((card?.height ?? 0) - (words?.height ?? 0)).toBeLessThan(30);
});

test("a line about stopping goes with what is stopped, and none covers the news of a broken connection", async () => {
  const own = await startSteward({ scripts });
  onTestFinished(() => own.close());
  const { page, expectProblem } = await visitor.visit(own);
  expectProblem(theirConnectionBreaks);
  const hint = page.getByText("Press Esc once more to stop");
  await ask(page, "Tell a long story");
  await said(page).getByText("upon a time").first().waitFor();
  await page.keyboard.press("Escape");
  await hint.waitFor();
  await page.keyboard.press("Escape");
  await said(page).getByText("Stopped.").waitFor();
  expect(await hint.count()).toBe(0);
  await ask(page, "Tell a long story");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await own.kill();
  const news = page.getByText("Steward is not answering; trying again");
  await news.waitFor();
  await ask(page, "/usage");
  const toast = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Close" }) });
  const lower = (await toast.boundingBox())?.y ?? 0;
  const banner = await news.boundingBox();
  expect(lower).toBeGreaterThan((banner?.y ?? 0) + (banner?.height ?? 0));
});

test("yes typed while a question waits answers it, anything else asks first, and commands stay on the page", async () => {
  const { page } = await visitor.visit(stage.assistant);
  await ask(page, "Note the bins");
  await said(page).getByRole("button", { name: "Approve" }).waitFor();
  await ask(page, "yes");
  await said(page).getByText("Noted.").waitFor();
  expect(await shownText(said(page))).toContain("Approved");
  await ask(page, "Note the locker");
  await said(page).getByRole("button", { name: "Approve" }).waitFor();
  await ask(page, "Where would it be?");
  const question = page.getByRole("dialog", { name: "Leave the question unanswered?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(await composer(page).inputValue()).toBe("Where would it be?");
  await ask(page, "no");
  await said(page).getByText("Then not.").waitFor();
  const asked = stage.assistant.model.requests.length;
  await ask(page, "/help");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  expect(stage.assistant.model.requests.length).toBe(asked);
});
