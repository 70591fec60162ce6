// Tasks beyond their own pages: what they say is heard, found, answered and read wherever somebody is.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TaskAction } from "../../src/contract/task/task.ts";
import { eventually } from "../scenes/eventually.ts";
import { type Scripts, shownText, startSteward } from "../scenes/page/page-scene.ts";
import { ask, openPageStage, said } from "../scenes/page/page-stage.ts";

const scripts: Scripts = {
  "Note the bins": [
    { toolCalls: [{ name: "write", arguments: { path: "bins.txt", content: "Tuesday\nFriday\n" } }] },
    { text: "Noted for you." },
  ],
};
const stage = openPageStage(() => startSteward({ scripts }));
const { visitor } = stage;

async function planned(when: string, action: TaskAction): Promise<string> {
  return (await stage.assistant.call("tasks.create", { when, action })).task.id;
}

test("a reminder reaches whoever looks at another page, and its conversation is marked until it is opened", async () => {
  const { page } = await visitor.visit(stage.assistant);
  await ask(page, "Good evening");
  await said(page).getByText("echo: Good evening").waitFor();
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  await planned("in 1 second", { kind: "say", text: "Take the bread out" });
  const news = page.getByRole("status").filter({ hasText: "Take the bread out" });
  await news.getByText("Reminder", { exact: true }).waitFor();
  const list = page.getByRole("region", { name: "Your conversations" });
  const conversation = list.getByRole("link", { name: /^Good evening/ });
  await eventually(async () => (await shownText(conversation)).includes("unread"), true);
  const open = news.getByRole("button", { name: "Open" });
  await open.focus();
  await page.keyboard.press("Enter");
  await said(page).getByText("Take the bread out").first().waitFor();
  await eventually(async () => (await shownText(conversation)).includes("unread"), false);
  expect(await page.getByRole("button", { name: "Open" }).count()).toBe(0);
});

test("a question of a task is answered where it is told, line by line", async () => {
  const { page } = await visitor.visit(stage.assistant);
  await ask(page, "Good night");
  await said(page).getByText("echo: Good night").waitFor();
  const id = await planned("every day at 9am", { kind: "do", prompt: "Note the bins" });
  await stage.assistant.call("tasks.run", { id });
  await said(page)
    .getByRole("link", { name: /^Task asks/ })
    .waitFor();
  const question = said(page).getByRole("group", { name: "Exactly what would be done" });
  expect(await shownText(question)).toMatch(/Tuesday Friday/);
  expect(await shownText(said(page))).not.toContain("⏎");
  await said(page).getByRole("button", { name: "Approve" }).click();
  await eventually(() => existsSync(join(stage.assistant.home, "workspace", "bins.txt")), true);
  await said(page)
    .getByRole("link", { name: /^Task asked/ })
    .waitFor();
  await said(page).getByText("It waits no longer.").waitFor();
  expect(await shownText(said(page))).not.toContain("⏎");
});

test("tasks are found by name, and a reminder is begun, from anywhere by keyboard", async () => {
  const id = await planned("every day at 9am", { kind: "say", text: "Feed the goldfish" });
  const { page } = await visitor.visit(stage.assistant, "/settings");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find or do anything" }).fill("goldf");
  await page.getByRole("option", { name: /Feed the goldfish/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Feed the goldfish" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/tasks/${id}`);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find or do anything" }).fill("new reminder");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "New reminder" }).waitFor();
  // a reminder can begin at a time and at nothing else, and says so
  expect(await page.getByLabel("It begins").getByRole("option").count()).toBe(1);
  await page.getByText("A reminder comes at a time.").waitFor();
  await page.getByRole("radio", { name: /Do something/ }).check();
  await page.getByLabel("It begins").selectOption("file");
  await page.getByRole("radio", { name: /Just remind me/ }).check();
  await page.getByLabel("When", { exact: true }).waitFor();
});

test("activity names the task that was paused, leads to it, and shows runs among tasks", async () => {
  const id = await planned("every day at 9am", { kind: "say", text: "Sweep the stairs" });
  await stage.assistant.call("tasks.run", { id });
  await stage.assistant.call("tasks.pause", { id });
  const { page } = await visitor.visit(stage.assistant, "/activity/kind=tasks");
  await page.getByText("reminded you:").first().waitFor();
  const paused = page.getByRole("listitem").filter({ hasText: "paused a task:" });
  await paused.getByRole("link", { name: "Open the task: Sweep the stairs" }).click();
  await page.getByRole("heading", { level: 1, name: "Sweep the stairs" }).waitFor();
});

test("a day of the calendar leads to a task on that day, and what comes all day long is one line a day", async () => {
  await planned("every minute", { kind: "say", text: "Look at the oven" });
  const { page } = await visitor.visit(stage.assistant, "/tasks/calendar");
  await page.getByRole("link", { name: "The month after" }).click();
  const days = page.getByRole("table").getByRole("link", { name: /every minute.*Look at the oven/ });
  await eventually(async () => (await days.count()) >= 28, true);
  await page.getByRole("link", { name: "Today" }).click();
  await page.getByRole("cell").and(page.locator('[aria-current="date"]')).waitFor();
  await page.getByRole("link", { name: "The month after" }).click();
  const day = page.getByRole("link", { name: /^New task on \w+ 15 / });
  const name = (await day.getAttribute("aria-label"))?.replace("New task on ", "") ?? "";
  await day.click({ position: { x: 3, y: 3 } });
  await page.getByRole("heading", { level: 1, name: "New task" }).waitFor();
  expect(await page.getByLabel("When", { exact: true }).inputValue()).toContain(`on ${name}`);
  await page
    .getByRole("status")
    .getByText(/^once, on /)
    .waitFor();
});

test("who has connected no model is told so before they write, and a reminder does not mind", async () => {
  const bare = await startSteward({ settings: null });
  onTestFinished(() => bare.close());
  const { page } = await visitor.visit(bare, "/tasks/new");
  await page.getByText("Nobody can do it until a model is connected.").waitFor();
  await page.getByRole("radio", { name: /Just remind me/ }).check();
  expect(await page.getByText("Nobody can do it").count()).toBe(0);
});
