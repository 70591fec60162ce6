// Push messages to the owner's phone: what is said or asked goes to a topic, and its buttons come back through a topic of our own.
import { randomInt } from "node:crypto";
import type { ChannelDefinition } from "../../contract/channel/channel.ts";

export const ntfyChannel: ChannelDefinition = {
  name: "ntfy",
  title: "ntfy",
  capabilities: {
    receives: false,
    edits: false,
    buttons: true,
    files: true,
    groups: false,
    identity: "verified",
    repeats: "found",
    editEveryMs: 0,
  },
  // many servers want no token, so that none is needed to begin
  secrets: () => [],
  problem({ channels: { ntfy } }) {
    if (ntfy.topic !== "") return undefined;
    return `No topic is chosen. Choose one that nobody guesses and follow it on your phone, for example: steward config set channels.ntfy.topic ${proposeTopic()}`;
  },
  async open(base) {
    const { openNtfy } = await import("./open-ntfy.ts");
    return openNtfy(base);
  },
};

function proposeTopic(): string {
  const letters = Array.from({ length: 12 }, () => String.fromCharCode(97 + randomInt(26)));
  return `steward-${letters.join("")}`;
}
