// Everything that speaks of something on the page: shown before it goes, and gone only after a yes.
import { expect, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { arriveAtMemory, livedIn, lookedUp } from "../scenes/page/memory-scene.ts";
import { phone, shownText, startSteward } from "../scenes/page/page-scene.ts";
import { openPageStage } from "../scenes/page/page-stage.ts";

const stage = openPageStage(() => startSteward());

test("everything that goes is shown by file and conversation, and only what is ticked goes, after one question", async () => {
  const { page, memory } = await arriveAtMemory(stage, livedIn, { path: "/memory/forget" });
  memory.stayed = ["memory/2026-11-15.md, line 1 says something else by now."];
  await page.getByLabel("Forget everything about").fill("Anna");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "MEMORY.md" }).waitFor();
  await page.getByRole("group", { name: "A conversation" }).waitFor();
  await page.getByText("2 lines and 1 message are chosen.").waitFor();
  await page.getByRole("checkbox", { name: /Anna’s birthday/ }).uncheck();
  await page.getByText("1 line and 1 message are chosen.").waitFor();
  await page.getByRole("button", { name: "Forget" }).click();
  const question = page.getByRole("dialog").filter({ hasText: "cannot be taken back" });
  await question.getByText("1 line and 1 message go for good, with what Steward did to answer.").waitFor();
  await question.getByRole("button", { name: "Forget for good" }).click();
  await page.getByText("1 line and 1 message are gone.").waitFor();
  await page.getByText("memory/2026-11-15.md, line 1 says something else by now.").waitFor();
  const { params } = memory.asked.findLast(({ method }) => method === "memory.forget") ?? {};
  expect(params).toMatchObject({
    lines: [{ path: "MEMORY.md", line: 3, text: "- Anna moved to Berlin in October" }],
    messages: [{ sessionKey: "web--talk", seq: 7 }],
  });
  await page.getByRole("checkbox", { name: /Anna’s birthday/ }).waitFor();
});

test("what speaks of it and is not for the memory to take away is listed by itself, with the reason", async () => {
  const { page, memory } = await arriveAtMemory(
    stage,
    (memory) => {
      livedIn(memory);
      memory.mentions.push({
        ...{ path: "SOUL.md", line: 4, text: "You are kind to Anna." },
        stays: "Only you write this file.",
      });
    },
    { path: "/memory/forget/Anna" },
  );
  await page.getByText("2 lines and 1 message are chosen.").waitFor();
  const staying = await shownText(page.locator(".card").filter({ hasText: "and stays" }));
  expect(staying).toContain("SOUL.md, line 4: You are kind to Anna.");
  expect(staying).toContain("Only you write this file.");
  expect(await page.getByRole("group", { name: "SOUL.md" }).count()).toBe(0);
  await page.getByRole("button", { name: "Forget" }).click();
  await page.getByRole("button", { name: "Forget for good" }).click();
  await page.getByText("2 lines and 1 message are gone.").waitFor();
  const { params } = memory.asked.findLast(({ method }) => method === "memory.forget") ?? {};
  expect(JSON.stringify(params)).not.toContain("SOUL.md");
});

test("a no changes nothing", async () => {
  const { page, memory } = await arriveAtMemory(stage, livedIn, { path: "/memory/forget/Anna" });
  await page.getByRole("button", { name: "Forget" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep everything" }).click();
  expect(memory.asked.some(({ method }) => method === "memory.forget")).toBe(false);
  await page.getByText("2 lines and 1 message are chosen.").waitFor();
});

test("a refusal keeps what was ticked", async () => {
  const { page, memory } = await arriveAtMemory(stage, livedIn, { path: "/memory/forget/Anna" });
  memory.refuse("memory.forget", "The disk is full.");
  await page.getByRole("checkbox", { name: /Anna’s birthday/ }).uncheck();
  await page.getByRole("button", { name: "Forget" }).click();
  await page.getByRole("button", { name: "Forget for good" }).click();
  await page.getByText("The disk is full.").waitFor();
  await page.getByText("1 line and 1 message are chosen.").waitFor();
});

test("what nothing speaks of is said", async () => {
  const { page } = await arriveAtMemory(stage, livedIn, { path: "/memory/forget/submarine" });
  await page.getByRole("heading", { name: "Nothing speaks of “submarine”" }).waitFor();
});

test("in a conversation what somebody said comes first, and all that was looked up is one row, to be unfolded and kept in part", async () => {
  const arrange = (memory: Parameters<typeof livedIn>[0]) => {
    livedIn(memory);
    lookedUp(memory);
  };
  const { page, memory } = await arriveAtMemory(stage, arrange, { path: "/memory/forget/boiler" });
  const talk = page.getByRole("group", { name: "A conversation" });
  await page.getByText("6 messages are chosen.").waitFor();
  expect((await shownText(talk)).match(/boiler cost\?|A new boiler|title The old boiler|looked up or done/g)).toEqual([
    "boiler cost?",
    "A new boiler",
    "title The old boiler",
    "looked up or done",
  ]);
  expect(await shownText(talk)).not.toContain("(");
  await talk.getByText("3 things looked up or done").click();
  await talk.getByRole("checkbox", { name: "page 2 about a boiler" }).uncheck();
  await page.getByText("5 messages are chosen.").waitFor();
  const all = talk.getByRole("checkbox", { name: "3 things looked up or done in A conversation" });
  await eventually(() => all.evaluate((box: { indeterminate?: boolean }) => box.indeterminate), true);
  await all.click();
  await page.getByText("6 messages are chosen.").waitFor();
  await all.uncheck();
  await page.getByText("3 messages are chosen.").waitFor();
  await page.getByRole("button", { name: "Forget" }).click();
  await page.getByRole("button", { name: "Forget for good" }).click();
  await page.getByText("3 messages are gone.").waitFor();
  const { params } = memory.asked.findLast(({ method }) => method === "memory.forget") ?? {};
  expect(params).toMatchObject({ messages: [{ seq: 5 }, { seq: 6 }, { seq: 4 }] });
});

test("that answers go along is said once, whatever the number of conversations", async () => {
  const { page } = await arriveAtMemory(
    stage,
    (memory) => {
      livedIn(memory);
      memory.mentions.push({ sessionKey: "web--other", seq: 40, who: "person", text: "Anna again" });
    },
    { path: "/memory/forget/Anna" },
  );
  await eventually(() => page.getByRole("group", { name: "A conversation" }).count(), 2);
  expect(await page.getByText("What Steward did to answer a message goes with it.").count()).toBe(1);
});

test("on a phone every box of the list is equally large, that of the earlier versions too", async () => {
  const { page } = await arriveAtMemory(
    stage,
    (memory) => {
      livedIn(memory);
      memory.earlierVersions = 17;
    },
    { path: "/memory/forget/Anna", viewport: phone, hasTouch: true, isMobile: true },
  );
  await page.getByText("17 earlier versions of notes").first().waitFor();
  const boxes = await page.getByRole("checkbox").all();
  const sizes = await Promise.all(boxes.map(async (box) => (await box.boundingBox())?.width));
  expect(new Set(sizes)).toEqual(new Set([18]));
  expect(await shownText(page.locator(".earlier"))).toContain("kept for undo and history; they mention it too.");
});
