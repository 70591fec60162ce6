/** What the bot may do on a server, as Discord's page names it, and the bit that stands for it in an invitation's address. */
export const discordPermissions: readonly { name: string; bit: bigint }[] = [
  { name: "View Channels", bit: 1n << 10n },
  { name: "Send Messages", bit: 1n << 11n },
  { name: "Send Messages in Threads", bit: 1n << 38n },
  { name: "Attach Files", bit: 1n << 15n },
  { name: "Read Message History", bit: 1n << 16n },
  { name: "Add Reactions", bit: 1n << 6n },
];
