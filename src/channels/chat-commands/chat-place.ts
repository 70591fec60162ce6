import type { Address } from "../../contract/channel/address.ts";
import type { ChannelName } from "../../contract/channel/channel.ts";
import type { Group } from "../../contract/channel/group.ts";
import type { Sender } from "../../contract/sender.ts";

/** Where something was written, and by whom. */
export type ChatPlace = {
  channel: ChannelName;
  conversation: string;
  address: Address;
  sender: Sender;
  /** Undefined: a direct conversation with the owner. */
  group: Group | undefined;
  /** Of a group: whoever wrote may talk as the owner elsewhere. */
  mayCommand?: boolean;
  /** The platform's number of the message. */
  key: string;
};

/** `reason`: what was said beside a no. */
export type FoundCommand = { name: string; rest: string; reason?: string };

/** What an order begins with. Slack keeps what begins with a slash to itself. */
export function commandSign({ channel }: Pick<ChatPlace, "channel">): string {
  return channel === "slack" ? "!" : "/";
}
