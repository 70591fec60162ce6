import { expect, test } from "vitest";
import { newestChannels } from "./newest-channels.ts";

const shared = (chat: string, thread?: string) => ({ address: { chat, ...(thread && { thread }) }, isDirect: false });
const direct = (chat: string) => ({ address: { chat }, isDirect: true });

test("a channel with many threads does not push others out of what is read afterwards", () => {
  const threads = Array.from({ length: 200 }, (_, count) => shared("1", `1${count}`));
  const newest = newestChannels([...threads, shared("2"), direct("3")]);
  expect(newest).toMatchObject({ direct: ["3"], shared: ["1", "2"] });
  expect(newest.threads).toEqual(threads.slice(0, 50).map(({ address }) => address));
});

test("a direct channel is read afterwards however long ago somebody spoke there", () => {
  const channels = Array.from({ length: 80 }, (_, count) => shared(`${count}`));
  const people = Array.from({ length: 60 }, (_, count) => direct(`9${count}`));
  const newest = newestChannels([...channels, ...people]);
  expect(newest.direct).toEqual(people.map(({ address }) => address.chat));
  expect(newest.shared).toEqual(channels.slice(0, 50).map(({ address }) => address.chat));
});

test("threads of a channel that is not read are not read either", () => {
  const channels = Array.from({ length: 50 }, (_, count) => shared(`${count}`));
  expect(newestChannels([...channels, shared("77", "771")]).threads).toEqual([]);
});
