import { expect, test } from "vitest";
import { newestPlaces } from "./newest-places.ts";

const channel = (chat: string, thread?: string) => ({ address: { chat, ...(thread && { thread }) }, isDirect: false });
const direct = (chat: string) => ({ address: { chat }, isDirect: true });

test("a channel with many threads does not push other chats out of what is read afterwards", () => {
  const threads = Array.from({ length: 200 }, (_, count) => channel("C1", String(count)));
  const places = newestPlaces([...threads, channel("C2"), direct("D1")]);
  expect([...new Set(places.map(({ address }) => address.chat))]).toEqual(["D1", "C1", "C2"]);
  expect(places.filter(({ address }) => address.thread !== undefined)).toEqual(threads.slice(0, 50));
});

test("a direct chat is read afterwards however long ago somebody spoke there, and before the channels", () => {
  const channels = Array.from({ length: 80 }, (_, count) => channel(`C${count}`));
  const places = newestPlaces([...channels, direct("D1"), direct("D2")]);
  expect(places).toEqual([direct("D1"), direct("D2"), ...channels.slice(0, 50)]);
});

test("a chat of which only threads are known is read too", () => {
  expect(newestPlaces([channel("C1", "1.1")])).toEqual([channel("C1"), channel("C1", "1.1")]);
});
