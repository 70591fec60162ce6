import type { ChannelDefinition } from "../../contract/channel/channel.ts";

export const slackChannel: ChannelDefinition = {
  name: "slack",
  title: "Slack",
  capabilities: {
    receives: true,
    edits: true,
    buttons: true,
    files: true,
    groups: true,
    identity: "verified",
    repeats: "found",
    // chat.update is allowed about fifty times a minute for the whole workspace
    editEveryMs: 1_500,
  },
  secrets: () => ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"],
  async open(base) {
    const { openSlack } = await import("./open-slack.ts");
    return await openSlack(base);
  },
};
