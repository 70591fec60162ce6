// The memory as a person looks into it: searched, read back, and what was recalled.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { arriveAtMemory, find, livedIn, talkOfTheFlat } from "../scenes/page/memory-scene.ts";
import { phone, shownText, startSteward } from "../scenes/page/page-scene.ts";
import { ask, openPageStage, said } from "../scenes/page/page-stage.ts";

const stage = openPageStage(() => startSteward({ furnish: talkOfTheFlat }));
const field = (page: Page) => page.getByRole("searchbox", { name: "Search the memory" });
const pathOf = (page: Page) => new URL(page.url()).pathname;
const finds = (page: Page) => page.getByRole("list", { name: "Found" }).getByRole("listitem");

describe("searching", () => {
  test("finds come while somebody types, with score, reasons, day, speaker, source and the words marked", async () => {
    const { page, memory } = await arriveAtMemory(stage, livedIn);
    await field(page).pressSequentially("anna berlin", { delay: 10 });
    await eventually(() => finds(page).count(), 2);
    const [first, second] = [await shownText(finds(page).nth(0)), await shownText(finds(page).nth(1))];
    expect(first).toContain("MEMORY.md, line 3");
    expect(first).toContain("15 Nov 2026");
    expect(first).toContain("the words “anna” and “berlin”");
    expect(first).not.toContain("said by");
    expect(second).toContain("said by you");
    expect(second).toContain("from web:example.org");
    expect(await finds(page).nth(0).getByRole("img", { name: "82 of 100" }).count()).toBe(1);
    expect(await finds(page).nth(0).locator("mark").allTextContents()).toEqual(["Anna", "Berlin"]);
    // one question for words typed in one go
    expect(memory.asked.filter(({ method }) => method === "memory.search").length).toBeLessThan(6);
  });

  test("a find shows what of it fits best with a line before and after it, its headings small, and the rest when asked", async () => {
    const { page } = await arriveAtMemory(stage, livedIn, { path: "/memory/search/anna~20berlin" });
    await eventually(() => finds(page).count(), 2);
    expect(await finds(page).nth(0).locator(".short .heading").allTextContents()).toEqual(["People"]);
    expect(await finds(page).nth(0).getByText("Show all").count()).toBe(0);
    const talk = finds(page).nth(1);
    expect(await talk.locator(".short p").allTextContents()).toEqual([
      "Steward: Tell me where.",
      "What does a flat in Berlin cost?",
      "Steward: About 18 € a square metre.",
    ]);
    expect(await talk.getByText("And in Leipzig?").isVisible()).toBe(false);
    await talk.getByText("Show all 6 lines").click();
    await talk.getByText("And in Leipzig?").waitFor();
    expect(await talk.locator(".short").isVisible()).toBe(false);
    expect(pathOf(page)).toBe("/memory/search/anna~20berlin");
  });

  test("a find of a long passage opens at the lines that fit best, and the passage is marked lightly", async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `- fact ${at + 1}`);
    const { page } = await arriveAtMemory(stage, (memory) => {
      memory.write("long.md", lines.join("\n"));
      const passage = { path: "long.md", startLine: 20, endLine: 250, text: lines.slice(19, 250).join("\n") };
      memory.finds = [find({ ...passage, best: { text: "- fact 222", startLine: 222 } })];
    });
    await field(page).fill("fact 222");
    await finds(page).first().getByRole("link", { name: "long.md, line 222" }).click();
    await eventually(() => page.locator(".line.found").allTextContents(), ["- fact 222"]);
    expect(await page.locator(".line.near").count()).toBe(230);
    const top = async () => (await page.locator(".line.found").boundingBox())?.y ?? -1;
    await eventually(async () => (await top()) > 0 && (await top()) < 800);
  });

  test("a find in a file opens at its line, marked, and the way back leads to what was searched for", async () => {
    const { page } = await arriveAtMemory(stage, livedIn);
    await field(page).fill("anna berlin");
    await finds(page).first().getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "MEMORY.md" }).waitFor();
    expect(await page.locator(".line.found").allTextContents()).toEqual(["- Anna moved to Berlin in October"]);
    await page.keyboard.press("Escape");
    await eventually(() => finds(page).count(), 2);
    expect(await field(page).inputValue()).toBe("anna berlin");
  });

  test("a find in a conversation opens it at the message", async () => {
    const { page: talk } = await stage.visitor.visit(stage.assistant);
    await ask(talk, "I moved to Berlin");
    await said(talk).getByText("echo: I moved to Berlin").waitFor();
    for (let at = 0; at < 12; at++) {
      await ask(talk, `Something else, ${at} ${"and more words ".repeat(60)}`);
      await said(talk).getByText(`echo: Something else, ${at} `).waitFor();
    }
    const sessionKey = pathOf(talk).split("/")[2] ?? "";
    const { events } = await stage.assistant.call("sessions.get", { sessionKey, maxEvents: 200 });
    const seq = events.find(({ type }) => type === "message.received")?.seq;
    const { page } = await arriveAtMemory(stage, (memory) => {
      const passage = { path: undefined, startLine: undefined, endLine: undefined, sessionKey, fromSeq: 1, toSeq: 900 };
      memory.finds = [find({ ...passage, text: "I moved to Berlin", best: { text: "I moved to Berlin", seq } })];
    });
    await field(page).fill("berlin");
    await finds(page).first().getByRole("link", { name: "I moved to Berlin" }).click();
    const top = async () => (await said(page).getByText("I moved to Berlin", { exact: true }).boundingBox())?.y ?? -1;
    await eventually(async () => (await top()) > 0 && (await top()) < 800);
  });

  test("nothing found is said as it is, with what else to try", async () => {
    const { page } = await arriveAtMemory(stage, livedIn);
    await field(page).fill("submarine");
    await page.getByRole("heading", { name: "Nothing found" }).waitFor();
    await page.getByText("Try other words").waitFor();
    expect(await finds(page).count()).toBe(0);
    expect((await shownText(page.locator("main"))).match(/nothing found/gi)).toEqual(["Nothing found"]);
  });

  test("what a search may not have seen is told with its finds", async () => {
    const { page } = await arriveAtMemory(stage, (memory) => {
      livedIn(memory);
      memory.note = "Ollama does not answer, so only words were compared.";
    });
    await field(page).fill("anna");
    await page.getByText("Ollama does not answer, so only words were compared.").waitFor();
  });

  test("a refusal is told in the gateway's words, and the next try works", async () => {
    const { page, memory } = await arriveAtMemory(stage, livedIn);
    memory.refuse("memory.search", "The index is being moved.");
    await field(page).fill("anna");
    await page.getByText("The index is being moved.").waitFor();
    memory.refuse("memory.search", undefined);
    await page.getByRole("button", { name: "Try again" }).click();
    await eventually(() => finds(page).count(), 1);
  });

  test("it goes by the keyboard: / to the field, arrows to a find, Enter opens it, Escape leads back", async () => {
    const { page } = await arriveAtMemory(stage, livedIn, { path: "/memory/files" });
    await page.keyboard.press("/");
    await eventually(() => field(page).evaluate((one) => one.matches(":focus")));
    await page.keyboard.type("anna");
    await eventually(() => finds(page).count(), 1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "MEMORY.md" }).waitFor();
    await page.keyboard.press("Escape");
    await eventually(() => field(page).inputValue(), "anna");
    await eventually(() => finds(page).count(), 1);
    await page.keyboard.press("ArrowDown");
    await eventually(() =>
      finds(page)
        .getByRole("link")
        .first()
        .evaluate((one) => one.matches(":focus")),
    );
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    await eventually(() => field(page).inputValue(), "");
  });

  test("Enter alone asks and opens nothing: which find is meant says only the arrow", async () => {
    const { page } = await arriveAtMemory(stage, livedIn);
    await field(page).fill("anna");
    await page.keyboard.press("Enter");
    await eventually(() => finds(page).count(), 1);
    await page.keyboard.press("Enter");
    await eventually(() => pathOf(page), "/memory/search/anna");
    expect(await field(page).evaluate((one) => one.matches(":focus"))).toBe(true);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Memory");
  });

  test("before anything is asked the notes changed last are there, each with its first line, and lead to it", async () => {
    const { page } = await arriveAtMemory(stage, (memory) => {
      livedIn(memory);
      for (let at = 1; at <= 4; at++) memory.write(`memory/2026-11-0${at}.md`, `# Day\n\n- Day ${at} was calm\n`);
      memory.write("USER.md", "# About me\n\nI get up at seven.\n", "owner");
    });
    const rows = page.getByRole("list", { name: "Changed last" }).getByRole("listitem");
    await eventually(() => rows.count(), 5);
    expect(await shownText(rows.nth(0))).toMatch(/USER\.md .*just now.* I get up at seven\./);
    await page.getByText("Day 4 was calm").waitFor();
    // what shapes Steward is no note
    expect(await shownText(rows.locator("xpath=.."))).not.toContain("SOUL.md");
    await rows.nth(0).getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "USER.md" }).waitFor();
  });

  test("in a narrow window the slash goes to this search and opens no menu", async () => {
    const { page } = await arriveAtMemory(stage, livedIn, { viewport: phone });
    await page.getByRole("heading", { level: 1 }).click();
    await eventually(() => field(page).evaluate((one) => one.matches(":focus")), false);
    await page.keyboard.press("/");
    await eventually(() => field(page).evaluate((one) => one.matches(":focus")));
    expect(await page.getByRole("dialog", { name: "Menu" }).count()).toBe(0);
  });

  test("an address with words in it searches for them", async () => {
    const { page } = await arriveAtMemory(stage, livedIn, { path: "/memory/search/her~20berlin" });
    await eventually(() => finds(page).count(), 2);
    expect(await field(page).inputValue()).toBe("her berlin");
  });

  test("the palette leads to the memory and to forgetting", async () => {
    const { page } = await arriveAtMemory(stage, livedIn, { path: "/usage" });
    for (const [words, path] of [
      ["search the memory", "/memory"],
      ["forget something", "/memory/forget"],
      // though its letters stand in the words about the tools
      ["dentist", "/memory/search/dentist"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Find or do anything" }).fill(words);
      await page.keyboard.press("Enter");
      await eventually(() => pathOf(page), path);
    }
  });
});

describe("the index", () => {
  test("says what it holds in one line, and is made anew when asked", async () => {
    const { page, memory } = await arriveAtMemory(stage, livedIn);
    await page.getByText("1,204 paragraphs and messages from 3 files and 12 conversations").waitFor();
    memory.status.state = "reading";
    await page.getByRole("button", { name: "Reindex" }).click();
    await page.getByText("Reading…").waitFor();
    Object.assign(memory.status, { state: "ready", units: 1_300 });
    await page.getByText("1,300 paragraphs and messages").waitFor();
    expect(memory.asked.filter(({ method }) => method === "memory.reindex").length).toBe(1);
  });

  test("what is wrong with it is told", async () => {
    const { page } = await arriveAtMemory(stage, (memory) => {
      livedIn(memory);
      memory.status.trouble = "Ollama does not answer; words alone are compared meanwhile.";
    });
    await page.getByText("Ollama does not answer; words alone are compared meanwhile.").waitFor();
  });

  test("a memory that is switched off says so above all else, with the way to its settings", async () => {
    const { page } = await arriveAtMemory(stage, (memory) => {
      livedIn(memory);
      memory.status.enabled = false;
    });
    const told = page.getByRole("alert").filter({ hasText: "The memory is switched off." });
    expect(await told.getByRole("link").getAttribute("href")).toBe("/settings/memory");
  });

  test("what is wrong with it is not told again with every result", async () => {
    const trouble = "Ollama does not answer; words alone are compared meanwhile.";
    const { page } = await arriveAtMemory(stage, (memory) => {
      livedIn(memory);
      Object.assign(memory, { note: `${trouble} New messages are being read.` });
      memory.status.trouble = trouble;
    });
    await field(page).fill("anna");
    await page.getByText("New messages are being read.", { exact: true }).waitFor();
    expect(await page.getByText(trouble).count()).toBe(1);
  });

  test("a memory with nothing in it says how something gets there", async () => {
    const { page } = await arriveAtMemory(stage);
    await page.getByText("Nothing noted yet").waitFor();
    expect(await shownText(page.locator("main"))).toContain("Say “remember that");
    await page.getByRole("link", { name: "Files" }).click();
    await page.getByText("Nothing noted yet").waitFor();
    await page.getByRole("link", { name: "Recalled" }).click();
    await page.getByRole("heading", { name: "Nothing was recalled yet" }).waitFor();
  });
});

describe("what was recalled", () => {
  test("is one quiet line in the conversation, which leads to what it was", async () => {
    const { page, memory } = await arriveAtMemory(stage, livedIn, { path: "/chat/web--flat" });
    const line = said(page).getByRole("link", { name: "Looked up 2 things" });
    const seq = Number((await line.getAttribute("href"))?.split("/").at(-1));
    for (const [at, recall] of memory.recalls.entries()) recall.seq = seq - at;
    await line.click();
    await eventually(() => page.getByRole("article").count(), 2);
    await page.getByText("Where does Anna live now?").waitFor();
    expect(memory.asked.at(-1)?.params).toMatchObject({ beforeSeq: seq + 1 });
  });

  test("is listed newest first with what was laid beside which message and why", async () => {
    const { page } = await arriveAtMemory(stage, livedIn, { path: "/memory/recalled" });
    const recalls = page.getByRole("article");
    await eventually(() => recalls.count(), 2);
    const newest = await shownText(recalls.first());
    expect(newest).toContain("Where does Anna live now?");
    expect(newest).toContain("alike in meaning");
    expect(newest).toContain("This is gone by now.");
    expect(await recalls.first().getByRole("link", { name: "Open the conversation" }).getAttribute("href")).toBe(
      "/chat/web--talk/12",
    );
    expect(await shownText(recalls.nth(1))).toContain("What colour is her bicycle?");
  });

  test("an address with its number begins there, and leads to the newest", async () => {
    const { page } = await arriveAtMemory(stage, livedIn, { path: "/memory/recalled/11" });
    await eventually(() => page.getByRole("article").count(), 1);
    await page.getByText("What colour is her bicycle?").waitFor();
    await page.getByRole("link", { name: "Show the newest" }).click();
    await eventually(() => page.getByRole("article").count(), 2);
  });

  test("older ones come when asked for", async () => {
    const { page } = await arriveAtMemory(
      stage,
      (memory) => {
        livedIn(memory);
        const [one] = memory.recalls;
        memory.recalls = Array.from({ length: 40 }, (_, at) => ({ ...one, seq: 100 - at, turn: `t${at}` }) as never);
      },
      { path: "/memory/recalled" },
    );
    await eventually(() => page.getByRole("article").count(), 30);
    await page.getByRole("button", { name: "Show older" }).click();
    await eventually(() => page.getByRole("article").count(), 40);
    expect(await page.getByRole("button", { name: "Show older" }).count()).toBe(0);
  });
});

describe("groups", () => {
  test("the memory of a group is looked into on its own", async () => {
    const { page, memory } = await arriveAtMemory(stage, (memory) => {
      livedIn(memory);
      memory.groups = [{ name: "family", title: "Family" }];
      memory.finds.push(find({ path: "group/MEMORY.md", text: "The family meets on Sunday, Anna too" }));
      memory.write("memory/group.md", "The family meets on Sunday.\n", "assistant", { group: "family" });
    });
    await page.getByLabel("Whose memory").selectOption("family");
    await eventually(() => pathOf(page), "/memory/in/family");
    await field(page).fill("anna");
    await page.getByText("The family meets on Sunday, Anna too").waitFor();
    expect(memory.asked.findLast(({ method }) => method === "memory.search")?.params).toMatchObject({
      group: "family",
    });
    await page.getByRole("link", { name: "Files" }).click();
    await page.getByRole("link", { name: "memory/group.md" }).waitFor();
    expect(await page.getByRole("link", { name: "USER.md" }).count()).toBe(0);
    await page.getByRole("link", { name: "memory/group.md" }).click();
    await page.getByText("of the group family").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Whose memory").selectOption("Yours");
    await page.getByRole("link", { name: "USER.md" }).waitFor();
    await page.goBack();
    await eventually(() => page.getByLabel("Whose memory").inputValue(), "family");
  });
});

test("on a phone the memory is reached by the menu and searched", async () => {
  const { page } = await arriveAtMemory(stage, livedIn, {
    path: "/usage",
    viewport: phone,
    hasTouch: true,
    isMobile: true,
  });
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Memory" }).click();
  await field(page).fill("anna berlin");
  await eventually(() => finds(page).count(), 2);
  expect(await page.getByText("opens", { exact: true }).isVisible()).toBe(false);
});
