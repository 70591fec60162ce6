// Every page as everybody must be able to use it: checked by axe in both themes at both widths, and walked by keyboard.
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { openUsedHome, reminderQuestion, renewalsQuestion } from "../scenes/page/lived-in.ts";
import {
  desktop,
  isLoaded,
  openBrowser,
  openVisitor,
  patienceMs,
  phone,
  type RunningSteward,
} from "../scenes/page/page-scene.ts";
import { addresses } from "../scenes/page/page-stage.ts";

const pictures = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const takesPictures = process.env.STEWARD_SCREENSHOTS === "1";
const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const calm = { reducedMotion: "reduce" } as const;
const wide = { ...calm, viewport: desktop };
const narrow = { ...calm, viewport: phone, isMobile: true, hasTouch: true, deviceScaleFactor: 1 };

// a theme changes colours and nothing else
const themes = [
  ["light", {}],
  ["dark", { runOnly: ["color-contrast", "link-in-text-block"] }],
] as const;

let browser: Browser;
let assistant: RunningSteward;
let subscriptions = "";
const visitor = openVisitor(() => browser);
const said = (page: Page) => page.getByRole("log", { name: "Conversation" });

beforeAll(async () => {
  browser = await openBrowser();
  assistant = await openUsedHome();
  await mkdir(pictures, { recursive: true });
  subscriptions = await talk("Subscriptions", renewalsQuestion, reminderQuestion);
  await talk("Downloads", "Tidy up the downloads folder");
  const dentist = await talk("Dentist", "Put the dentist into my calendar");
  await approve(dentist);
  await talk("Shopping list", "Add oat milk to the list");
}, 180_000);
afterAll(async () => {
  await assistant.close();
  await browser.close();
});
afterEach(async () => expect(await visitor.leave()).toEqual([]), patienceMs);

/** Asks one after the other; the last one may wait for the owner. */
async function talk(title: string, ...questions: readonly string[]): Promise<string> {
  const { sessionKey } = await assistant.call("sessions.create", { channel: "web" });
  for (const message of questions) {
    await assistant.call("chat.send", { sessionKey, message });
    await quiet(sessionKey);
  }
  await assistant.call("sessions.rename", { sessionKey, title });
  return sessionKey;
}

async function ranTask(): Promise<string> {
  const action = { kind: "do", prompt: renewalsQuestion } as const;
  const { task } = await assistant.call("tasks.create", { when: "every day at 9am", action, deliverTo: "none" });
  await assistant.call("tasks.run", { id: task.id });
  await eventually(
    async () => (await assistant.call("tasks.get", { id: task.id })).task.lastRun?.settled !== undefined,
  );
  return task.id;
}

async function quiet(sessionKey: string): Promise<void> {
  await eventually(async () => (await assistant.call("sessions.get", { sessionKey })).session.state !== "working");
}

async function approve(key: string): Promise<void> {
  const { approvals } = await assistant.call("approvals.list", {});
  const [asked] = approvals.filter(({ sessionKey }) => sessionKey === key);
  await assistant.call("exec.approve", { approvalId: asked?.approvalId ?? "" });
  await quiet(key);
}

async function picture(page: Page, name: string): Promise<void> {
  if (takesPictures) await page.screenshot({ path: join(pictures, `page-${name}.png`) });
}

/** What axe has to say about the page as it stands, in both themes. */
async function examine(page: Page, place: string): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(`globalThis.axe ?? (() => { ${axeSource} })()`);
  for (const [colorScheme, rules] of themes) {
    await page.emulateMedia({ colorScheme });
    const options = JSON.stringify({ resultTypes: ["violations"], preload: false, ...rules });
    const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
    for (const { id, nodes } of violations)
      for (const { target, html } of nodes)
        found.push(`${place}, ${colorScheme}: ${id}: ${target.join(" ")} ${html.slice(0, 160)}`);
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}

// first, while nobody else has come in; written only when asked for, so that no other run changes files
test("a assistant in use shows its conversations, questions, activity and usage as the README does", async () => {
  const { page } = await visitor.visit(assistant, `/chat/${subscriptions}`, { ...wide, colorScheme: "light" });
  await said(page).getByText(renewalsQuestion).scrollIntoViewIfNeeded();
  await picture(page, "chat-light");
  await page.goto(`${assistant.origin}/inbox`);
  await page.getByText("3 questions wait for your answer.").waitFor();
  await picture(page, "inbox");
  await page.goto(`${assistant.origin}/activity`);
  await page.getByRole("heading", { level: 2, name: "Today" }).waitFor();
  await picture(page, "activity");
  await page.goto(`${assistant.origin}/usage`);
  await page.getByRole("heading", { name: "Cost by day" }).waitFor();
  await picture(page, "usage");
  const dark = await visitor.visit(assistant, `/chat/${subscriptions}`, { ...wide, colorScheme: "dark" });
  await said(dark.page).getByRole("button", { name: "Approve" }).waitFor();
  const keyword = said(dark.page).getByRole("group", { name: "Python code" }).getByText("import", { exact: true });
  await keyword.waitFor();
  await picture(dark.page, "chat-dark");
  const small = { ...narrow, colorScheme: "dark", deviceScaleFactor: 1.5 } as const;
  const phoned = await visitor.visit(assistant, `/chat/${subscriptions}`, small);
  await said(phoned.page).getByText("79.39 €").scrollIntoViewIfNeeded();
  await picture(phoned.page, "phone");
}, 60_000);

for (const [width, options] of Object.entries({ "1280 px": wide, "390 px": narrow })) {
  test(`at ${width} axe finds nothing on any page in either theme`, async () => {
    const { page } = await visitor.visit(assistant, "/", options);
    const found: string[] = [];
    for (const [path, heading] of addresses) {
      await page.goto(`${assistant.origin}${path}`);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await eventually(() => page.evaluate(isLoaded));
      found.push(...(await examine(page, path)));
    }
    expect(found).toEqual([]);
  }, 120_000);

  test(`at ${width} axe finds nothing in a conversation with tools, a table, code and a question`, async () => {
    const { page } = await visitor.visit(assistant, `/chat/${subscriptions}`, options);
    await said(page).getByText("I would keep it beside your notes").waitFor();
    await said(page).getByText("Read a file").click();
    const found = await examine(page, "conversation");
    await said(page).getByRole("button", { name: "Deny and say why…" }).click();
    found.push(...(await examine(page, "saying why")));
    expect(found).toEqual([]);
  }, 60_000);

  test(`at ${width} axe finds nothing on tasks that have run, in their calendar and in the whole form`, async () => {
    const id = await ranTask();
    const { page } = await visitor.visit(assistant, `/tasks/${id}`, options);
    await page.getByText("What it did").first().click();
    await eventually(() => page.evaluate(isLoaded));
    const found = await examine(page, "one task");
    for (const path of ["/tasks", "/tasks/calendar"]) {
      await page.goto(`${assistant.origin}${path}`);
      await page.getByRole("heading", { level: 2 }).first().waitFor();
      await eventually(() => page.evaluate(isLoaded));
      found.push(...(await examine(page, path)));
    }
    await page.goto(`${assistant.origin}/tasks/new`);
    await page.getByText("More choices").click();
    await page.getByLabel("When", { exact: true }).fill("every day at 9am");
    await page.getByRole("list", { name: "Next times" }).waitFor();
    found.push(...(await examine(page, "the form")));
    await page.getByLabel("When", { exact: true }).fill("never ever");
    await page.getByRole("button", { name: "Create task" }).click();
    await page.getByText("Write what is to be done.").waitFor();
    found.push(...(await examine(page, "the form with problems")));
    await page.getByLabel("It begins").selectOption("webhook");
    found.push(...(await examine(page, "the form of a webhook")));
    expect(found).toEqual([]);
  }, 60_000);

  test(`at ${width} axe finds nothing in what opens above a page`, async () => {
    const { page } = await visitor.visit(assistant, "/inbox", options);
    await page.getByText("3 questions wait for your answer.").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Find or do anything" }).waitFor();
    const found = await examine(page, "palette");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Find or do anything" }).waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    found.push(...(await examine(page, "keyboard help")));
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor({ state: "hidden" });
    if (options === narrow) {
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("dialog", { name: "Menu" }).waitFor();
      found.push(...(await examine(page, "menu")));
    }
    await page.getByRole("link", { name: "Packing list for Norway" }).focus();
    await page.keyboard.press("F2");
    found.push(...(await examine(page, "renaming")));
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Packing list for Norway" }).focus();
    await page.keyboard.press("Delete");
    await page.getByRole("dialog", { name: "Delete this conversation?" }).waitFor();
    found.push(...(await examine(page, "asking")));
    expect(found).toEqual([]);
  }, 60_000);

  test(`at ${width} axe finds nothing on the page of somebody who is signed out`, async () => {
    const { page } = await visitor.arrive(assistant, options);
    await page.goto(assistant.origin);
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    expect(await examine(page, "signed out")).toEqual([]);
  });
}

test("a person with nothing but a keyboard asks, sends and approves", async () => {
  const { page } = await visitor.visit(assistant, "/", wide);
  await page.keyboard.type(reminderQuestion);
  await tabTo(page, "Send");
  await page.keyboard.press("Enter");
  await said(page).getByRole("button", { name: "Approve" }).waitFor();
  await tabTo(page, "Approve");
  await page.keyboard.press("Enter");
  await said(page).getByText("It is in your notes.").waitFor();
  expect(existsSync(join(assistant.home, "workspace", "notes", "renewals.py"))).toBe(true);
});

const focusedName = `(() => {
  let place = document.activeElement;
  while (place?.shadowRoot?.activeElement) place = place.shadowRoot.activeElement;
  return (place?.getAttribute("aria-label") ?? place?.textContent ?? "").trim();
})()`;

async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < 80; press++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>(focusedName);
    if (focused === name) return;
    passed.push(focused.slice(0, 40));
  }
  throw new Error(`Tab does not lead to “${name}”, only to ${passed.join(", ")}`);
}
