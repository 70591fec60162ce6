import { expect, test } from "vitest";
import type { Followed } from "../../../src/contract/wire/client.ts";
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
  const app = scene();
  app.letIn(41);
  expect(app.newest().sent.at(-1)).toEqual({ id: "follow", method: "events.follow", params: { since: 41 } });
  expect(app.states).toEqual(["connecting", "open"]);
});

test("a call made while connecting waits and is then answered", async () => {
  const app = scene();
  const answer = app.link.call("sessions.list", {});
  app.letIn(0);
  expect(app.newest().sent.at(-1)).toEqual({ id: "c1", method: "sessions.list", params: {} });
  app.say({ id: "c1", result: { sessions: [] } });
  expect(await answer).toEqual({ sessions: [] });
});

test("a call that waits longer than fifteen seconds fails with words", async () => {
  const app = scene();
  const failure = app.link.call("sessions.list", {}).catch((failed: unknown) => failed);
  app.wait(15_000);
  expect(await failure).toMatchObject({ code: "lost", message: expect.stringContaining("not answering") });
});

test("a refusal reaches the caller with its reason", async () => {
  const app = scene();
  app.letIn(0);
  const failure = app.link.call("sessions.delete", { sessionKey: "web--1" }).catch((failed: unknown) => failed);
  app.say({ id: "c1", error: { code: -32001, message: "No such chat.", data: { reason: "not_found" } } });
  expect(await failure).toMatchObject({ name: "CallFailed", code: "not_found", message: "No such chat." });
});

test("a call that was sent is not sent again after a break: its caller is told", async () => {
  const app = scene();
  app.letIn(0);
  const failure = app.link.call("chat.abort", { sessionKey: "web--1" }).catch((failed: unknown) => failed);
  app.newest().listener.closed(1006);
  expect(await failure).toMatchObject({ code: "lost" });
  app.wait(250);
  app.letIn(0);
  expect(app.methods()).not.toContain("chat.abort");
});

test("after a break the page follows from what it saw last, and nothing is told twice", () => {
  const app = scene();
  const followed: Followed[] = [];
  app.link.follow((one) => followed.push(one));
  app.letIn(10);
  app.event(11);
  app.event(12);
  app.newest().listener.closed(1006);
  app.wait(250);
  app.letIn(14);
  expect(app.newest().sent.at(-1)).toMatchObject({ params: { since: 12 } });
  app.event(12);
  app.event(13);
  app.event(14);
  expect(seqs(followed)).toEqual([11, 12, 13, 14]);
  expect(app.link.lastSeq).toBe(14);
});

test("a short break is no more than a moment of connecting", () => {
  const app = scene();
  app.letIn(0);
  app.newest().listener.closed(1006);
  app.wait(250);
  app.letIn(0);
  expect(app.states).toEqual(["connecting", "open", "connecting", "open"]);
});

test("a server that stays away is tried again and again, at growing distances", () => {
  const app = scene();
  const atMs: number[] = [];
  for (let elapsed = 0; elapsed < 12_000; elapsed += 250) {
    const before = app.connections();
    app.newest().listener.closed(1006);
    app.wait(250);
    if (app.connections() > before) atMs.push(elapsed + 250);
  }
  expect(atMs).toEqual([250, 750, 1750, 3750, 7750]);
  expect(app.link.state.value).toBe("lost");
});

test("when the network is back the page does not wait for the pause to end", () => {
  const app = scene();
  for (let failure = 0; failure < 6; failure++) {
    app.newest().listener.closed(1006);
    if (failure < 5) app.wait(5000);
  }
  const before = app.connections();
  app.link.wake();
  expect(app.connections()).toBe(before + 1);
  app.wait(5000);
  expect(app.connections()).toBe(before + 1);
});

test("a person who is not signed in is told so, and nothing is tried until they are", async () => {
  const app = scene();
  const failure = app.link.call("sessions.list", {}).catch((failed: unknown) => failed);
  app.newest().listener.opened();
  app.say({ type: "auth", ok: false, message: "Sign in first." });
  app.newest().listener.closed(4401);
  expect(app.link.state.value).toBe("signed-out");
  expect(await failure).toMatchObject({ code: "forbidden" });
  app.wait(60_000);
  expect(app.connections()).toBe(1);
  app.link.wake();
  app.letIn(3);
  expect(app.link.state.value).toBe("open");
});

test("a line that is silent is asked once and then given up after 45 seconds", () => {
  const app = scene();
  app.letIn(0);
  const first = app.newest();
  app.wait(25_000);
  expect(first.sent.at(-1)).toMatchObject({ method: "health.check" });
  app.wait(19_999);
  expect(app.link.state.value).toBe("open");
  app.wait(1);
  expect(first.isClosed).toBe(true);
  app.wait(250);
  expect(app.connections()).toBe(2);
});

test("a line that answers is kept", () => {
  const app = scene();
  app.letIn(0);
  for (let minute = 0; minute < 10; minute++) {
    app.wait(25_000);
    app.say({ id: "probe", result: {} });
  }
  expect(app.connections()).toBe(1);
});

test("what a broken line still says is not heard", () => {
  const app = scene();
  const followed: Followed[] = [];
  app.link.follow((one) => followed.push(one));
  app.letIn(0);
  const old = app.newest();
  app.wait(45_000);
  app.wait(250);
  old.listener.received(
    JSON.stringify({ event: "live", data: { type: "live.text_reset", conversation: "web--1", turn: "t", step: 0 } }),
  );
  old.listener.closed(1006);
  expect(followed).toEqual([]);
  expect(app.connections()).toBe(2);
});

test("a log that is younger than what was seen means another installation: the page starts over", () => {
  const app = scene();
  app.letIn(50);
  app.newest().listener.closed(1006);
  app.wait(250);
  app.letIn(7);
  expect(app.startedOver()).toBe(1);
  app.wait(60_000);
  expect(app.connections()).toBe(2);
});

test("a greeting that is refused is tried again on a new connection", () => {
  const app = scene();
  app.newest().listener.opened();
  app.say({ type: "auth", ok: true, scope: "owner" });
  app.say({ id: "health", error: { code: -32000, message: "Too busy.", data: { reason: "failed" } } });
  expect(app.link.state.value).toBe("lost");
  app.wait(250);
  app.letIn(3);
  expect(app.link.state.value).toBe("open");
});

test("whoever stopped following hears nothing more", () => {
  const app = scene();
  const followed: Followed[] = [];
  const stop = app.link.follow((one) => followed.push(one));
  app.letIn(0);
  app.event(1);
  stop();
  app.event(2);
  expect(seqs(followed)).toEqual([1]);
});
