// The notes themselves on the page: read, edited with a look at the change, and an earlier text brought back.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { FakeMemory } from "../fakes/memory/memory-methods.ts";
import { eventually } from "../scenes/eventually.ts";
import { arriveAtMemory, livedIn, notes } from "../scenes/page/memory-scene.ts";
import { shownText, startSteward } from "../scenes/page/page-scene.ts";
import { openPageStage } from "../scenes/page/page-stage.ts";

const stage = openPageStage(() => startSteward());
const text = (page: Page) => page.getByRole("textbox", { name: "Text of MEMORY.md" });
const diff = (page: Page, name = "What changes") => page.getByRole("group", { name });
const editing = { path: "/memory/edit/MEMORY~2Emd" };

test("files are listed with size and time, and one opens with its lines numbered", async () => {
  const { page } = await arriveAtMemory(stage, livedIn, { path: "/memory/files" });
  const row = page.getByRole("listitem").filter({ hasText: "USER.md" });
  expect(await shownText(row)).toMatch(/USER\.md 36 bytes.*just now/);
  expect(await shownText(page.getByRole("list", { name: "What shapes Steward" }))).toContain("SOUL.md");
  expect(await shownText(page.getByRole("list", { name: "Notes" }))).not.toContain("SOUL.md");
  await page.getByRole("link", { name: "MEMORY.md" }).click();
  await page.getByRole("heading", { level: 1, name: "MEMORY.md" }).waitFor();
  expect(await page.locator(".line").nth(2).getAttribute("data-number")).toBe("3");
});

test("the lines of a find are marked and in sight, however far down they are", async () => {
  const { page } = await arriveAtMemory(
    stage,
    (memory) => memory.write("long.md", Array.from({ length: 900 }, (_, at) => `line ${at + 1}`).join("\n")),
    { path: "/memory/file/long~2Emd/850-851" },
  );
  await eventually(() => page.locator(".line.found").allTextContents(), ["line 850", "line 851"]);
  const { height = 0 } = page.viewportSize() ?? {};
  const top = async () => (await page.locator(".line.found").first().boundingBox())?.y ?? -1;
  await eventually(async () => (await top()) > 0 && (await top()) < height);
});

test("a change is looked over before it is saved", async () => {
  const { page, memory } = await arriveAtMemory(stage, livedIn, { path: "/memory/file/MEMORY~2Emd" });
  await page.getByRole("link", { name: "Edit" }).click();
  await text(page).fill(notes.replace("blue", "green"));
  await page.getByRole("button", { name: "Look over the change" }).click();
  const shown = await shownText(diff(page));
  expect(shown).toContain("− • Her bicycle is blue");
  expect(shown).toContain("+ • Her bicycle is green");
  expect(await shownText(page.locator(".tally"))).toBe("1 removed, 1 added ");
  expect(memory.textOf("MEMORY.md")).toBe(notes);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "MEMORY.md" }).waitFor();
  await page.locator(".line").getByText("Her bicycle is green").waitFor();
  expect(memory.textOf("MEMORY.md")).toContain("green");
});

test("what was typed waits while somebody looks at another page, and after a refusal", async () => {
  const { page, memory } = await arriveAtMemory(stage, livedIn, editing);
  await text(page).fill("# All new\n");
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  await page.goBack();
  expect(await text(page).inputValue()).toBe("# All new\n");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Go on editing" }).click();
  expect(await text(page).inputValue()).toBe("# All new\n");
  memory.refuse("notes.write", "The disk is full.");
  await page.getByRole("button", { name: "Look over the change" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The disk is full.").waitFor();
  await page.getByRole("button", { name: "Keep editing" }).click();
  expect(await text(page).inputValue()).toBe("# All new\n");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Discard what I wrote" }).click();
  await page.getByRole("heading", { level: 1, name: "MEMORY.md" }).waitFor();
  expect(memory.textOf("MEMORY.md")).toBe(notes);
});

test("somebody else's change meanwhile is shown, and nothing typed is lost", async () => {
  const { page, memory } = await arriveAtMemory(stage, livedIn, editing);
  const mine = notes.replace("blue", "green");
  await text(page).fill(mine);
  memory.write("MEMORY.md", notes.replace("October", "November"));
  await page.getByRole("button", { name: "Look over the change" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("This file was changed meanwhile").waitFor();
  expect(await shownText(diff(page, "What was changed meanwhile"))).toContain("+ • Anna moved to Berlin in November");
  await page.getByRole("button", { name: "Keep editing" }).click();
  expect(await text(page).inputValue()).toBe(mine);
  await text(page).fill(mine.replace("October", "November"));
  await page.getByRole("button", { name: "Look over the change" }).click();
  expect(await shownText(diff(page))).not.toContain("+ • Anna");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".line").getByText("Her bicycle is green").waitFor();
  expect(memory.textOf("MEMORY.md")).toBe(mine.replace("October", "November"));
});

test("the history says who changed what, and makes an earlier text the present one again", async () => {
  const { page, memory } = await arriveAtMemory(stage, livedIn, { path: "/memory/file/MEMORY~2Emd" });
  await page.getByRole("link", { name: "History" }).click();
  const changes = page.getByRole("list", { name: "Changes" }).getByRole("listitem");
  await eventually(() => changes.count(), 2);
  expect(await shownText(changes.nth(0))).toContain("You changed this");
  expect(await shownText(changes.nth(1))).toContain("Steward made this note in a conversation");
  await eventually(async () =>
    (await shownText(changes.nth(0))).includes("What changed Anna moved to Berlin in October"),
  );
  await changes.nth(0).getByText("What changed").click();
  await eventually(async () => (await shownText(changes.nth(0))).includes("− • Anna moved to Hamburg"));
  await changes.nth(1).getByRole("link", { name: "Go back to this" }).click();
  expect(await shownText(diff(page))).toContain("+ • Anna moved to Hamburg");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".line").getByText("Anna moved to Hamburg").waitFor();
  expect(memory.textOf("MEMORY.md")).toContain("Hamburg");
});

test("the history tells by day what was noted and what was removed", async () => {
  const { page } = await arriveAtMemory(
    stage,
    (memory) => {
      memory.lay("MEMORY.md", notes);
      memory.write("MEMORY.md", `${notes}- The wifi code is on the fridge\n`);
      memory.write("MEMORY.md", notes, "owner");
    },
    { path: "/memory/history/MEMORY~2Emd" },
  );
  await page.getByRole("heading", { level: 2, name: "Today" }).waitFor();
  const changes = page.getByRole("list", { name: "Changes, Today" }).getByRole("listitem");
  await eventually(async () => (await shownText(changes.nth(0))).includes("You removed this"));
  await eventually(async () => (await shownText(changes.nth(1))).includes("Steward noted this in a conversation"));
});

test("what stood there before the first change that is written down is brought back, too", async () => {
  const before = "# People\n\n- Anna lives in Hamburg\n";
  const { page, memory } = await arriveAtMemory(
    stage,
    (memory) => {
      memory.lay("MEMORY.md", before);
      memory.write("MEMORY.md", notes);
    },
    { path: "/memory/history/MEMORY~2Emd" },
  );
  const beginning = page.getByRole("listitem").filter({ hasText: "Before all of these changes" });
  await beginning.getByRole("link", { name: "Go back to this" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".line").getByText("Anna lives in Hamburg").waitFor();
  expect(memory.textOf("MEMORY.md")).toBe(before);
});

test("a note that is not there is said, and can be written", async () => {
  const { page, memory } = await arriveAtMemory(stage, () => {}, { path: "/memory/file/MEMORY~2Emd" });
  await page.getByRole("heading", { name: "This file is not there." }).waitFor();
  await page.getByRole("link", { name: "Write it" }).click();
  await text(page).fill("- The key lies under the pot\n");
  await page.getByRole("button", { name: "Look over the change" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".line").getByText("The key lies under the pot").waitFor();
  expect(memory.textOf("MEMORY.md")).toBe("- The key lies under the pot\n");
});

test("a file beside the notes, which is only searched, is shown and cannot be edited", async () => {
  const withRecipes = (memory: FakeMemory) => {
    livedIn(memory);
    memory.write("/home/anna/recipes.md", "Two eggs\n", "owner");
  };
  const path = "/memory/file/~2Fhome~2Fanna~2Frecipes~2Emd/1";
  const { page } = await arriveAtMemory(stage, withRecipes, { path });
  await page.getByText("It lies beside the notes").waitFor();
  await page.locator(".line.found").getByText("Two eggs").waitFor();
  expect(await page.getByRole("link", { name: "Edit" }).count()).toBe(0);
});

test("a file that cannot be read is told and tried again", async () => {
  const { page, memory } = await arriveAtMemory(stage, livedIn, { path: "/memory/files" });
  memory.refuse("notes.read", "The disk does not answer.");
  await page.getByRole("link", { name: "MEMORY.md" }).click();
  await page.getByText("The disk does not answer.").waitFor();
  memory.refuse("notes.read", undefined);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".line").getByText("Her bicycle is blue").waitFor();
});
