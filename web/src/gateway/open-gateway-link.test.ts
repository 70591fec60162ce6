import { expect, test } from "vitest";
import type { Followed } from "../../../src/contract/client.ts";
import { type OpenLink, openGatewayLink } from "./open-gateway-link.ts";
import type { SocketListener } from "./socket.ts";

type Line = { listener: SocketListener; sent: Record<string, unknown>[]; isClosed: boolean };

/** A gateway that a test plays by hand, with time that passes when the test says so. */
function scene() {
  const lines: Line[] = [];
  let nowMs = 0;
  let startedOver = 0;
  const timers = new Set<{ atMs: number; run(): void }>();
  const link: OpenLink = openGatewayLink({
    connect(listener) {
      const line: Line = { listener, sent: [], isClosed: false };
      lines.push(line);
      return {
        send: (text) => line.sent.push(JSON.parse(text)),
        close: () => {
          line.isClosed = true;
        },
      };
    },
    timers: {
      after(ms, run) {
        const timer = { atMs: nowMs + ms, run };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    random: () => 1,
    startedOver: () => {
      startedOver += 1;
    },
  });
  const states: string[] = [link.state.value];
  link.state.subscribe((state) => states.push(state));
  return {
    link,
    states,
    startedOver: () => startedOver,
    connections: () => lines.length,
    newest: () => lines.at(-1) as Line,
    methods: () => (lines.at(-1) as Line).sent.map((frame) => frame.method ?? frame.type),
    say: (frame: unknown) => (lines.at(-1) as Line).listener.received(JSON.stringify(frame)),
    event: (seq: number) =>
      (lines.at(-1) as Line).listener.received(
        JSON.stringify({
          event: "log",
          data: { type: "turn.resumed", seq, atMs: seq, conversation: "web--1", turn: "t" },
        }),
      ),
    letIn(lastSeq: number) {
      const line = lines.at(-1) as Line;
      line.listener.opened();
      this.say({ type: "auth", ok: true, scope: "owner" });
      this.say({ id: "health", result: { lastSeq } });
    },
    wait(ms: number) {
      const untilMs = nowMs + ms;
      for (;;) {
        const next = [...timers].sort((a, b) => a.atMs - b.atMs)[0];
        if (!next || next.atMs > untilMs) break;
        timers.delete(next);
        nowMs = next.atMs;
        next.run();
      }
      nowMs = untilMs;
    },
  };
}

const seqs = (followed: Followed[]) => followed.map((one) => ("seq" in one ? one.seq : one.type));

test("the first thing said is who asks, and nothing else before the answer", () => {
  const { newest } = scene();
  newest().listener.opened();
  expect(newest().sent).toEqual([{ type: "auth", events: "none" }]);
});

test("a page that has seen nothing follows from the newest event on", () => {
  const house = scene();
  house.letIn(41);
  expect(house.newest().sent.at(-1)).toEqual({ id: "follow", method: "events.follow", params: { since: 41 } });
  expect(house.states).toEqual(["connecting", "open"]);
});

test("a call made while connecting waits and is then answered", async () => {
  const house = scene();
  const answer = house.link.call("sessions.list", {});
  house.letIn(0);
  expect(house.newest().sent.at(-1)).toEqual({ id: "c1", method: "sessions.list", params: {} });
  house.say({ id: "c1", result: { sessions: [] } });
  expect(await answer).toEqual({ sessions: [] });
});

test("a call that waits longer than fifteen seconds fails with words", async () => {
  const house = scene();
  const failure = house.link.call("sessions.list", {}).catch((failed: unknown) => failed);
  house.wait(15_000);
  expect(await failure).toMatchObject({ code: "lost", message: expect.stringContaining("not answering") });
});

test("a refusal reaches the caller with its reason", async () => {
  const house = scene();
  house.letIn(0);
  const failure = house.link.call("sessions.delete", { sessionKey: "web--1" }).catch((failed: unknown) => failed);
  house.say({ id: "c1", error: { code: -32001, message: "No such chat.", data: { reason: "not_found" } } });
  expect(await failure).toMatchObject({ name: "CallFailed", code: "not_found", message: "No such chat." });
});

test("a call that was sent is not sent again after a break: its caller is told", async () => {
  const house = scene();
  house.letIn(0);
  const failure = house.link.call("chat.abort", { sessionKey: "web--1" }).catch((failed: unknown) => failed);
  house.newest().listener.closed(1006);
  expect(await failure).toMatchObject({ code: "lost" });
  house.wait(250);
  house.letIn(0);
  expect(house.methods()).not.toContain("chat.abort");
});

test("after a break the page follows from what it saw last, and nothing is told twice", () => {
  const house = scene();
  const followed: Followed[] = [];
  house.link.follow((one) => followed.push(one));
  house.letIn(10);
  house.event(11);
  house.event(12);
  house.newest().listener.closed(1006);
  house.wait(250);
  house.letIn(14);
  expect(house.newest().sent.at(-1)).toMatchObject({ params: { since: 12 } });
  house.event(12);
  house.event(13);
  house.event(14);
  expect(seqs(followed)).toEqual([11, 12, 13, 14]);
  expect(house.link.lastSeq).toBe(14);
});

test("a short break is no more than a moment of connecting", () => {
  const house = scene();
  house.letIn(0);
  house.newest().listener.closed(1006);
  house.wait(250);
  house.letIn(0);
  expect(house.states).toEqual(["connecting", "open", "connecting", "open"]);
});

test("a server that stays away is tried again and again, at growing distances", () => {
  const house = scene();
  const atMs: number[] = [];
  for (let elapsed = 0; elapsed < 12_000; elapsed += 250) {
    const before = house.connections();
    house.newest().listener.closed(1006);
    house.wait(250);
    if (house.connections() > before) atMs.push(elapsed + 250);
  }
  expect(atMs).toEqual([250, 750, 1750, 3750, 7750]);
  expect(house.link.state.value).toBe("lost");
});

test("when the network is back the page does not wait for the pause to end", () => {
  const house = scene();
  for (let failure = 0; failure < 6; failure++) {
    house.newest().listener.closed(1006);
    if (failure < 5) house.wait(5000);
  }
  const before = house.connections();
  house.link.wake();
  expect(house.connections()).toBe(before + 1);
  house.wait(5000);
  expect(house.connections()).toBe(before + 1);
});

test("a person who is not signed in is told so, and nothing is tried until they are", async () => {
  const house = scene();
  const failure = house.link.call("sessions.list", {}).catch((failed: unknown) => failed);
  house.newest().listener.opened();
  house.say({ type: "auth", ok: false, message: "Sign in first." });
  house.newest().listener.closed(4401);
  expect(house.link.state.value).toBe("signed-out");
  expect(await failure).toMatchObject({ code: "forbidden" });
  house.wait(60_000);
  expect(house.connections()).toBe(1);
  house.link.wake();
  house.letIn(3);
  expect(house.link.state.value).toBe("open");
});

test("a line that is silent is asked once and then given up after 45 seconds", () => {
  const house = scene();
  house.letIn(0);
  const first = house.newest();
  house.wait(25_000);
  expect(first.sent.at(-1)).toMatchObject({ method: "health.check" });
  house.wait(19_999);
  expect(house.link.state.value).toBe("open");
  house.wait(1);
  expect(first.isClosed).toBe(true);
  house.wait(250);
  expect(house.connections()).toBe(2);
});

test("a line that answers is kept", () => {
  const house = scene();
  house.letIn(0);
  for (let minute = 0; minute < 10; minute++) {
    house.wait(25_000);
    house.say({ id: "probe", result: {} });
  }
  expect(house.connections()).toBe(1);
});

test("what a broken line still says is not heard", () => {
  const house = scene();
  const followed: Followed[] = [];
  house.link.follow((one) => followed.push(one));
  house.letIn(0);
  const old = house.newest();
  house.wait(45_000);
  house.wait(250);
  old.listener.received(
    JSON.stringify({ event: "live", data: { type: "live.text_reset", conversation: "web--1", turn: "t", step: 0 } }),
  );
  old.listener.closed(1006);
  expect(followed).toEqual([]);
  expect(house.connections()).toBe(2);
});

test("a log that is younger than what was seen means another house: the page starts over", () => {
  const house = scene();
  house.letIn(50);
  house.newest().listener.closed(1006);
  house.wait(250);
  house.letIn(7);
  expect(house.startedOver()).toBe(1);
  house.wait(60_000);
  expect(house.connections()).toBe(2);
});

test("a greeting that is refused is tried again on a new connection", () => {
  const house = scene();
  house.newest().listener.opened();
  house.say({ type: "auth", ok: true, scope: "owner" });
  house.say({ id: "health", error: { code: -32000, message: "Too busy.", data: { reason: "failed" } } });
  expect(house.link.state.value).toBe("lost");
  house.wait(250);
  house.letIn(3);
  expect(house.link.state.value).toBe("open");
});

test("whoever stopped following hears nothing more", () => {
  const house = scene();
  const followed: Followed[] = [];
  const stop = house.link.follow((one) => followed.push(one));
  house.letIn(0);
  house.event(1);
  stop();
  house.event(2);
  expect(seqs(followed)).toEqual([1]);
});
