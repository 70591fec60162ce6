import { expect, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import type { Followed } from "../../../src/contract/wire/client.ts";
import type { MethodInput } from "../../../src/contract/wire/method.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import { readFilter } from "./activity-filter.ts";
import { openFeed } from "./open-feed.ts";

const everything = readFilter([]);

function reply(seq: number, conversation = "web--1"): Event {
  return {
    type: "reply.written",
    seq,
    atMs: seq,
    conversation,
    channel: "web",
    text: `answer ${seq}`,
    attachments: [],
  };
}

/** A gateway that holds these events, newest last, and can tell of new ones. */
function gatewayWith(log: readonly Event[]) {
  const listeners = new Set<(followed: Followed) => void>();
  const asked: MethodInput<"audit.list">[] = [];
  let broken = false;
  const call = async (_name: string, params: MethodInput<"audit.list">) => {
    asked.push(params);
    if (broken) throw new Error("The connection broke.");
    const older = log.filter((event) => event.seq < (params.beforeSeq ?? Number.POSITIVE_INFINITY)).toReversed();
    const limit = params.limit ?? 100;
    return { events: older.slice(0, limit), more: older.length > limit };
  };
  const link: Pick<GatewayLink, "call" | "follow"> = {
    call: call as GatewayLink["call"],
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    link,
    asked,
    tell: (event: Event) => {
      for (const listener of listeners) listener(event);
    },
    breakDown: (down: boolean) => {
      broken = down;
    },
  };
}

const atTop = { isAtTop: () => true, changed() {} };

test("older events come page by page until there are no more", async () => {
  const gateway = gatewayWith(Array.from({ length: 150 }, (_, index) => reply(index + 1)));
  const feed = openFeed({ link: gateway.link, ...atTop }, everything);
  await feed.loadMore();
  expect([feed.events.length, feed.more]).toEqual([100, true]);
  await feed.loadMore();
  expect([feed.events.length, feed.more, feed.events.at(-1)?.seq]).toEqual([150, false, 1]);
});

test("a rare word is found behind pages that hold nothing", async () => {
  const pages = [
    { events: [], more: true, nextBeforeSeq: 20_000 },
    { events: [reply(7)], more: false },
  ];
  const asked: (number | undefined)[] = [];
  const call = async (_name: string, params: MethodInput<"audit.list">) => {
    asked.push(params.beforeSeq);
    return pages.shift();
  };
  const feed = openFeed({ link: { call: call as GatewayLink["call"], follow: () => () => {} }, ...atTop }, everything);
  await feed.loadMore();
  expect([feed.events.length, feed.more, asked]).toEqual([1, false, [undefined, 20_000]]);
});

test("what happens while the first page is on its way appears once and on top", async () => {
  const gateway = gatewayWith([reply(1), reply(2)]);
  const feed = openFeed({ link: gateway.link, ...atTop }, everything);
  const loading = feed.loadMore();
  gateway.tell(reply(3));
  gateway.tell(reply(2));
  await loading;
  expect(feed.events.map((event) => event.seq)).toEqual([3, 2, 1]);
});

test("new events wait while the reader is further down", async () => {
  const gateway = gatewayWith([reply(1)]);
  const feed = openFeed({ link: gateway.link, isAtTop: () => false, changed() {} }, everything);
  await feed.loadMore();
  gateway.tell(reply(2));
  expect([feed.events.length, feed.waiting.length]).toEqual([1, 1]);
  feed.showWaiting();
  expect([feed.events.map((event) => event.seq), feed.waiting.length]).toEqual([[2, 1], 0]);
});

test("a failed page is told in words and can be tried again", async () => {
  const gateway = gatewayWith([reply(1)]);
  gateway.breakDown(true);
  const feed = openFeed({ link: gateway.link, ...atTop }, everything);
  await feed.loadMore();
  expect([feed.state, feed.problem]).toEqual(["failed", "The connection broke."]);
  gateway.breakDown(false);
  await feed.loadMore();
  expect([feed.state, feed.events.length]).toEqual(["ready", 1]);
});

test("a deleted conversation takes its lines with it", async () => {
  const gateway = gatewayWith([reply(1, "web--gone"), reply(2)]);
  const feed = openFeed({ link: gateway.link, ...atTop }, everything);
  await feed.loadMore();
  gateway.tell({
    type: "conversation.deleted",
    seq: 3,
    atMs: 3,
    conversation: "web--gone",
    by: { kind: "owner", id: "o" },
  });
  expect(feed.events.map((event) => event.seq)).toEqual([3, 2]);
});
