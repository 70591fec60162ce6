// Every platform of a channel on loopback, in the process of the bench, and how a daemon is told of them.
import { startFakeDiscord } from "../../tests/fakes/channels/discord-server.ts";
import { startNtfyServer } from "../../tests/fakes/channels/ntfy-server.ts";
import { startFakeSlack } from "../../tests/fakes/channels/slack-server.ts";
import { startFakeTelegram } from "../../tests/fakes/channels/telegram-server.ts";
import { password, startMailServer } from "../../tests/scenes/channels/mail-server.ts";

export type ChannelName = "telegram" | "slack" | "discord" | "email" | "ntfy";
export const channelNames: readonly ChannelName[] = ["telegram", "slack", "discord", "email", "ntfy"];

export type Platforms = AsyncDisposable & {
  telegram: Awaited<ReturnType<typeof startFakeTelegram>>;
  /** The settings that connect these and no others. */
  settings(names: readonly ChannelName[]): Record<string, unknown>;
  environment: Readonly<Record<string, string>>;
};

/** `people`: the ids of those who may talk on Telegram. */
export async function startPlatforms(people: readonly number[]): Promise<Platforms> {
  const stack = new AsyncDisposableStack();
  const ends = (close: () => Promise<void> | void) => stack.defer(close);
  const telegram = await startFakeTelegram({ ends });
  const slack = await startFakeSlack();
  ends(slack.close);
  const discord = await startFakeDiscord({ ends });
  const ntfy = await startNtfyServer({ ends });
  const mail = await startMailServer();
  ends(mail.close);
  const each: Readonly<Record<ChannelName, object>> = {
    telegram: { apiUrl: telegram.url, allowedUserIds: people.map(String) },
    slack: { apiUrl: slack.apiUrl, allowedUserIds: ["UADA"] },
    discord: { apiUrl: discord.apiUrl, allowedUserIds: ["100000000000000001"] },
    email: mail.settings(),
    ntfy: { url: ntfy.url, topic: "steward-bench" },
  };
  return {
    telegram,
    settings: (names) => ({
      channels: Object.fromEntries(names.map((name) => [name, { enabled: true, ...each[name] }])),
    }),
    environment: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      SLACK_BOT_TOKEN: slack.tokens.bot,
      SLACK_APP_TOKEN: slack.tokens.app,
      DISCORD_BOT_TOKEN: discord.token,
      EMAIL_PASSWORD: password,
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
