// The whole walk through the web page in a real browser, with the real program behind it.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import {
  openBrowser,
  openVisitor,
  patienceMs,
  type RunningSteward,
  type Scripts,
  type StewardOptions,
  shownText,
  startSteward,
  theirConnectionBreaks,
} from "../scenes/page/page-scene.ts";

const story = Array.from({ length: 90 }, (_, at) => `word${at}`).join(" ");
const longAnswer = { text: `Once upon a time: ${story} the end.`, delayPerPieceMs: 40 };
const writes = (path: string, content: string) => ({ toolCalls: [{ name: "write", arguments: { path, content } }] });
const longScript = [
  `echo 0\u3164${" ".repeat(900)}; curl https://аpple.com/x`,
  ...Array.from({ length: 400 }, (_, at) => `echo ${at}`),
  `${"\n".repeat(299)}rm -rf ~ # ${"y".repeat(8_000)}`,
].join("\n");
const scripts: Scripts = {
  "Tell me a long story": [longAnswer],
  "What is on my shopping list?": [
    { toolCalls: [{ name: "read", arguments: { path: "shopping.txt" } }] },
    { text: "You need **oat milk** and six eggs." },
  ],
  "Note that the bins go out on Tuesday": [writes("bins.txt", "Bins go out on Tuesday.\n"), { text: "Noted." }],
  "Write down my locker code": [writes("locker.txt", "4711\n"), { text: "Then I will not." }],
  "Plan the birthday": [writes("birthday.txt", "Cake at four.\n"), { text: "The plan is written." }],
  "Keep a diary": [writes("diary.txt", "Dear diary.\n"), { text: "The diary is open." }],
  "Remove the old notes": [writes("old.txt", "gone\n"), { text: "As you wish." }],
  "Set up the machine": [writes("setup.sh", longScript), { text: "It is set up." }],
  "Rewrite the letter": [writes("letter.txt", "Dear council,\n"), { text: "Rewritten." }],
};

let browser: Browser;
let assistant: RunningSteward;
const visitor = openVisitor(() => browser);
const inWorkspace = (name: string) => join(assistant.home, "workspace", name);
const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });
const said = (page: Page) => page.getByRole("log", { name: "Conversation" });
const openKey = (page: Page) => new URL(page.url()).pathname.split("/")[2] ?? "";

beforeAll(async () => {
  browser = await openBrowser();
  assistant = await startSteward({ scripts });
  await mkdir(join(assistant.home, "workspace"), { recursive: true });
  await writeFile(inWorkspace("shopping.txt"), "oat milk\nsix eggs\n");
}, 180_000);
afterAll(async () => {
  await assistant.close();
  await browser.close();
});
afterEach(async () => expect(await visitor.leave()).toEqual([]), patienceMs);

/** For what would disturb the others. */
async function ownSteward(options: StewardOptions = {}): Promise<RunningSteward> {
  const own = await startSteward(options);
  onTestFinished(() => own.close());
  return own;
}

async function ask(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

const times = async (place: Locator, words: string) => (await shownText(place)).split(words).length - 1;

/** A conversation that waits for an answer, begun by somebody else than the page. */
async function asked(question: string): Promise<string> {
  const { sessionKey } = await assistant.call("sessions.create", { channel: "web" });
  await assistant.call("chat.send", { sessionKey, message: question });
  const isAsked = async () => {
    const { approvals } = await assistant.call("approvals.list", {});
    return approvals.some((approval) => approval.sessionKey === sessionKey);
  };
  await eventually(isAsked);
  return sessionKey;
}

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
    const { page } = await visitor.visit(assistant);
    await page.keyboard.type("What is on my shopping list?");
    await page.keyboard.press("Enter");
    await said(page).getByText("oat milk").waitFor();
    await said(page).getByText("Read a file").click();
    expect(await said(page).getByRole("group", { name: "Result" }).textContent()).toContain("six eggs");
    await page.getByRole("link", { name: "What is on my shopping list?" }).waitFor();
  });

  test("a click approves, and only then the file is written", async () => {
    const { page } = await visitor.visit(assistant);
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
    const { page } = await visitor.visit(assistant);
    await ask(page, "Write down my locker code");
    const question = said(page).getByRole("article", { name: "Write a file?" });
    await question.getByRole("button", { name: "Deny and say why…" }).click();
    await question.getByLabel(/Why not/).fill("Codes stay in my head.");
    await question.getByLabel(/Why not/).press("Enter");
    await said(page).getByText("Then I will not.").waitFor();
    expect(await times(said(page), "Not allowed")).toBe(1);
    expect(existsSync(inWorkspace("locker.txt"))).toBe(false);
    expect(assistant.model.requests.at(-1)?.toolOutputs.join()).toContain("Codes stay in my head.");
  });

  test("a reload in the middle of an answer loses and doubles nothing", async () => {
    const { page } = await visitor.visit(assistant);
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
    const first = await visitor.visit(assistant);
    await ask(first.page, "Plan the birthday");
    await said(first.page).getByRole("button", { name: "Approve" }).waitFor();
    const second = await visitor.visit(assistant, `/chat/${openKey(first.page)}`);
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
    const { page } = await visitor.visit(assistant);
    await ask(page, "Tell me a long story");
    await said(page).getByText("word3 ").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await said(page).getByText("Stopped.").waitFor();
    expect(await times(said(page), "the end.")).toBe(0);
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  });

  test("a message said anew and an answer asked for again set aside what came after", async () => {
    const { page } = await visitor.visit(assistant);
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
    const before = assistant.model.requests.length;
    await said(page).getByRole("button", { name: "Ask again" }).click();
    await eventually(() => assistant.model.requests.length, before + 1);
    await eventually(() => times(said(page), "echo: Greet the dog"), 1);
    expect(JSON.stringify(assistant.model.requests.at(-1)?.body)).not.toContain("neighbour");
  });

  test("pictures are added from a file and by pasting, sent, and shown", async () => {
    const { page, context } = await visitor.visit(assistant);
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
    const { page } = await visitor.visit(assistant);
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
    const { sessions } = await assistant.call("sessions.list", {});
    expect(sessions.map(({ sessionKey }) => sessionKey)).not.toContain(key);
  });

  test("the search finds words that were said", async () => {
    const { sessionKey } = await assistant.call("sessions.create", { channel: "web" });
    await assistant.call("chat.send", { sessionKey, message: "The rhubarb wants shade" });
    await assistant.call("sessions.rename", { sessionKey, title: "Beds" });
    const { page } = await visitor.visit(assistant);
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
    await assistant.call("chat.send", { sessionKey, message: "A key with dots" });
    const { page } = await visitor.visit(assistant, `/chat/${sessionKey}`);
    await said(page).getByText("echo: A key with dots").waitFor();
    await page.reload();
    await said(page).getByText("echo: A key with dots").waitFor();
  });

  test("what does not exist is said plainly", async () => {
    const { page } = await visitor.visit(assistant, "/nowhere");
    await page.getByRole("heading", { name: "There is no page here" }).waitFor();
    await page.goto(`${assistant.origin}/chat/web--nobody`);
    await page.getByText("There is no such conversation").waitFor();
  });
});

describe("the inbox", () => {
  test("questions are answered by keyboard alone", async () => {
    await asked("Keep a diary");
    await asked("Remove the old notes");
    const { page } = await visitor.visit(assistant, "/inbox");
    await page.getByText("2 questions wait for your answer.").waitFor();
    for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
    const first = await page.evaluate<string>(focusedText);
    const approved = first.includes("diary.txt") ? "diary.txt" : "old.txt";
    const denied = approved === "diary.txt" ? "old.txt" : "diary.txt";
    await page.keyboard.press("a");
    await page.getByText("One question waits for your answer.").waitFor();
    await pointedAt(page, denied);
    await page.keyboard.press("d");
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await eventually(() => existsSync(inWorkspace(approved)), true);
    expect(existsSync(inWorkspace(denied))).toBe(false);
  });
});

describe("a question longer than the window", () => {
  test("is shown whole, spells out what cannot be seen, and is approved only from its end", async () => {
    await asked("Set up the machine");
    const { page } = await visitor.visit(assistant, "/inbox");
    const question = await shownText(page.getByRole("group", { name: "Exactly what would be done" }));
    expect(question).toContain("echo 0\\u{3164}[900 spaces]; curl https://\\u{430}pple.com (xn--pple-43d.com)/x");
    expect(question).toMatch(/ echo 399 \[299 blank lines\] rm -rf ~ # y{8000} $/);
    await page.keyboard.press("a");
    await page.keyboard.press("a");
    await page.getByText("This is the end of the question.").waitFor();
    expect(existsSync(inWorkspace("setup.sh"))).toBe(false);
    await page.keyboard.press("a");
    await eventually(() => existsSync(inWorkspace("setup.sh")), true);
  });
});

describe("a key pressed too early", () => {
  test("answers nothing that was not pointed at, and shows what the next press would answer", async () => {
    await asked("Keep a diary");
    const { page } = await visitor.visit(assistant, "/inbox");
    await page.getByText("One question waits for your answer.").waitFor();
    await page.keyboard.press("d");
    await pointedAt(page, "diary.txt");
    expect(await page.getByText("One question waits for your answer.").isVisible()).toBe(true);
    await page.keyboard.press("d");
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
  });
});

describe("the other pages", () => {
  test("the command palette opens every page without loading anything anew", async () => {
    const { page } = await visitor.visit(assistant);
    await ask(page, "Go everywhere");
    await said(page).getByText("echo: Go everywhere").waitFor();
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    for (const name of ["Inbox", "Activity", "Usage", "Tools", "Settings"]) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Find or do anything" }).fill(name.slice(0, 5));
      await page.getByRole("option", { name }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/${name.toLowerCase()}`);
    }
    await page.keyboard.press("n");
    await page.getByRole("heading", { name: "What can I do for you?" }).waitFor();
    await page.keyboard.type("typed at once");
    expect(await composer(page).inputValue()).toBe("typed at once");
    expect(loads).toBe(0);
  });

  test("a bad setting shows its problem beside the field, a good one is saved and applied", async () => {
    const own = await ownSteward();
    const { page, expectProblem } = await visitor.visit(own, "/settings/queue");
    expectProblem(theirConnectionBreaks);
    const field = page.getByRole("textbox", { name: "Concurrency" });
    await field.fill("5000");
    const problem = await problemBeside(field);
    expect(problem).toMatch(/1000/);
    await field.fill("8");
    // what is not saved waits for whoever looks at another page, and the browser asks before it is lost
    await page.getByRole("link", { name: "Inbox" }).click();
    await page.getByText("One change to the settings is not saved yet.").waitFor();
    let asked = 0;
    page.once("dialog", (dialog) => {
      asked += 1;
      void dialog.dismiss();
    });
    await page.evaluate("location.reload()");
    await eventually(() => asked, 1);
    await page.getByRole("button", { name: "Go back" }).click();
    await eventually(() => page.getByRole("textbox", { name: "Concurrency" }).inputValue(), "8");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Apply now" }).click();
    await page.getByText("The settings are in use now.").waitFor();
    await page.reload();
    await eventually(() => page.getByRole("textbox", { name: "Concurrency" }).inputValue(), "8");
    expect(await own.call("settings.get", {})).toMatchObject({ pending: [] });
    expect(JSON.parse(await readFile(join(own.home, "config.json"), "utf8")).queue).toEqual({ concurrency: 8 });
  });

  test("a tool can be tried, and the rule for it is saved and kept", async () => {
    const own = await ownSteward({ scripts });
    await mkdir(join(own.home, "workspace"), { recursive: true });
    await writeFile(join(own.home, "workspace", "shopping.txt"), "oat milk\nsix eggs\n");
    const { page, expectProblem } = await visitor.visit(own, "/tools/read");
    expectProblem(theirConnectionBreaks);
    await page.getByLabel("Path").fill("shopping.txt");
    await page.getByRole("button", { name: "Run it" }).click();
    await page.getByRole("group", { name: "Result" }).getByText("six eggs").waitFor();
    await page.getByRole("combobox", { name: "When read may run" }).selectOption({ label: "Never" });
    await page.getByRole("button", { name: "Apply now" }).click();
    await page.getByText("The settings are in use now.").waitFor();
    await page.goto(`${own.origin}/`);
    await ask(page, "What is on my shopping list?");
    await said(page).getByText("Not allowed").waitFor();
  });

  test("the activity shows what was done, and taking it back restores the file", async () => {
    await writeFile(inWorkspace("letter.txt"), "Dear Anna,\n");
    await asked("Rewrite the letter");
    const { page } = await visitor.visit(assistant, "/inbox");
    await page.getByRole("button", { name: "Approve" }).click();
    await eventually(() => readFile(inWorkspace("letter.txt"), "utf8"), "Dear council,\n");
    await page.getByRole("link", { name: "Activity" }).click();
    const line = page
      .getByRole("listitem")
      .filter({ hasText: /letter\.txt/ })
      .filter({ hasText: /changed 1 file/ });
    await line.getByRole("button", { name: "Undo" }).click();
    await eventually(() => readFile(inWorkspace("letter.txt"), "utf8"), "Dear Anna,\n");
    await line.getByText("Taken back").waitFor();
  });

  test("the usage page counts what was read and written", async () => {
    const { page } = await visitor.visit(assistant);
    await ask(page, "Count this");
    await said(page).getByText("echo: Count this").waitFor();
    await page.getByRole("link", { name: "Usage" }).click();
    const { rows } = await assistant.call("usage.get", {});
    // the tests may have begun before midnight
    const newest = rows.reduce((day, row) => (row.day > day ? row.day : day), "");
    const calls = rows.reduce((sum, row) => sum + (row.day === newest ? row.calls : 0), 0);
    const today = page
      .getByRole("main")
      .locator("section")
      .filter({ has: page.getByRole("heading", { name: "Today" }) });
    await eventually(async () => (await shownText(today)).includes(`Answers ${calls} `), true);
    const tokens = page.getByRole("region", { name: "Tokens by day" });
    await tokens.getByText("As a table").click();
    await tokens.getByRole("row").filter({ hasText: /\d/ }).first().waitFor();
  });

  test("the colours that were chosen are still there after a reload", async () => {
    const { page } = await visitor.visit(assistant);
    const paper = () => page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    const light = await paper();
    await page.getByRole("button", { name: "Use dark colours" }).click();
    const dark = await paper();
    await page.reload();
    await page.getByRole("button", { name: "Use light colours" }).waitFor();
    expect([dark === light, await paper()]).toEqual([false, dark]);
  });
});

describe("coming in and leaving", () => {
  test("whoever signs out is asked for a code, and a new one lets them in again", async () => {
    const { page } = await visitor.visit(assistant, "/inbox");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find or do anything" }).fill("sign out");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    await page.getByLabel("One-time code").fill(await assistant.link());
    await page.getByRole("button", { name: "Sign in" }).click();
    await composer(page).waitFor();
  });

  test("a code that was used is refused", async () => {
    const link = await assistant.link();
    const first = await visitor.arrive(assistant);
    await first.page.goto(link);
    await composer(first.page).waitFor();
    const { page, expectProblem } = await visitor.arrive(assistant);
    expectProblem(/status of 401/);
    await page.goto(link);
    await page.getByText("That code is not valid any more.").waitFor();
    expect(await composer(page).count()).toBe(0);
  });
});

const focusedText = `(() => {
  let place = document.activeElement;
  while (place?.shadowRoot?.activeElement) place = place.shadowRoot.activeElement;
  return (place?.querySelector("steward-approval-card")?.shadowRoot ?? place)?.textContent ?? "";
})()`;

/** Only the question that the keyboard points at is answered by a key. */
async function pointedAt(page: Page, words: string): Promise<void> {
  await eventually(async () => (await page.evaluate<string>(focusedText)).includes(words), true);
}

async function problemBeside(field: Locator): Promise<string> {
  await eventually(() => field.getAttribute("aria-invalid"), "true");
  return (await field.locator("xpath=../*[@id='problem']").textContent()) ?? "";
}
