import { expect, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import { CallFailed, type GatewayLink, type LinkState } from "../gateway/gateway-link.ts";
import { followList } from "./follow-list.ts";
import { openWatched } from "./watched.ts";

const happened = (seq: number): Event => ({ type: "turn.resumed", seq, atMs: seq, conversation: "web--1", turn: "t" });
const addNew = (seqs: readonly number[], event: Event) => (seqs.includes(event.seq) ? seqs : [...seqs, event.seq]);

function scene() {
  const state = openWatched<LinkState>("connecting");
  let tell: Parameters<GatewayLink["follow"]>[0] = () => {};
  const link: GatewayLink = {
    state,
    lastSeq: 0,
    call: () => Promise.reject(new Error("this list reads by itself")),
    follow(listener) {
      tell = listener;
      return () => {};
    },
  };
  const reads: PromiseWithResolvers<readonly number[]>[] = [];
  const list = followList(link, {
    read() {
      const reading = Promise.withResolvers<readonly number[]>();
      reads.push(reading);
      return reading.promise;
    },
    fold: addNew,
  });
  return { state, list, reads, tell: (seq: number) => tell(happened(seq)) };
}

test("what happens while the list is read is not lost when its answer comes", async () => {
  const { state, list, reads, tell } = scene();
  state.set("open");
  tell(3);
  reads[0]?.resolve([1, 2]);
  await reads[0]?.promise;
  await Promise.resolve();
  expect(list.value).toEqual([1, 2, 3]);
  tell(4);
  expect(list.value).toEqual([1, 2, 3, 4]);
});

test("a list that was read is not read again after a break, because the missed events come by themselves", async () => {
  const { state, list, reads } = scene();
  state.set("open");
  reads[0]?.resolve([1]);
  await reads[0]?.promise;
  await Promise.resolve();
  expect(list.loaded.value).toBe(true);
  state.set("lost");
  state.set("open");
  expect(reads).toHaveLength(1);
});

test("a reading that broke off is done again with the next connection", async () => {
  const { state, list, reads } = scene();
  state.set("open");
  reads[0]?.reject(new CallFailed("lost", "The connection broke."));
  await reads[0]?.promise.catch(() => {});
  await new Promise((done) => setTimeout(done, 0));
  expect(list.loaded.value).toBe(false);
  state.set("lost");
  state.set("open");
  reads[1]?.resolve([7]);
  await reads[1]?.promise;
  await Promise.resolve();
  expect(list.value).toEqual([7]);
});

test("a list that this caller may not see stays empty and is not asked for again", async () => {
  const { state, list, reads } = scene();
  state.set("open");
  reads[0]?.reject(new CallFailed("forbidden", "That is not for you."));
  await reads[0]?.promise.catch(() => {});
  await new Promise((done) => setTimeout(done, 0));
  expect(list.loaded.value).toBe(true);
  state.set("lost");
  state.set("open");
  expect(reads).toHaveLength(1);
});
