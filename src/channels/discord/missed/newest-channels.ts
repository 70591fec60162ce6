import type { ChannelBase } from "../../../contract/channel/channel.ts";

/** shared: channels of servers. threads: below these, and as far as they are known. Newest first. */
export type NewestChannels = {
  direct: readonly string[];
  shared: readonly string[];
  threads: readonly { chat: string; thread: string }[];
};

const sharedAtMost = 50;
const threadsAtMost = 50;

/** Of the places where people talk, those in which it is looked what was missed: none of the direct ones is left out. */
export function newestChannels(places: Awaited<ReturnType<ChannelBase["chats"]>>): NewestChannels {
  const direct = new Set(places.flatMap(({ address, isDirect }) => (isDirect ? [address.chat] : [])));
  const others = new Set(places.map(({ address }) => address.chat)).difference(direct);
  const shared = [...others].slice(0, sharedAtMost);
  const threads = places.flatMap(({ address: { chat, thread } }) =>
    thread !== undefined && shared.includes(chat) ? [{ chat, thread }] : [],
  );
  return { direct: [...direct], shared, threads: threads.slice(0, threadsAtMost) };
}
