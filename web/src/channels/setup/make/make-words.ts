// What is done at the platform itself, as somebody would do it who has never heard of bots.
import { html, type TemplateResult } from "lit";
import type { ChannelName } from "../../../words.ts";
import "../../../settings/shown-once.ts";
import { discordPermissions } from "./discord-permissions.ts";
import { slackManifest } from "./slack-manifest.ts";

/** One sentence on what the channel is good for. */
export const aboutWords: Readonly<Record<ChannelName, string>> = {
  telegram: "Chat with Steward from your phone, alone or in groups, with a bot of your own.",
  slack: "Talk to Steward where you work, in direct messages and in channels.",
  discord: "Talk to Steward in direct messages and on your servers.",
  email: "Steward reads, searches and sends mail from a mailbox that you choose.",
  ntfy: "Push messages on your phone, with buttons to say yes or no. Nobody can write there.",
};

export function makeSteps(channel: ChannelName): TemplateResult {
  switch (channel) {
    case "telegram":
      return html`<ol>
        <li>Open ${outside("https://t.me/BotFather", "@BotFather")} in Telegram: it is Telegram's own bot that makes bots.</li>
        <li>Write <b>/newbot</b> to it, then a name (such as <b>My Steward</b>), then a user name that ends in <b>bot</b>.</li>
        <li>It answers with a long line, the <b>token</b>. Copy it for the next step.</li>
        <li>For groups: write <b>/setprivacy</b> to @BotFather, choose your bot, then <b>Disable</b>. Otherwise it hears only messages that name it.</li>
      </ol>`;
    case "slack":
      return html`<ol>
          <li>Open ${outside("https://api.slack.com/apps", "api.slack.com/apps")}, press <b>Create New App</b>, then <b>From a manifest</b>, and choose your workspace.</li>
          <li>Choose JSON, replace what is there with the text below, and create the app.</li>
          <li>Under <b>Basic Information</b>, make an app-level token with the scope <b>connections:write</b>. It begins with xapp-.</li>
          <li>Under <b>Install App</b>, install it. You get the bot token, which begins with xoxb-.</li>
        </ol>
        <details>
          <summary>The text for Slack</summary>
          <steward-shown-once label="Manifest" .text=${slackManifest}></steward-shown-once>
        </details>`;
    case "discord":
      return html`<ol>
        <li>Open ${outside("https://discord.com/developers/applications", "Discord's developer page")}, press <b>New Application</b> and give it a name.</li>
        <li>Under <b>Bot</b>, switch on <b>Message Content Intent</b>, then press <b>Reset Token</b> and copy the token for the next step.</li>
        <li>Under <b>OAuth2</b>, <b>URL Generator</b>, tick <b>bot</b>, and below it ${permissionNames()}.</li>
        <li>Open the address that it shows and add the bot to a server of yours: only then can you write to it.</li>
      </ol>`;
    case "email":
    case "ntfy":
      // they begin with their own fields
      return html``;
    default:
      return channel satisfies never;
  }
}

/** What stands where the channel is switched on. */
export function onWords(channel: ChannelName): string {
  const what = channel === "email" ? "the mailbox" : channel === "ntfy" ? "the push server" : "your bot";
  return `Steward restarts and connects to ${what}. That takes a few seconds; whatever it is working on carries on afterwards.`;
}

function permissionNames(): readonly unknown[] {
  const last = discordPermissions.length - 1;
  return discordPermissions.map(({ name }, at) => html`${at === 0 ? "" : at === last ? " and " : ", "}<b>${name}</b>`);
}

function outside(address: string, words: string): TemplateResult {
  return html`<a href=${address} target="_blank" rel="noopener noreferrer">${words}</a>`;
}
