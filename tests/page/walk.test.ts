// The whole walk through the web page in a real browser, with the real program behind it.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import {
  type RunningSteward,
  type Scripts,
  type StewardOptions,
  shownText,
  startSteward,
  theirConnectionBreaks,
} from "../scenes/page/page-scene.ts";
import { ask, composer, openPageStage, said } from "../scenes/page/page-stage.ts";

const story = Array.from({ length: 90 }, (_, at) => `word${at}`).join(" ");
const longAnswer = { text: `Once upon a time: ${story} the end.`, delayPerPieceMs: 40 };
const writes = (path: string, content: string) => ({ toolCalls: [{ name: "write", arguments: { path, content } }] });
const scripts: Scripts = {
  "Tell me a long story": [longAnswer],
  "What is on my shopping list?": [
    { toolCalls: [{ name: "read", arguments: { path: "shopping.txt" } }] },
    { text: "You need **oat milk** and six eggs." },
  ],
  "Note that the bins go out on Tuesday": [writes("bins.txt", "Bins go out on Tuesday.\n"), { text: "Noted." }],
  "Write down my locker code": [writes("locker.txt", "4711\n"), { text: "Then I will not." }],
  "Plan the birthday": [writes("birthday.txt", "Cake at four.\n"), { text: "The plan is written." }],
};

const stage = openPageStage(async () => {
  const steward = await startSteward({ scripts });
  await mkdir(join(steward.home, "workspace"), { recursive: true });
  await writeFile(join(steward.home, "workspace", "shopping.txt"), "oat milk\nsix eggs\n");
  return steward;
});
const { visitor } = stage;
const inWorkspace = (name: string) => join(stage.assistant.home, "workspace", name);
const openKey = (page: Page) => new URL(page.url()).pathname.split("/")[2] ?? "";

/** For what would disturb the others. */
async function ownSteward(options: StewardOptions = {}): Promise<RunningSteward> {
  const own = await startSteward(options);
  onTestFinished(() => own.close());
  return own;
}

const times = async (place: Locator, words: string) => (await shownText(place)).split(words).length - 1;

const widths = (all: { naturalWidth: number }[]) => all.map((one) => one.naturalWidth);

const putOnClipboard = (picture: Buffer) => `(() => {
  const bytes = Uint8Array.from(atob("${picture.toString("base64")}"), (character) => character.charCodeAt(0));
  return navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) })]);
})()`;

describe("the first run", () => {
  test("a person chooses their own server on the setup page, tries it, uses it, and arrives in the chat", async () => {
    const fresh = await ownSteward({ settings: null });
    const { page, expectProblem } = await visitor.visit(fresh);
    expectProblem(theirConnectionBreaks);
    await ask(page, "What can you do?");
    await said(page).getByText("offline").first().waitFor();
    await page.getByRole("link", { name: "Connect a model" }).click();
    await page.getByRole("radio", { name: /Another server/ }).check();
    await page.getByLabel("Address").fill(`${fresh.model.url}/v1`);
    await page.getByRole("combobox", { name: "Model" }).fill("fake-model");
    await page.getByRole("button", { name: "Test it" }).click();
    await page.getByText(/It answered in/).waitFor();
    await page.getByRole("button", { name: "Use this model" }).click();
    await page.waitForURL("**/chat");
    await page.getByRole("link", { name: "Connect a model" }).waitFor({ state: "detached" });
    await ask(page, "Are you there?");
    await said(page).getByText("echo: Are you there?").waitFor();
  });
});

describe("chat", () => {
  test("an answer streams in, with a card for the tool that it used", async () => {
    const { page } = await visitor.visit(stage.assistant);
    await page.keyboard.type("What is on my shopping list?");
    await page.keyboard.press("Enter");
    await said(page).getByText("oat milk").waitFor();
    await said(page).getByText("Read a file").click();
    expect(await said(page).getByRole("group", { name: "Result" }).textContent()).toContain("six eggs");
    await page.getByRole("link", { name: "What is on my shopping list?" }).waitFor();
  });

  test("a click approves, and only then the file is written", async () => {
    const { page } = await visitor.visit(stage.assistant);
    await ask(page, "Note that the bins go out on Tuesday");
    const question = said(page).getByRole("article", { name: "Write a file?" });
    await question.getByRole("button", { name: "Approve" }).waitFor();
    expect(existsSync(inWorkspace("bins.txt"))).toBe(false);
    await question.getByRole("button", { name: "Approve" }).click();
    await said(page).getByText("Noted.").waitFor();
    await said(page).getByText("Made bins.txt").waitFor();
    expect(await readFile(inWorkspace("bins.txt"), "utf8")).toBe("Bins go out on Tuesday.\n");
  });

  test("a denial reaches the model with its reason, and nothing is written", async () => {
    const { page } = await visitor.visit(stage.assistant);
    await ask(page, "Write down my locker code");
    const question = said(page).getByRole("article", { name: "Write a file?" });
    await question.getByRole("button", { name: "Deny and say why…" }).click();
    await question.getByLabel(/Why not/).fill("Codes stay in my head.");
    await question.getByLabel(/Why not/).press("Enter");
    await said(page).getByText("Then I will not.").waitFor();
    expect(await times(said(page), "Not allowed")).toBe(1);
    expect(existsSync(inWorkspace("locker.txt"))).toBe(false);
    expect(stage.assistant.model.requests.at(-1)?.toolOutputs.join()).toContain("Codes stay in my head.");
  });

  test("a reload in the middle of an answer loses and doubles nothing", async () => {
    const { page } = await visitor.visit(stage.assistant);
    await ask(page, "Tell me a long story");
    await said(page).getByText("word9 ").waitFor();
    expect(await times(said(page), "the end.")).toBe(0);
    await page.reload();
    await said(page).getByText("the end.").waitFor();
    const shown = await shownText(said(page));
    expect(shown.split("Tell me a long story").length - 1).toBe(1);
    expect(shown.split("Once upon a time").length - 1).toBe(1);
    expect(shown).toContain(longAnswer.text);
  });

  test("a second browser sees the same conversation grow and answers its question", async () => {
    const first = await visitor.visit(stage.assistant);
    await ask(first.page, "Plan the birthday");
    await said(first.page).getByRole("button", { name: "Approve" }).waitFor();
    const second = await visitor.visit(stage.assistant, `/chat/${openKey(first.page)}`);
    await said(second.page).getByRole("button", { name: "Approve" }).click();
    for (const { page } of [first, second]) await said(page).getByText("The plan is written.").waitFor();
    await ask(first.page, "Tell me a long story");
    await said(second.page).getByText("word9 ").waitFor();
    for (const { page } of [first, second]) await said(page).getByText("the end.").waitFor();
    await eventually(async () => (await shownText(said(second.page))) === (await shownText(said(first.page))), true);
  });

  test("the program dies and comes back under an open page: what was asked and typed is answered once", async () => {
    // one message a turn, so that the second has an answer of its own whenever it comes
    const own = await ownSteward({ scripts, settings: { queue: { whenBusy: "wait" } } });
    const { page, expectProblem } = await visitor.visit(own);
    expectProblem(theirConnectionBreaks);
    await ask(page, "Tell me a long story");
    await said(page).getByText("word9 ").waitFor();
    await own.kill();
    await page.getByText("Steward is not answering").waitFor();
    await ask(page, "And another thing");
    await said(page).getByText("Sending…").waitFor();
    await own.start();
    await page.getByText("Steward is not answering").waitFor({ state: "detached" });
    await said(page).getByText("echo: And another thing").waitFor();
    await eventually(() => times(said(page), longAnswer.text), 1);
    expect(await times(said(page), "Once upon a time")).toBe(1);
    expect(await times(said(page), "echo: And another thing")).toBe(1);
    const { messages } = await own.call("chat.history", { sessionKey: openKey(page) });
    expect(messages.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual([
      "Tell me a long story",
      "And another thing",
    ]);
  });

  test("an answer can be stopped", async () => {
    const { page } = await visitor.visit(stage.assistant);
    await ask(page, "Tell me a long story");
    await said(page).getByText("word3 ").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await said(page).getByText("Stopped.").waitFor();
    expect(await times(said(page), "the end.")).toBe(0);
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  });

  test("a message said anew and an answer asked for again set aside what came after", async () => {
    const { page } = await visitor.visit(stage.assistant);
    await ask(page, "Greet the cat");
    await said(page).getByText("echo: Greet the cat").waitFor();
    await ask(page, "Now the neighbour");
    await said(page).getByText("echo: Now the neighbour").waitFor();
    await said(page).getByText("Greet the cat", { exact: true }).hover();
    await said(page).getByRole("button", { name: "Edit message" }).first().click();
    await page.getByRole("textbox", { name: "Say this instead" }).fill("Greet the dog");
    await page.getByRole("button", { name: "Send" }).first().click();
    await said(page).getByText("echo: Greet the dog").waitFor();
    await eventually(() => times(said(page), "echo:"), 1);
    const before = stage.assistant.model.requests.length;
    await said(page).getByRole("button", { name: "Ask again" }).click();
    await eventually(() => stage.assistant.model.requests.length, before + 1);
    await eventually(() => times(said(page), "echo: Greet the dog"), 1);
    expect(JSON.stringify(stage.assistant.model.requests.at(-1)?.body)).not.toContain("neighbour");
  });

  test("pictures are added from a file and by pasting, sent, and shown", async () => {
    const { page, context } = await visitor.visit(stage.assistant);
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 120, height: 80 } });
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add files" }).click();
    await (await choosing).setFiles({ name: "garden.png", mimeType: "image/png", buffer: picture });
    await page.getByRole("button", { name: "Remove garden.png" }).waitFor();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(putOnClipboard(picture));
    await composer(page).press("Control+v");
    await eventually(() => page.getByRole("button", { name: /^Remove / }).count(), 2);
    await ask(page, "What is in these?");
    await said(page).getByText("echo: What is in these?").waitFor();
    await eventually(() => said(page).getByRole("img").evaluateAll(widths), [120, 120]);
    await said(page).getByRole("button", { name: "Enlarge garden.png" }).click();
    await page.getByRole("dialog", { name: "garden.png" }).getByRole("button", { name: "Close" }).click();
  });
});

describe("conversations", () => {
  test("one is renamed and deleted from the list", async () => {
    const { page } = await visitor.visit(stage.assistant);
    await ask(page, "Something about gardening");
    await said(page).getByText("echo: Something about gardening").waitFor();
    const key = openKey(page);
    await page.getByRole("button", { name: "More for Something about gardening" }).click();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Name of the conversation" }).fill("The garden");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "The garden" }).waitFor();
    await page.getByRole("link", { name: "The garden" }).focus();
    await page.keyboard.press("Delete");
    const question = page.getByRole("dialog", { name: "Delete this conversation?" });
    await question.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "The garden" }).waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "What can I do for you?" }).waitFor();
    const { sessions } = await stage.assistant.call("sessions.list", {});
    expect(sessions.map(({ sessionKey }) => sessionKey)).not.toContain(key);
  });

  test("the search finds words that were said", async () => {
    const { sessionKey } = await stage.assistant.call("sessions.create", { channel: "web" });
    await stage.assistant.call("chat.send", { sessionKey, message: "The rhubarb wants shade" });
    await stage.assistant.call("sessions.rename", { sessionKey, title: "Beds" });
    const { page } = await visitor.visit(stage.assistant);
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox", { name: "Search conversations" }).fill("rhubarb");
    await page
      .getByRole("link", { name: /Beds.*rhubarb wants shade/ })
      .first()
      .click();
    await said(page).getByText("echo: The rhubarb wants shade").waitFor();
    expect(openKey(page)).toBe(sessionKey);
  });

  test("an address with a dot in it can be opened and loaded again", async () => {
    const sessionKey = "web--notes.of.today";
    await stage.assistant.call("chat.send", { sessionKey, message: "A key with dots" });
    const { page } = await visitor.visit(stage.assistant, `/chat/${sessionKey}`);
    await said(page).getByText("echo: A key with dots").waitFor();
    await page.reload();
    await said(page).getByText("echo: A key with dots").waitFor();
  });

  test("what does not exist is said plainly", async () => {
    const { page } = await visitor.visit(stage.assistant, "/nowhere");
    await page.getByRole("heading", { name: "There is no page here" }).waitFor();
    await page.goto(`${stage.assistant.origin}/chat/web--nobody`);
    await page.getByText("There is no such conversation").waitFor();
  });
});
