// Every channel: a folder and a line. What is heavy in one is loaded when it is on.
import type { ChannelDefinition } from "../contract/channel/channel.ts";
import { discordChannel } from "./discord/discord-channel.ts";
import { emailChannel } from "./email/email-channel.ts";
import { ntfyChannel } from "./ntfy/ntfy-channel.ts";
import { slackChannel } from "./slack/slack-channel.ts";
import { telegramChannel } from "./telegram/telegram-channel.ts";

export const channels: readonly ChannelDefinition[] = [
  telegramChannel,
  slackChannel,
  discordChannel,
  emailChannel,
  ntfyChannel,
];
