// Push messages to the owner's phone: what is said or asked goes to a topic, and its buttons come back through a topic of our own.
import type { ChannelDefinition } from "../../contract/channel/channel.ts";
import { isGuessable, isNearby, proposeTopic } from "./topic.ts";

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
    // a token alone would prove nothing: on ntfy.sh it opens an account and closes no topic
    if (ntfy.topic !== "" && (!isGuessable(ntfy.topic) || isNearby(ntfy.url))) return undefined;
    const what =
      ntfy.topic === ""
        ? "No topic is chosen"
        : `The topic ${ntfy.topic} could be guessed, and whoever does could answer for you`;
    return `${what}. Choose one that nobody guesses and follow it on your phone, for example: steward config set channels.ntfy.topic ${proposeTopic()}`;
  },
  async open(base) {
    const { openNtfy } = await import("./open-ntfy.ts");
    return openNtfy(base);
  },
};
