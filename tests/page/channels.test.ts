// Channels as a person sees them: switched on step by step, people let in and put out, groups made; and marks in the chat.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { answerChannelMethods, type FakeChannels } from "../fakes/channels/channel-methods.ts";
import { eventually } from "../scenes/eventually.ts";
import {
  isLoaded,
  type RunningSteward,
  shownText,
  startSteward,
  theirConnectionBreaks,
} from "../scenes/page/page-scene.ts";
import { composer, openPageStage } from "../scenes/page/page-stage.ts";
import { findStrayScrollers } from "../scenes/page/scrollers.ts";
import { groupOptions, shownGroup } from "../scenes/page/shown-channel.ts";

const stage = openPageStage(() => startSteward({ furnish: talkElsewhere }));
const { visitor } = stage;
const secret = "123456789:AAE-not-a-real-token";

type Scene = { page: Page; channels: FakeChannels; expectProblem(pattern: RegExp): void };

/** The page with channels as the test wants them; all else is the real gateway's. */
async function arrive(
  arrange: (channels: FakeChannels) => void = () => {},
  options: BrowserContextOptions & { path?: string; steward?: RunningSteward } = {},
): Promise<Scene> {
  const { path = "/channels", steward = stage.assistant, ...rest } = options;
  const { page, context, expectProblem } = await visitor.arrive(steward, rest);
  const channels = await answerChannelMethods(context);
  arrange(channels);
  await page.goto(await steward.link());
  await composer(page).waitFor();
  await page.goto(`${steward.origin}${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await eventually(() => page.evaluate(isLoaded));
  return { page, channels, expectProblem };
}

/** For what starts the program anew. */
async function ownSteward(): Promise<RunningSteward> {
  const own = await startSteward();
  onTestFinished(() => own.close());
  return own;
}

function connected(channels: FakeChannels): void {
  Object.assign(channels.channel("telegram"), {
    ...{ state: "connected", detail: "@my_bot", lastProofMs: Date.now() - 12_000 },
    secrets: [{ name: "TELEGRAM_BOT_TOKEN", found: true }],
    people: [{ id: "84512", name: "Anna", from: "paired" }],
  });
}

const hasFocus = (one: Locator): Promise<boolean> => one.evaluate((element) => element.matches(":focus"));
const card = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const saved = async ({ home }: RunningSteward) => JSON.parse(await readFile(join(home, "config.json"), "utf8"));

describe("switching a channel on", () => {
  test("leads from nothing to a test message, and can be left and taken up again", async () => {
    const own = await ownSteward();
    const { page, channels, expectProblem } = await arrive(() => {}, { steward: own });
    expectProblem(theirConnectionBreaks);
    await page.getByRole("button", { name: "Set up: Telegram" }).click();
    expect(new URL(page.url()).pathname).toBe("/channels/telegram");
    const telegram = card(page, "Telegram");
    await telegram.getByRole("link", { name: "@BotFather" }).waitFor();
    await telegram.getByRole("button", { name: "That is done" }).click();
    await telegram.getByLabel("Token of the bot").fill(secret);
    await telegram.getByRole("button", { name: "Save", exact: true }).click();
    const step = (name: string) => telegram.getByRole("button", { name });
    await step("Paste the token (done)").waitFor();
    expect(channels.secrets.get("TELEGRAM_BOT_TOKEN")).toBe(secret);
    await page.goto(`${own.origin}/inbox`);
    await page.goto(`${own.origin}/channels/telegram`);
    await step("Paste the token (done)").waitFor();
    expect(await shownText(page.locator("body"))).not.toContain("AAE");
    await step("Switch on now").click();
    await telegram.getByText("Connected as @my_bot").waitFor();
    expect((await saved(own)).channels.telegram).toEqual({ enabled: true });
    await telegram.getByRole("button", { name: "Get a code" }).click();
    await eventually(() => telegram.getByLabel("Pairing code").textContent(), "BCDF2341");
    await telegram.getByText("Write this to your bot on Telegram").waitFor();
    channels.pair("telegram", { id: "7", name: "Anna" });
    await step("Let yourself in (done)").waitFor();
    await telegram.getByRole("button", { name: "Send a test message" }).click();
    await step("Try it out (done)").waitFor();
  });

  test("leads the keyboard from each step to the next one", async () => {
    const own = await ownSteward();
    const { page, channels, expectProblem } = await arrive(() => {}, { steward: own });
    expectProblem(theirConnectionBreaks);
    const telegram = card(page, "Telegram");
    const button = (name: string) => telegram.getByRole("button", { name, exact: true });
    const press = async (one: Locator) => {
      await one.focus();
      await page.keyboard.press("Enter");
    };
    await press(page.getByRole("button", { name: "Set up: Telegram" }));
    await eventually(() => hasFocus(telegram.getByRole("link", { name: "@BotFather" })), true);
    await press(button("That is done"));
    await eventually(() => hasFocus(telegram.getByLabel("Token of the bot")), true);
    channels.refuse("channels.set_secret", "The disk is full.");
    await page.keyboard.type(secret);
    await press(button("Save"));
    await telegram.getByText("The disk is full.").waitFor();
    await eventually(() => hasFocus(button("Save")), true);
    await page.keyboard.press("Enter");
    await eventually(() => hasFocus(button("Switch on now")), true);
    await page.keyboard.press("Enter");
    await eventually(() => hasFocus(button("Get a code")), true);
    await page.keyboard.press("Enter");
    await telegram.getByLabel("Pairing code").waitFor();
    channels.pair("telegram", { id: "7", name: "Anna" });
    await eventually(() => hasFocus(button("Send a test message")), true);
    await page.keyboard.press("Enter");
    await eventually(() => hasFocus(telegram.getByRole("button", { name: "Try it out (done)" })), true);
  });

  test("keeps a token that could not be saved from being shown, and says why in the gateway's words", async () => {
    const { page, channels } = await arrive(({ refuse }) => refuse("channels.set_secret", "The disk is full."), {
      path: "/channels/discord",
    });
    await page.getByRole("button", { name: "Paste the token" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Paste it into the field first.").waitFor();
    await page.getByLabel("Token of the bot").fill(secret);
    expect(await page.getByLabel("Token of the bot").getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The disk is full.").waitFor();
    expect(channels.secrets.size).toBe(0);
  });

  test("asks anew for a token that the platform refuses", async () => {
    const { page } = await arrive(
      ({ channel }) =>
        Object.assign(channel("discord"), {
          ...{ state: "refused", detail: "Discord does not take this token. Make a new one." },
          secrets: [{ name: "DISCORD_BOT_TOKEN", found: true }],
        }),
      { path: "/channels/discord" },
    );
    const discord = card(page, "Discord");
    await discord.getByText("Does not let Steward in").waitFor();
    await discord.getByText("Make a new one.").waitFor();
    await discord.getByLabel("Token of the bot").waitFor();
    await discord.getByRole("button", { name: "Save and connect" }).waitFor();
  });

  test("proposes a topic for push messages that nobody guesses, and shows where to follow it", async () => {
    const own = await ownSteward();
    const { page } = await arrive(() => {}, { steward: own, path: "/channels/ntfy" });
    const topic = await page.getByLabel("Topic", { exact: true }).inputValue();
    expect(topic).toMatch(/^steward-[a-z0-9]{16}$/);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const link = page.getByRole("link", { name: `https://ntfy.sh/${topic}` });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(`https://ntfy.sh/${topic}`);
    expect((await saved(own)).channels.ntfy).toMatchObject({ topic });
  });

  test("fills in the servers of a mailbox, and a mailbox need not answer anybody", async () => {
    const own = await ownSteward();
    const { page } = await arrive(() => {}, { steward: own, path: "/channels/email" });
    await page.getByLabel("Address of the mailbox").fill("anna@gmx.net");
    await eventually(() => page.getByLabel(/IMAP/).first().inputValue(), "imap.gmx.net");
    await page.getByLabel("Server that sends").fill("smtp.example.org");
    await page.getByLabel("Address of the mailbox").fill("anna@posteo.de");
    await eventually(() => page.getByLabel(/IMAP/).first().inputValue(), "posteo.de");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByLabel("Password of the mailbox").fill("not-a-real-password");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Skip this" }).click();
    await page.getByText("Steward restarts and connects to the mailbox.").waitFor();
    expect((await saved(own)).channels.email).toEqual({
      ...{ address: "anna@posteo.de", imapHost: "posteo.de", smtpHost: "smtp.example.org" },
    });
  });
});

describe("a channel that is on", () => {
  test("tells how it stands while it changes, without a reload", async () => {
    const { page, channels } = await arrive(connected);
    const telegram = card(page, "Telegram");
    await telegram.getByText(/^Connected as @my_bot · last heard from \d+ s ago$/).waitFor();
    Object.assign(channels.channel("telegram"), { state: "lost", detail: "Nobody answers there.", waiting: 2 });
    await telegram.getByText(/^No answer since \d\d:\d\d; trying again$/).waitFor();
    await telegram.getByText("What you write there meanwhile is answered once it is back.").waitFor();
    await telegram.getByText("2 answers wait to be delivered").waitFor();
  });

  test("lets somebody in by a code, which is gone once it was used, and puts them out again", async () => {
    const { page, channels } = await arrive(connected, { path: "/channels/telegram" });
    const telegram = card(page, "Telegram");
    await telegram.getByRole("button", { name: "Let somebody in" }).click();
    await telegram.getByLabel("Pairing code").waitFor();
    await page.getByText("1 pairing code is open and not used yet.").waitFor();
    channels.pair("telegram", { id: "9", name: "Ben" });
    await page.getByText("Ben may talk to Steward on Telegram now.").waitFor();
    expect(await telegram.getByLabel("Pairing code").count()).toBe(0);
    await telegram.getByRole("button", { name: "Remove Ben" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await eventually(() => telegram.getByText("Ben", { exact: true }).count(), 0);
    expect(channels.channel("telegram").people.map(({ name }) => name)).toEqual(["Anna"]);
  });

  test("keeps three codes open at most, says that a fourth ends the oldest, and forgets them all when asked to", async () => {
    const { page } = await arrive(connected, { path: "/channels/telegram" });
    const another = page.getByRole("button", { name: /Let somebody in|Another code/ });
    for (const [code, words] of [
      ["BCDF2341", "1 pairing code is open and not used yet."],
      ["BCDF2342", "2 pairing codes are open and not used yet."],
      ["BCDF2343", "3 pairing codes are open and not used yet."],
    ] as const) {
      await another.click();
      await eventually(() => page.getByLabel("Pairing code").textContent(), code);
      await page.getByText(words).waitFor();
    }
    await page.getByText("another one ends the oldest").waitFor();
    await page.getByRole("button", { name: "Forget them" }).click();
    await eventually(() => page.getByText("not used yet").count(), 0);
    expect(await page.getByLabel("Pairing code").count()).toBe(0);
  });

  test("is opened, tried and connected anew by keyboard alone", async () => {
    const { page, channels } = await arrive(connected);
    await page.getByRole("button", { name: "Manage: Telegram" }).focus();
    await page.keyboard.press("Enter");
    await eventually(() => hasFocus(page.getByRole("button", { name: "Let somebody in" })), true);
    await page.getByRole("button", { name: "Send a test message" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("It has arrived.").waitFor();
    await page.getByRole("button", { name: "Reconnect" }).focus();
    await page.keyboard.press("Enter");
    await eventually(() => channels.asked.filter(({ method }) => method === "channels.reconnect").length, 1);
    await eventually(() => hasFocus(page.getByRole("button", { name: "Reconnect" })), true);
  });

  test("is switched off after a question, and then the settings say so", async () => {
    const own = await ownSteward();
    const { page, expectProblem } = await arrive(connected, { steward: own, path: "/channels/telegram" });
    expectProblem(theirConnectionBreaks);
    await page.getByRole("button", { name: "Switch off" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
    await card(page, "Telegram").getByText("Off", { exact: true }).waitFor();
    expect((await saved(own)).channels.telegram).toEqual({ enabled: false });
  });
});

describe("groups", () => {
  const garden = {
    channel: "telegram",
    address: { chat: "-100/7" },
    title: "The garden",
    lastSeenMs: Date.now(),
  } as const;

  test("a chat that was seen becomes one, and what is settled for it is told in words", async () => {
    const { page, channels } = await arrive(({ state }) => void state.seen.push({ ...garden }));
    await page.getByRole("link", { name: "Let it answer here: The garden" }).click();
    await page.getByText("it sees nothing of yours or of other groups").waitFor();
    await eventually(() => page.getByLabel("The word that calls it").getAttribute("placeholder"), "@Steward");
    expect(await page.getByLabel("What you call it").inputValue()).toBe("The garden");
    await page.getByLabel("Name of its folder").fill("My Garden");
    await page.getByRole("button", { name: "Let it answer here" }).click();
    await page.getByText("Small letters, digits and dashes only").waitFor();
    await page.getByLabel("Name of its folder").fill("garden");
    await page.getByLabel("The word that calls it").fill("gardener");
    await page.getByRole("radio", { name: /Changes nothing/ }).check();
    await page.getByText("What its commands may reach").click();
    await page.getByLabel("Hosts they may reach").fill("weather.example.org");
    await page.getByRole("button", { name: "Add a folder" }).click();
    await page.getByLabel("Folder 1, its whole path").fill("/srv/photos");
    await page.getByLabel("What its commands run in").selectOption("podman");
    await page.getByLabel("Image of its containers").fill("debian:13");
    await page.getByRole("button", { name: "Let it answer here" }).click();
    const group = page.getByRole("list", { name: "Groups" }).getByRole("listitem").first();
    for (const words of [
      "Answers when a message begins with “gardener”",
      "Changes nothing, only reads and answers",
      "Its commands reach weather.example.org",
      "They see the group's folder and /srv/photos",
      "They run in Podman",
    ])
      await group.getByText(words).waitFor();
    expect(channels.state.groups[0]).toMatchObject({
      ...{ name: "garden", address: { chat: "-100/7" } },
      options: { sandbox: { kind: "podman", image: "debian:13" } },
    });
    expect(await page.getByText("Seen, but not answered").count()).toBe(0);
  });

  test("a new one is brought before the eyes, and the keyboard goes on there", async () => {
    const { page } = await arrive(
      ({ state }) => {
        for (const name of ["one", "two", "three"]) state.groups.push(shownGroup({ name, title: name }));
        state.seen.push({ ...garden });
      },
      { viewport: { width: 390, height: 844 } },
    );
    await page.getByRole("link", { name: "Answer there…" }).click();
    await page.getByRole("button", { name: "Let it answer here" }).click();
    const heading = page.getByRole("heading", { name: "The garden" });
    await eventually(() => hasFocus(heading), true);
    const { y = -1, height = 0 } = (await heading.boundingBox()) ?? {};
    expect(y > 0 && y + height < 844).toBe(true);
  });

  test("a chat that was seen meanwhile is told of above all channels, until somebody says not now", async () => {
    const { page, channels } = await arrive();
    channels.state.seen.push({ ...garden });
    const told = page.getByRole("status").filter({ hasText: "The garden is waiting: let Steward answer there?" });
    await told.getByRole("link", { name: "Answer there…" }).click();
    await page.getByRole("heading", { level: 1, name: "Let Steward answer in The garden" }).waitFor();
    await page.getByRole("link", { name: "Cancel" }).click();
    channels.state.seen.push({ ...garden, address: { chat: "-200" }, title: "The street" });
    await page.getByText("and 1 other chat are waiting").waitFor();
    await page.getByRole("button", { name: "Show them" }).click();
    await eventually(() => hasFocus(page.getByRole("heading", { name: "Seen, but not answered" })), true);
    await page.getByRole("button", { name: "Not now" }).click();
    await eventually(() => page.getByText("let Steward answer there?").count(), 0);
    await page.getByRole("link", { name: "Let it answer here: The street" }).waitFor();
  });

  test("one is changed without losing what the form does not show, and is removed after a question", async () => {
    const options = groupOptions({ model: "fake/other" });
    const { page, channels } = await arrive(({ state }) => void state.groups.push(shownGroup({ options })));
    await page.getByRole("link", { name: "Edit Family" }).click();
    await page.getByRole("switch", { name: "Answer only when it is called" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Answers every message").waitFor();
    expect(channels.state.groups[0]?.options).toEqual({ ...options, needsTrigger: false });
    await page.getByRole("button", { name: "Remove Family" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "No groups yet" }).waitFor();
  });

  test("a folder that one cannot have now is named there", async () => {
    const problems = ["/srv/photos may not be shown to commands: it does not exist."];
    const { page } = await arrive(({ state }) => void state.groups.push(shownGroup({ problems })));
    await page.getByText("/srv/photos may not be shown to commands").waitFor();
  });

  test("one that is gone leads back to all channels", async () => {
    const { page } = await arrive(() => {}, { path: "/channels/group/nowhere" });
    await page.getByRole("link", { name: "All channels" }).click();
    await page.getByRole("heading", { level: 1, name: "Channels" }).waitFor();
  });
});

describe("the chat", () => {
  test("marks conversations that take place elsewhere, in the side bar and above what was said", async () => {
    const { page } = await visitor.visit(stage.assistant);
    const conversations = page.getByRole("region", { name: "Your conversations" });
    await conversations.getByRole("link", { name: "Email: The heating" }).waitFor();
    const link = conversations.getByRole("link", { name: "Telegram: Which train do I take?" });
    await link.getByTitle("Telegram", { exact: true }).waitFor();
    await link.click();
    await page.getByRole("heading", { level: 1, name: "Telegram: Which train do I take?" }).waitFor();
    await page.goto(stage.assistant.origin);
    await composer(page).fill("Hello");
    await composer(page).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Hello", exact: true }).waitFor();
    await conversations.getByRole("link", { name: "Hello", exact: true }).waitFor();
  });
});

describe("everybody", () => {
  const full = (channels: FakeChannels) => {
    connected(channels);
    const { state, channel } = channels;
    Object.assign(channel("slack"), { state: "lost", detail: "The connection broke.", waiting: 1 });
    Object.assign(channel("discord"), { state: "refused", detail: "x".repeat(300) });
    state.groups.push(shownGroup({ title: "averyveryverylongname".repeat(8), options: groupOptions() }));
    state.seen.push({ channel: "slack", address: { chat: "C1" }, title: "#garden", lastSeenMs: Date.now() });
  };
  const widths = { "1440 px": { width: 1440, height: 900 }, "390 px": { width: 390, height: 844 } };

  for (const [name, viewport] of Object.entries(widths))
    test(`at ${name} axe finds nothing in either theme, and nothing scrolls sideways`, async () => {
      const { page } = await arrive(full, { viewport, reducedMotion: "reduce" });
      const found: string[] = [];
      for (const path of ["telegram", "slack", "discord", "email", "ntfy", "group/family", "new/slack/C1"]) {
        await page.goto(`${stage.assistant.origin}/channels/${path}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await eventually(() => page.evaluate(isLoaded));
        if (path === "telegram") await page.getByRole("button", { name: "Let somebody in" }).click();
        if (path.includes("/")) await page.getByText("What its commands may reach").click();
        found.push(...(await examine(page, path)), ...(await page.evaluate<string[]>(findStrayScrollers)));
      }
      expect(found).toEqual([]);
    });
});

/** What was said before on Telegram and by mail. */
async function talkElsewhere(home: string): Promise<void> {
  const store = await openStore({
    ...{ home, nowMs: Date.now, redact: (text) => text },
    onTrouble: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
  for (const [conversation, text] of [
    ["telegram--42", "Which train do I take?"],
    ["email--anna_40_example.org--1a2b", "The heating"],
  ] as const) {
    const [channel = ""] = conversation.split("--");
    const place = { conversation, turn: `turn-${channel}` };
    const sender = { kind: "owner", id: "owner" } as const;
    const asked = await store.log.append([
      { type: "message.received", conversation, messageId: `message-${channel}`, channel, sender, text },
    ]);
    await store.log.append([
      { type: "turn.started", ...place, messages: asked.events.map(({ seq }) => seq) },
      { type: "turn.finished", ...place, ending: "answered" },
    ]);
  }
  await store.close();
}

async function examine(page: Page, place: string): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(`globalThis.axe ?? (() => { ${source} })()`);
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate<AxeResults>(
      `axe.run(document, { resultTypes: ["violations"], preload: false })`,
    );
    for (const { id, nodes } of violations)
      for (const { target, html } of nodes)
        found.push(`${place}, ${colorScheme}: ${id}: ${target} ${html.slice(0, 160)}`);
  }
  return found;
}
