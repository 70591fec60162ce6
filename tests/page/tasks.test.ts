// Tasks as a person sees them: made with a preview, fired before their eyes, run, answered, stopped, looked up in a calendar.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { isLoaded, type Scripts, shownText, startSteward } from "../scenes/page/page-scene.ts";
import { ask, openPageStage, said } from "../scenes/page/page-stage.ts";
import { findStrayScrollers } from "../scenes/page/scrollers.ts";

const scripts: Scripts = {
  "Look for the dentist": [
    { text: "I look for it.", toolCalls: [{ name: "grep", arguments: { pattern: "dentist", path: "." } }] },
    { text: `The **dentist** is ${"somewhere in town. ".repeat(30)}`, delayPerPieceMs: 30 },
  ],
  "Note the bins": [
    { toolCalls: [{ name: "write", arguments: { path: "bins.txt", content: "Tuesday\n" } }] },
    { text: "Noted for you." },
  ],
  "Tell a long story": [{ text: `Once ${"upon a time ".repeat(400)}`, delayPerPieceMs: 40 }],
  "Read the invoice": [{ text: "It is from Anna." }],
};
const stage = openPageStage(() => startSteward({ scripts }));
const { visitor } = stage;

type Wish = { when?: string; prompt?: string; text?: string };

/** Made by somebody else than the page. */
async function planned({ when = "every day at 9am", prompt, text = "Tea" }: Wish): Promise<string> {
  const action = prompt === undefined ? ({ kind: "say", text } as const) : ({ kind: "do", prompt } as const);
  return (await stage.assistant.call("tasks.create", { when, action })).task.id;
}

async function openTask(wish: Wish): Promise<{ page: Page; id: string }> {
  const id = await planned(wish);
  const { page } = await visitor.visit(stage.assistant, `/tasks/${id}`);
  await page.getByRole("heading", { level: 1, name: wish.prompt ?? wish.text ?? "Tea" }).waitFor();
  return { page, id };
}

const runs = (page: Page): Locator => page.getByRole("region", { name: "Runs" });
const underWay = (page: Page): Locator => page.getByRole("region", { name: "Under way" });
const runNow = (page: Page): Promise<void> => page.getByRole("button", { name: "Run now" }).click();

describe("a reminder", () => {
  test("is made with a look at what its words mean, comes without a reload, and is heard where somebody last wrote", async () => {
    const { page } = await visitor.visit(stage.assistant);
    await ask(page, "Good morning");
    await said(page).getByText("echo: Good morning").waitFor();
    const chat = new URL(page.url()).pathname;
    await page.getByRole("link", { name: "Tasks" }).click();
    await page.getByRole("heading", { name: "Nothing is planned" }).waitFor();
    await page.getByRole("link", { name: "New task" }).click();
    await page.getByRole("radio", { name: /Just remind me/ }).check();
    await page.getByLabel("What to remind you of").fill("Stretch your legs");
    const when = page.getByLabel("When", { exact: true });
    await when.fill("whenever the moon is green");
    await eventually(() => when.getAttribute("aria-invalid"), "true");
    await page.getByLabel("When", { exact: true }).fill("every weekday at 9am");
    const times = page.getByRole("list", { name: "Next times" });
    await eventually(() => times.getByRole("listitem").count(), 5);
    await when.fill("in 3 seconds");
    await page
      .getByRole("status")
      .getByText(/^once, on /)
      .waitFor();
    // the gateway counts in UTC, and this browser's clock shows another hour
    await page.getByText(/^The words are meant in UTC; .*Europe\/Berlin/).waitFor();
    expect(await times.getByRole("listitem").count()).toBe(1);
    await page.getByRole("button", { name: "Create reminder" }).click();
    await page.getByRole("heading", { level: 1, name: "Stretch your legs" }).waitFor();
    await runs(page).getByText("Done").waitFor();
    await page.getByRole("link", { name: "Chat", exact: true }).waitFor();
    await page.goto(`${stage.assistant.origin}${chat}`);
    await said(page).getByText("Stretch your legs").first().waitFor();
    await said(page).getByRole("link", { name: "Reminder", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Stretch your legs" }).waitFor();
  });

  test("that is the first one offers notifications, and takes a no for an answer", async () => {
    const { page } = await visitor.visit(stage.assistant);
    // a browser without a window refuses by itself
    await page.addInitScript({ content: 'Object.defineProperty(Notification, "permission", { value: "default" })' });
    const make = async (words: string) => {
      await page.goto(`${stage.assistant.origin}/tasks/new`);
      await page.getByRole("radio", { name: /Just remind me/ }).check();
      await page.getByLabel("What to remind you of").fill(words);
      await page.getByLabel("When", { exact: true }).fill("tomorrow at 9");
      await page.getByRole("button", { name: "Create reminder" }).click();
      await page.getByRole("heading", { level: 1, name: words }).waitFor();
      await page.getByText("It has not run yet.").waitFor();
    };
    const offer = page.getByText("Allow notifications, so that it reaches you");
    await make("Post the letter");
    await offer.waitFor();
    await page.getByRole("button", { name: "Not now" }).click();
    expect(await offer.count()).toBe(0);
    await make("Buy stamps");
    expect(await offer.count()).toBe(0);
  });

  test("that the gateway refuses keeps every word that was typed", async () => {
    const { page } = await visitor.visit(stage.assistant, "/tasks/new");
    await page.getByRole("button", { name: "Create task" }).click();
    await page.getByText("Write what is to be done.").waitFor();
    await page.getByLabel("What to do").fill("Do it anyway");
    await page.getByLabel("When", { exact: true }).fill("on the day of never");
    await page.getByRole("button", { name: "Create task" }).click();
    await page.getByRole("alert").filter({ hasText: /\w/ }).first().waitFor();
    expect(await page.getByLabel("What to do").inputValue()).toBe("Do it anyway");
    expect(await page.getByLabel("When", { exact: true }).inputValue()).toBe("on the day of never");
  });
});

describe("one task", () => {
  test("is paused, resumed and changed, and the list says so", async () => {
    const { page, id } = await openTask({ text: "Water the plants" });
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.getByRole("link", { name: "Tasks" }).first().click();
    const group = (name: string) => page.getByRole("region", { name, exact: true });
    await group("Paused").getByRole("link", { name: "Water the plants" }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("What to remind you of").fill("Water the plants and the herbs");
    await page.getByLabel("When", { exact: true }).fill("every monday at 8am");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Water the plants and the herbs" }).waitFor();
    await page.getByText("every Monday at 08:00").waitFor();
    const { task } = await stage.assistant.call("tasks.get", { id });
    expect(task).toMatchObject({ state: "active", trigger: { kind: "cron" } });
    expect(await page.getByRole("list", { name: "Next times" }).getByRole("listitem").count()).toBe(5);
  });

  test("that runs shows what it does while it does it, and what it answered after a reload", async () => {
    const { page } = await openTask({ prompt: "Look for the dentist" });
    await runNow(page);
    await underWay(page).getByText("I look for it.").waitFor();
    await underWay(page).getByText("Search in files").waitFor();
    await underWay(page).getByText("somewhere in town").waitFor();
    expect(await page.getByRole("button", { name: "Run now" }).isDisabled()).toBe(true);
    await runs(page).getByText("Done").waitFor();
    await page.reload();
    await eventually(async () => (await shownText(runs(page))).includes("The dentist is somewhere in town."), true);
    await runs(page).getByText("What it did").click();
    await runs(page).getByText("I look for it.").waitFor();
    const conversations = page.getByRole("region", { name: "Your conversations" });
    expect(await conversations.getByRole("link", { name: "Look for the dentist" }).count()).toBe(0);
    await page.getByRole("link", { name: "Open the whole conversation" }).click();
    await said(page)
      .getByRole("link", { name: /^Task · run by hand/ })
      .waitFor();
  });

  test("that asks is answered on its own page", async () => {
    const { page } = await openTask({ prompt: "Note the bins" });
    await runNow(page);
    await page.getByRole("button", { name: "Approve" }).click();
    await eventually(async () => (await shownText(runs(page))).includes("Noted for you."), true);
    expect(existsSync(join(stage.assistant.home, "workspace", "bins.txt"))).toBe(true);
  });

  test("is ended in the middle of a run, which stops", async () => {
    const { page, id } = await openTask({ prompt: "Tell a long story" });
    await runNow(page);
    await underWay(page).getByText("upon a time").waitFor();
    expect(await underWay(page).getByText("The beginning of this").count()).toBe(0);
    await page.getByRole("button", { name: "End task" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End it" }).click();
    await runs(page).getByText("Stopped", { exact: true }).waitFor();
    await page.getByText("Ended", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(0);
    expect((await stage.assistant.call("tasks.get", { id })).task.state).toBe("ended");
    await page.goto(`${stage.assistant.origin}/tasks`);
    await page.getByRole("switch", { name: "Show ended" }).click();
    const ended = page.getByRole("region", { name: "Ended" });
    await ended.getByRole("link", { name: "Tell a long story" }).waitFor();
  });
});

test("an address of a task that is gone leads to all tasks and offers nothing that cannot work", async () => {
  const { page } = await visitor.visit(stage.assistant, "/tasks/nowhere");
  await page.getByRole("heading", { name: "This task is not there any more." }).waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await page.getByRole("link", { name: "All tasks" }).click();
  await page.getByRole("heading", { level: 1, name: "Tasks", exact: true }).waitFor();
});

test("the calendar shows each day's tasks, and a time leads to its task by keyboard", async () => {
  await planned({ when: "every day at 9am", text: "Feed the cat" });
  const { page } = await visitor.visit(stage.assistant, "/tasks/calendar");
  await page.getByRole("link", { name: "The month after" }).click();
  const days = page.getByRole("table").getByRole("link", { name: /Feed the cat/ });
  await eventually(async () => (await days.count()) >= 28, true);
  await days.first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Feed the cat" }).waitFor();
});

test("a webhook shows its address once, and what is sent there begins a run with it", async () => {
  const { page } = await visitor.visit(stage.assistant, "/tasks/new");
  await page.getByLabel("It begins").selectOption("webhook");
  await page.getByLabel("What to do").fill("Read the invoice");
  await page.getByLabel("Name of the webhook").fill("invoices");
  await page.getByRole("switch", { name: "Only signed requests" }).uncheck();
  await page.getByRole("button", { name: "Create task" }).click();
  await page.getByRole("heading", { level: 1, name: "Your webhook" }).waitFor();
  const address = (await page.getByRole("group", { name: "Address" }).textContent()) ?? "";
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("heading", { level: 1, name: "Read the invoice" }).waitFor();
  expect(await page.getByText(address).count()).toBe(0);
  const sent = await fetch(address, {
    method: "POST",
    body: '{"from":"Anna"}',
    headers: { "content-type": "application/json" },
  });
  expect(sent.status).toBeLessThan(300);
  await eventually(async () => (await shownText(runs(page))).includes("It is from Anna."), true);
  await page.getByRole("link", { name: "Open the whole conversation" }).click();
  await said(page).getByText("What came with it").click();
  await said(page).getByRole("group", { name: "What came with it" }).getByText("Anna").waitFor();
});

test("in a narrow window and in the dark nothing is cut off and nothing scrolls sideways", async () => {
  const long = `Look at ${"averyveryverylongnamewithoutanyspace".repeat(4)} and tell me`;
  const id = await planned({ prompt: long });
  const calm = { reducedMotion: "reduce", colorScheme: "dark", viewport: { width: 390, height: 844 } } as const;
  const { page } = await visitor.visit(stage.assistant, "/tasks", calm);
  const found: string[] = [];
  for (const path of ["/tasks", "/tasks/calendar", `/tasks/${id}`, `/tasks/${id}/edit`]) {
    await page.goto(`${stage.assistant.origin}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await eventually(() => page.evaluate(isLoaded));
    if (path.endsWith("/edit")) await page.getByText("More choices").click();
    found.push(...(await page.evaluate<string[]>(findStrayScrollers)).map((words) => `${path}: ${words}`));
  }
  expect(found).toEqual([]);
});
