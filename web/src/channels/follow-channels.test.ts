import { expect, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import type { GatewayLink, LinkState } from "../gateway/gateway-link.ts";
import { openWatched } from "../state/watched.ts";
import { followChannels } from "./follow-channels.ts";

function scene() {
  const state = openWatched<LinkState>("open");
  const waits: { ms: number; run: () => void }[] = [];
  let tell: Parameters<GatewayLink["follow"]>[0] = () => {};
  let looks = 0;
  const timers = {
    after(ms: number, run: () => void) {
      const one = { ms, run };
      waits.push(one);
      return () => void waits.splice(0, waits.length, ...waits.filter((other) => other !== one));
    },
  };
  const link = {
    state,
    follow(listener: typeof tell) {
      tell = listener;
      return () => {
        tell = () => {};
      };
    },
  };
  const end = followChannels(link, timers, async () => {
    looks += 1;
  });
  const person = { channel: "telegram", person: "7", by: { kind: "owner", id: "owner" } } as const;
  const happened = (type: "person.removed" | "turn.resumed") =>
    tell({ type, seq: 1, atMs: 1, conversation: "telegram--7", turn: "t", ...person } as Event);
  const pass = async () => {
    waits.shift()?.run();
    await new Promise((done) => setTimeout(done, 0));
  };
  return { state, waits, end, happened, pass, looks: () => looks };
}

test("channels are looked at again and again, one look after the other", async () => {
  const { waits, pass, looks } = scene();
  await pass();
  await pass();
  expect([looks(), waits.length]).toEqual([2, 1]);
});

test("what happened to a channel is looked at soon, other news is not", async () => {
  const { waits, happened } = scene();
  const usual = waits[0]?.ms ?? 0;
  happened("turn.resumed");
  expect(waits[0]?.ms).toBe(usual);
  happened("person.removed");
  expect([waits.length, (waits[0]?.ms ?? usual) < usual]).toEqual([1, true]);
});

test("while Steward is away nothing is asked, and when it is back it is asked soon", async () => {
  const { state, waits, pass, looks } = scene();
  state.set("lost");
  await pass();
  expect(looks()).toBe(0);
  const usual = waits[0]?.ms ?? 0;
  state.set("open");
  expect((waits[0]?.ms ?? usual) < usual).toBe(true);
});

test("whoever has left the page asks no more", async () => {
  const { end, waits, state, happened } = scene();
  end();
  state.set("lost");
  state.set("open");
  happened("person.removed");
  expect(waits).toEqual([]);
});
