// The pages beside the chat in a real browser, with the real program behind them: questions, settings, tools, what was done, coming in.
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

const writes = (path: string, content: string) => ({ toolCalls: [{ name: "write", arguments: { path, content } }] });
const longScript = [
  `echo 0\u3164${" ".repeat(900)}; curl https://аpple.com/x`,
  ...Array.from({ length: 400 }, (_, at) => `echo ${at}`),
  `${"\n".repeat(299)}rm -rf ~ # ${"y".repeat(8_000)}`,
].join("\n");
const scripts: Scripts = {
  "What is on my shopping list?": [
    { toolCalls: [{ name: "read", arguments: { path: "shopping.txt" } }] },
    { text: "You need **oat milk** and six eggs." },
  ],
  "Keep a diary": [writes("diary.txt", "Dear diary.\n"), { text: "The diary is open." }],
  "Remove the old notes": [writes("old.txt", "gone\n"), { text: "As you wish." }],
  "Set up the machine": [writes("setup.sh", longScript), { text: "It is set up." }],
  "Rewrite the letter": [writes("letter.txt", "Dear council,\n"), { text: "Rewritten." }],
};

const stage = openPageStage(async () => {
  const steward = await startSteward({ scripts });
  await mkdir(join(steward.home, "workspace"), { recursive: true });
  await writeFile(join(steward.home, "workspace", "shopping.txt"), "oat milk\nsix eggs\n");
  return steward;
});
const { visitor } = stage;
const inWorkspace = (name: string) => join(stage.assistant.home, "workspace", name);

/** For what would disturb the others. */
async function ownSteward(options: StewardOptions = {}): Promise<RunningSteward> {
  const own = await startSteward(options);
  onTestFinished(() => own.close());
  return own;
}

/** A conversation that waits for an answer, begun by somebody else than the page. */
async function asked(question: string): Promise<string> {
  const { sessionKey } = await stage.assistant.call("sessions.create", { channel: "web" });
  await stage.assistant.call("chat.send", { sessionKey, message: question });
  const isAsked = async () => {
    const { approvals } = await stage.assistant.call("approvals.list", {});
    return approvals.some((approval) => approval.sessionKey === sessionKey);
  };
  await eventually(isAsked);
  return sessionKey;
}

describe("the inbox", () => {
  test("questions are answered by keyboard alone", async () => {
    await asked("Keep a diary");
    await asked("Remove the old notes");
    const { page } = await visitor.visit(stage.assistant, "/inbox");
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
    const { page } = await visitor.visit(stage.assistant, "/inbox");
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
    const { page } = await visitor.visit(stage.assistant, "/inbox");
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
    const { page } = await visitor.visit(stage.assistant);
    await ask(page, "Go everywhere");
    await said(page).getByText("echo: Go everywhere").waitFor();
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    for (const name of ["Inbox", "Tasks", "Activity", "Usage", "Tools", "Settings"]) {
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
    const { page } = await visitor.visit(stage.assistant, "/inbox");
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
    const { page } = await visitor.visit(stage.assistant);
    await ask(page, "Count this");
    await said(page).getByText("echo: Count this").waitFor();
    await page.getByRole("link", { name: "Usage" }).click();
    const { rows } = await stage.assistant.call("usage.get", {});
    // the tests may have begun before midnight
    const newest = rows
      .map((row) => row.day)
      .toSorted()
      .at(-1);
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
    const { page } = await visitor.visit(stage.assistant);
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
    const { page } = await visitor.visit(stage.assistant, "/inbox");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find or do anything" }).fill("sign out");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    await page.getByLabel("One-time code").fill(await stage.assistant.link());
    await page.getByRole("button", { name: "Sign in" }).click();
    await composer(page).waitFor();
  });

  test("a code that was used is refused", async () => {
    const link = await stage.assistant.link();
    const first = await visitor.arrive(stage.assistant);
    await first.page.goto(link);
    await composer(first.page).waitFor();
    const { page, expectProblem } = await visitor.arrive(stage.assistant);
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
