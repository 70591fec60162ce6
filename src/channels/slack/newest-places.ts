import type { ChannelBase } from "../../contract/channel/channel.ts";

type Places = Awaited<ReturnType<ChannelBase["chats"]>>;

const newestChats = 50;
const newestThreads = 50;

/** Of the places where people talk, those in which it is looked what was missed: direct chats first, and none of them is left out. */
export function newestPlaces(places: Places): Places {
  const byChat = new Map(places.toReversed().map(({ address: { chat }, isDirect }) => [chat, isDirect]));
  const chats = [...new Set(places.map(({ address }) => address.chat))].map((chat) => ({
    address: { chat },
    isDirect: byChat.get(chat) === true,
  }));
  const chosen = [
    ...chats.filter(({ isDirect }) => isDirect),
    ...chats.slice(0, newestChats).filter(({ isDirect }) => !isDirect),
  ];
  const isChosen = new Set(chosen.map(({ address }) => address.chat));
  const threads = places.filter(({ address: { chat, thread } }) => thread !== undefined && isChosen.has(chat));
  return [...chosen, ...threads.slice(0, newestThreads)];
}
