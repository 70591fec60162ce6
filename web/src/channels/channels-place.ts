import { type ChannelName, channelTitles } from "../words.ts";

export type ChannelsPlace =
  | { view: "all"; open: ChannelName | undefined }
  | { view: "new group"; channel: string; chat: string; thread: string | undefined }
  | { view: "group"; name: string };

/** The parts of the address after /channels: nothing, `telegram`, `group/<name>`, or `new/<channel>/<chat>/<thread>`. */
export function readPlace([first, ...rest]: readonly string[]): ChannelsPlace {
  const [one, two, three] = rest;
  if (first === "group" && one !== undefined) return { view: "group", name: one };
  if (first === "new" && one !== undefined && two !== undefined)
    return { view: "new group", channel: one, chat: two, thread: three };
  const isChannel = first !== undefined && Object.hasOwn(channelTitles, first);
  return { view: "all", open: isChannel ? (first as ChannelName) : undefined };
}

export function newGroupPath(channel: string, { chat, thread }: { chat: string; thread?: string | undefined }): string {
  const parts = [channel, chat, ...(thread === undefined ? [] : [thread])];
  return `/channels/new/${parts.map(encodeURIComponent).join("/")}`;
}
