import type { ChannelDefinition } from "../../contract/channel/channel.ts";

/** A bot of the owner's own, over the gateway. */
export const discordChannel: ChannelDefinition = {
  name: "discord",
  title: "Discord",
  capabilities: {
    receives: true,
    edits: true,
    buttons: true,
    files: true,
    groups: true,
    identity: "verified",
    repeats: "found",
    editEveryMs: 1_500,
  },
  secrets: () => ["DISCORD_BOT_TOKEN"],
  async open(base) {
    const { openDiscord } = await import("./open-discord.ts");
    return await openDiscord(base);
  },
};
