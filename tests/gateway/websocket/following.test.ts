import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { connectPlain, type PlainClient } from "../../fakes/plain-ws-client.ts";
import { eventually } from "../../scenes/eventually.ts";
import { ended, methods, newSession, sceneWith, sendTo } from "../../scenes/gateway/websocket-conversation.ts";
import { messageReceived } from "../../scenes/stores.ts";

const numbers = (client: PlainClient) => client.pushed("log").map((event) => Number(event.seq));
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

test("a client that does not read is not written to without bound, and afterwards misses nothing", async () => {
  const { enter, store, serverSockets } = await sceneWith([]);
  const client = await enter({ events: "none" });
  await client.ask("events.follow", { since: 0 });
  client.socket.pause();
  let unsent = 0;
  for (let count = 0; count < 400; count++) {
    await store.log.append([messageReceived("x".repeat(50_000), { messageId: `m${count}` })], { durable: false });
    unsent = Math.max(unsent, ...serverSockets.map((socket) => socket.writableLength));
  }
  expect(unsent).toBeGreaterThan(500_000);
  expect(unsent).toBeLessThan(1_200_000);
  client.socket.resume();
  const last = store.log.lastSeq();
  await client.until(() => numbers(client).at(-1) === last);
  expect(numbers(client)).toEqual(upTo(last));
});

test("a client of the views that does not read in time still gets every answer whole and once", async () => {
  const answerTo = (question: string) => `${question} ${"because ".repeat(60_000)}`;
  const { enter, say, store, serverSockets } = await sceneWith(({ lastUserText }) => ({
    text: answerTo(lastUserText),
    pieces: 200,
  }));
  const client = await enter();
  client.socket.pause();
  let unsent = 0;
  const watch = setInterval(() => {
    unsent = Math.max(unsent, ...serverSockets.map((socket) => socket.writableLength));
  }, 1);
  onTestFinished(() => clearInterval(watch));
  let finished = 0;
  store.log.subscribe((events) => {
    finished += events.filter((event) => event.type === "turn.finished").length;
  });
  const runs = await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      const sent = await say(`why ${at}?`, `web--${at}`);
      return z.object({ runId: z.string() }).parse(sent).runId;
    }),
  );
  await eventually(() => finished, 30);
  expect(unsent).toBeGreaterThan(500_000);
  expect(unsent).toBeLessThan(2_500_000);
  client.socket.resume();
  await client.until((frames) => runs.every((runId) => ended(runId)(frames)));
  expect(runs.every((runId, at) => client.textOf(runId) === answerTo(`why ${at}?`))).toBe(true);
});

test("a client that asks and does not read is not listened to until it has read", async () => {
  let calls = 0;
  const call = async () => {
    calls += 1;
    return { sessions: "x".repeat(1_000_000) };
  };
  const { enter } = await sceneWith([], {
    endpoint: { gateway: { methods: () => methods, call, follow: () => () => {} } },
  });
  const client = await enter({ events: "none" });
  client.socket.pause();
  for (let count = 0; count < 300; count++) {
    client.send({ id: `h${count}`, method: "sessions.list" });
    await sleep(1);
  }
  expect(calls).toBeLessThan(64);
  client.socket.resume();
  await client.until((frames) => frames.filter((frame) => String(frame.id).startsWith("h")).length === 300);
  expect(client.frames.filter((frame) => frame.error).length).toBeLessThan(300);
});

test("a client that comes again with the last number it has seen misses nothing and hears nothing twice", async () => {
  const { url, newToken, store } = await sceneWith([]);
  const { token } = await newToken();
  let isWriting = true;
  const writing = (async () => {
    for (let count = 0; count < 600; count++) {
      await store.log.append([messageReceived(`m${count}`)], { durable: false });
      if (count % 20 === 0) await sleep(2);
    }
    isWriting = false;
  })();
  const seen: number[] = [];
  for (let visit = 0; isWriting || seen.length < store.log.lastSeq(); visit++) {
    const client = await connectPlain(url);
    await client.signIn(token, { events: "none" });
    await client.ask("events.follow", { since: seen.at(-1) ?? 0 });
    await sleep(visit % 20);
    client.socket.terminate();
    await client.closed;
    seen.push(...numbers(client));
  }
  await writing;
  expect(seen).toEqual(upTo(store.log.lastSeq()));
});

test("two clients see the same", async () => {
  const { enter, store } = await sceneWith([{ text: "for everyone to see", delayPerPieceMs: 5 }]);
  const [one, two] = [await enter(), await enter()];
  for (const client of [one, two]) await client.ask("events.follow", { since: 0 });
  const runId = await sendTo(one, await newSession(one), "hello");
  for (const client of [one, two])
    await client.until((frames) => ended(runId)(frames) && numbers(client).at(-1) === store.log.lastSeq());
  const told = (client: PlainClient, name: RegExp) => client.frames.filter(({ event }) => name.test(event ?? ""));
  expect(told(one, /^(log|live)$/)).toEqual(told(two, /^(log|live)$/));
  expect(told(one, /\./)).toEqual(told(two, /\./));
  expect(two.textOf(runId)).toBe("for everyone to see");
});

test("following ends when it is not wanted any more, and beyond the end of the log there is nothing to follow", async () => {
  const { enter, store } = await sceneWith([]);
  const client = await enter({ events: "none" });
  await client.ask("events.follow", { since: 0 });
  await client.until(() => numbers(client).length > 0);
  await client.ask("events.unfollow");
  const before = numbers(client).length;
  await store.log.append([messageReceived("unheard")]);
  const beyond = await client.ask("events.follow", { since: 1_000_000 });
  expect([beyond.error?.data.reason, numbers(client).length]).toEqual(["conflict", before]);
});
