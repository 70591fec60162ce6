import { expect, test } from "vitest";
import type { Channel, Life } from "../contract/channel/channel.ts";
import { Settings } from "../contract/settings.ts";
import { type ChannelStandingDeps, showChannel } from "./channel-standing.ts";
import { slackChannel } from "./slack/slack-channel.ts";
import { telegramChannel } from "./telegram/telegram-channel.ts";

type Place = { life?: Life; tokens?: readonly string[]; failure?: string; definition?: typeof telegramChannel };

async function standing({ life, tokens = [], failure, definition = telegramChannel }: Place) {
  const channel = { life: () => life } as unknown as Channel;
  const deps = {
    settings: Settings.parse({ channels: { telegram: { enabled: true }, slack: { enabled: true } } }),
    ledger: { people: async () => [] },
    definitions: [definition],
    channels: new Map(life ? [[definition.name, { definition, channel }]] : []),
    failures: new Map(failure === undefined ? [] : [[definition.name, failure]]),
    watch: { isLost: () => false },
    secrets: { find: (name: string) => (tokens.includes(name) ? "x" : undefined) },
  } as unknown as ChannelStandingDeps;
  const { state, detail } = await showChannel(deps, definition, {});
  return { state, detail };
}

const connecting = (detail: string): Life => ({ state: "connecting", lastProofMs: undefined, detail });

test("a channel that begins to connect is no fault, and one that cannot be reached is", async () => {
  expect(await standing({ life: connecting("Connecting to Telegram.") })).toMatchObject({ state: "connecting" });
  const detail = "Telegram could not be reached or broke off (ECONNRESET). Steward goes on trying.";
  expect(await standing({ life: connecting(detail) })).toEqual({ state: "lost", detail });
});

test("a channel that has all it needs does not run where no Steward does", async () => {
  expect(await standing({ tokens: ["TELEGRAM_BOT_TOKEN"] })).toMatchObject({ state: "stopped" });
});

test("what is missing is named until it is there, one or two", async () => {
  expect(await standing({ definition: slackChannel })).toEqual({
    state: "incomplete",
    detail:
      "SLACK_BOT_TOKEN and SLACK_APP_TOKEN are missing: give them under Channels on the page, or with: steward channels set-token SLACK_BOT_TOKEN",
  });
  const failure = (await standing({ definition: slackChannel, tokens: ["SLACK_BOT_TOKEN"] })).detail;
  expect(failure).toMatch(/^SLACK_APP_TOKEN is missing: give it .* set-token SLACK_APP_TOKEN$/);
  const tokens = ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"];
  expect((await standing({ definition: slackChannel, tokens, failure })).detail).toContain("All it needs is there");
});
