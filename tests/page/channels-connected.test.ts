// The page Channels with nothing made up but the platform: a bot is set up, somebody is let in and put out, a group is made.
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { anna, startFakeTelegram } from "../fakes/channels/telegram-server.ts";
import { eventually } from "../scenes/eventually.ts";
import { startSteward, theirConnectionBreaks } from "../scenes/page/page-scene.ts";
import { openPageStage } from "../scenes/page/page-stage.ts";

const stage = openPageStage(() => startSteward());

const telegramOn = (page: Page): Locator => page.getByRole("region", { name: "Telegram", exact: true });

test("a bot is set up on the page, its owner let in by a code, answered, tried, and put out again", async () => {
  const telegram = await startFakeTelegram();
  const own = await startSteward({ settings: { channels: { telegram: { apiUrl: telegram.url } } } });
  onTestFinished(() => own.close());
  const { page, expectProblem } = await stage.visitor.visit(own, "/channels/telegram");
  expectProblem(theirConnectionBreaks);
  const card = telegramOn(page);
  await card.getByRole("button", { name: "That is done" }).click();
  await card.getByLabel("Token of the bot").fill(telegram.token);
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await card.getByRole("button", { name: "Switch on now" }).click();
  await card.getByText(/^Connected as @Steward_Bot.* · last heard from/).waitFor();
  await card.getByRole("button", { name: "Get a code" }).click();
  const code = (await card.getByLabel("Pairing code").textContent()) ?? "";
  expect(code).toMatch(/^[A-Z2-9]{8}$/);
  telegram.say(42, "let me in");
  telegram.say(42, `${code.slice(0, 4)} ${code.slice(4).toLowerCase()}`);
  await card.getByText("Anna", { exact: false }).first().waitFor();
  await card.getByRole("button", { name: "Let yourself in (done)" }).waitFor();
  await card.getByRole("button", { name: "Send a test message" }).click();
  await card.getByRole("button", { name: "Try it out (done)" }).waitFor();
  await eventually(() => telegram.messages(42).some(({ text }) => text.includes("It works.")), true);
  telegram.say(42, "Which train?");
  await page.getByRole("link", { name: "Telegram: Which train?" }).first().waitFor();
  await eventually(() => telegram.messages(42).some(({ text }) => text.includes("echo: Which train?")), true);
  telegram.say(-7, "Hello everybody", { from: anna });
  await page.getByRole("link", { name: /^Let it answer here: / }).click();
  await page.getByLabel("What you call it").fill("The family");
  await page.getByRole("button", { name: "Let it answer here" }).click();
  await page.getByRole("list", { name: "Groups" }).getByText("The family").waitFor();
  expect((await own.call("groups.list", {})).groups).toMatchObject([{ title: "The family", name: "the-family" }]);
  await page.getByRole("button", { name: /^Manage: Telegram|^Close: Telegram/ }).waitFor();
  await card.getByRole("button", { name: /^Remove Anna/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await card.getByText("Nobody yet.").waitFor();
  expect((await own.call("channels.list", {})).channels.find(({ name }) => name === "telegram")?.people).toEqual([]);
});

test("a token that Telegram does not know is told, and a right one mends it", async () => {
  const telegram = await startFakeTelegram();
  const own = await startSteward({
    settings: { channels: { telegram: { apiUrl: telegram.url, enabled: true } } },
  });
  onTestFinished(() => own.close());
  const { page, expectProblem } = await stage.visitor.visit(own, "/channels/telegram");
  expectProblem(theirConnectionBreaks);
  const card = telegramOn(page);
  await card.getByText("Needs a token").waitFor();
  await card.getByRole("button", { name: "Paste the token" }).click();
  await card.getByLabel("Token of the bot").fill("123456:wrong");
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await card.getByRole("button", { name: "Switch on now" }).click();
  await card.getByText("Does not let Steward in").waitFor();
  await card.getByLabel("Token of the bot").fill(telegram.token);
  await card.getByRole("button", { name: "Save and connect" }).click();
  await card.getByText(/^Connected as @Steward_Bot/).waitFor();
});
