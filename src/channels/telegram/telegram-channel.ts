import type { ChannelDefinition } from "../../contract/channel/channel.ts";

/** A bot of the owner's own, by the Bot API. */
export const telegramChannel: ChannelDefinition = {
  name: "telegram",
  title: "Telegram",
  capabilities: {
    receives: true,
    edits: true,
    buttons: true,
    files: true,
    groups: true,
    identity: "verified",
    repeats: "unknown",
    editEveryMs: 1_500,
    // in a group Telegram allows twenty messages a minute, and an edit counts as one
    editInGroupsEveryMs: 5_000,
  },
  secrets: () => ["TELEGRAM_BOT_TOKEN"],
  problem({ channels, gateway }) {
    if (channels.telegram.mode !== "webhook" || gateway.publicUrl !== null) return undefined;
    return "channels.telegram.mode is webhook, so gateway.publicUrl must say where Telegram can reach Steward; or set the mode to polling.";
  },
  async open(base) {
    const { openTelegram } = await import("./open-telegram.ts");
    return openTelegram(base);
  },
};
