import { expect, test } from "vitest";
import type { z } from "zod";
import { pushEvents } from "../../../src/contract/wire/push-event.ts";
import { eventually } from "../../scenes/eventually.ts";
import {
  ended,
  newSession,
  pushedOnce,
  sceneWith,
  sendTo,
  sweeps,
} from "../../scenes/gateway/websocket-conversation.ts";
import { testTool } from "../../scenes/tools.ts";

test("a plain client uses all ten methods and is told all five events", async () => {
  const { enter } = await sceneWith((request) => {
    if (request.lastUserText === "fail") return { fault: { kind: "status", status: 400, message: "no" } };
    if (request.lastUserText === "wait") return { text: "one two", fault: { kind: "hang", afterPieces: 1 } };
    if (request.lastUserText === "hello") return { text: "Good morning to you.", usage: { input: 11, output: 4 } };
    return request.toolOutputs.length > 0 ? { text: "I have done it." } : sweeps;
  });
  const client = await enter();
  expect((await client.ask("health.check")).result).toMatchObject({ status: "ok", uptime: expect.any(Number) });
  expect((await client.ask("agents.list")).result).toMatchObject({ agents: [{ id: "main" }] });
  const sessionKey = String((await client.ask("sessions.create", {})).result?.sessionKey);
  expect(sessionKey).toMatch(/^api--/);
  expect((await client.ask("sessions.list")).result).toMatchObject({ sessions: [{ sessionKey }] });

  const hello = await sendTo(client, sessionKey, "hello");
  const final = await client.until(ended(hello));
  expect([final.event, final.data?.usage]).toEqual(["chat.final", { inputTokens: 11, outputTokens: 4 }]);
  expect(client.textOf(hello)).toBe("Good morning to you.");
  expect(client.pushed("chat.delta").length).toBeGreaterThan(1);
  const said = [
    { role: "user", content: "hello" },
    { role: "assistant", content: "Good morning to you." },
  ];
  expect((await client.ask("sessions.get", { sessionKey })).result).toMatchObject({
    session: { sessionKey },
    messages: said,
  });
  expect((await client.ask("chat.history", { sessionKey, limit: 50 })).result).toMatchObject({ messages: said });

  const swept = await sendTo(client, sessionKey, "sweep");
  const asked = await client.until(pushedOnce("exec.approval_request"));
  expect(asked).toMatchObject({ sessionKey, toolName: "sweep", summary: "sweep the kitchen" });
  expect((await client.ask("exec.approve", { approvalId: asked.approvalId })).result).toEqual({ ok: true });
  await client.until(ended(swept));
  expect(client.pushed("tool.progress")).toEqual([
    { runId: swept, sessionKey, tool: "sweep", message: "half of it is clean" },
  ]);
  expect(client.textOf(swept)).toBe("I have done it.");

  const again = await sendTo(client, sessionKey, "sweep again");
  const second = await client.until((frames) => frames.filter((f) => f.event === "exec.approval_request")[1]?.data);
  const denied = await client.ask("exec.deny", { approvalId: second.approvalId, reason: "not today" });
  expect(denied.result).toEqual({ ok: true });
  expect((await client.until(ended(again))).event).toBe("chat.final");

  const waiting = await sendTo(client, sessionKey, "wait");
  await client.until((frames) => frames.find(({ data }) => data?.runId === waiting));
  expect((await client.ask("chat.abort", { runId: waiting })).result).toEqual({ ok: true });
  const stopped = await client.until(ended(waiting));
  expect(stopped.event).toBe("chat.final");
  // nobody tells what an answer that is stopped has taken, so it is estimated
  expect(stopped.data?.usage).not.toMatchObject({ inputTokens: 0 });
  expect(stopped.data?.usage).not.toMatchObject({ outputTokens: 0 });
  expect(client.textOf(waiting)).toBe("one \n\n(Stopped.)");
  const { messages } = (await client.ask("chat.history", { sessionKey, limit: 3 })).result ?? {};
  expect(messages).toMatchObject([
    { role: "assistant", content: expect.any(String) },
    { role: "user", content: "wait" },
    { role: "assistant", content: "one \n\n(Stopped.)" },
  ]);
  const { messages: latest } = (await client.ask("sessions.get", { sessionKey, limit: 1 })).result ?? {};
  expect(latest).toMatchObject([{ content: "one \n\n(Stopped.)" }]);

  const failing = await sendTo(client, sessionKey, "fail");
  const failed = await client.until(ended(failing));
  expect([failed.event, failed.data?.message]).toEqual(["chat.error", client.textOf(failing)]);
});

test("every push event is what the contract says", async () => {
  const { enter } = await sceneWith([sweeps, { text: "done" }]);
  const client = await enter();
  const runId = await sendTo(client, await newSession(client), "sweep");
  const { approvalId } = await client.until(pushedOnce("exec.approval_request"));
  await client.ask("exec.approve", { approvalId });
  await client.until(ended(runId));
  const names: string[] = Object.keys(pushEvents);
  for (const { event, data } of client.frames) {
    if (event === undefined) continue;
    expect(names).toContain(event);
    const schema: z.ZodObject = pushEvents[event as keyof typeof pushEvents];
    expect(schema.strict().safeParse(data).error?.message).toBeUndefined();
  }
});

test("an answer that is begun again after a broken connection is read once", async () => {
  const { enter, replies } = await sceneWith([
    { text: "half of it and then nothing", fault: { kind: "drop", afterPieces: 3 } },
    { text: "half of the answer, and the rest of it" },
  ]);
  const client = await enter();
  const runId = await sendTo(client, await newSession(client), "tell me");
  await client.until(ended(runId));
  expect(client.pushed("chat.delta").filter((data) => data.reset)).toEqual([
    { runId, sessionKey: expect.any(String), text: "", reset: true },
  ]);
  expect([client.textOf(runId)]).toEqual(await replies());
});

test("what is said before a tool is used gives way to the answer, and the tokens of all steps are counted", async () => {
  const looks = { toolCalls: [{ name: "note", arguments: { value: "a" } }], usage: { input: 10, output: 2 } };
  const { enter, replies } = await sceneWith(
    [
      { ...looks, text: "Let me look." },
      { text: "There is nothing.", usage: { input: 30, output: 5 } },
    ],
    { tools: [testTool({})] },
  );
  const client = await enter();
  const runId = await sendTo(client, await newSession(client), "look");
  const final = await client.until(ended(runId));
  expect(final.data?.usage).toEqual({ inputTokens: 40, outputTokens: 7 });
  expect([client.textOf(runId)]).toEqual(await replies());
});

test("words that no model has streamed are sent before the end", async () => {
  const { enter, replies } = await sceneWith(
    () => ({ text: "Once more. ", toolCalls: [{ name: "note", arguments: { value: String(Math.random()) } }] }),
    { tools: [testTool({})], settings: { agent: { maxSteps: 2 } } },
  );
  const client = await enter();
  const runId = await sendTo(client, await newSession(client), "go on and on");
  const { event, data } = await client.until(ended(runId));
  const [reply] = await replies();
  expect(reply).toContain("I stopped after 2 steps");
  expect([client.textOf(runId), event, data?.message]).toEqual([reply, "chat.error", reply]);
});

test("messages that join a turn each hear of its end, and its words come under the first", async () => {
  const { promise: joined, resolve: join } = Promise.withResolvers<void>();
  const slow = testTool({ run: () => joined.then(() => "noted") });
  const { enter } = await sceneWith(
    (request) =>
      request.lastUserText === "first"
        ? { toolCalls: [{ name: "note", arguments: { value: "a" } }], usage: { input: 1, output: 1 } }
        : { text: "Both of it is done.", usage: { input: 2, output: 2 } },
    { tools: [slow] },
  );
  const client = await enter();
  const sessionKey = await newSession(client);
  const first = await sendTo(client, sessionKey, "first");
  await eventually(() => slow.runs, ["a"]);
  const second = await sendTo(client, sessionKey, "second");
  join();
  const ends = await client.until((frames) => {
    const both = [ended(first)(frames), ended(second)(frames)];
    return both.every((frame) => frame !== undefined) && both;
  });
  expect(ends.map((frame) => frame?.data?.usage)).toEqual(Array(2).fill({ inputTokens: 3, outputTokens: 3 }));
  expect([client.textOf(first), client.textOf(second)]).toEqual(["Both of it is done.", ""]);
});

test("a message that finds no room is refused by an error", async () => {
  const { enter, requests } = await sceneWith([{ text: "one", fault: { kind: "hang", afterPieces: 0 } }], {
    settings: { queue: { maxWaiting: 1, whenBusy: "wait" } },
  });
  const client = await enter();
  const sessionKey = await newSession(client);
  await sendTo(client, sessionKey, "first");
  await eventually(() => requests.length, 1);
  await sendTo(client, sessionKey, "second");
  const third = await client.ask("chat.send", { sessionKey, message: "third" });
  expect(third.result?.accepted).toBe(false);
  const error = await client.until(ended(String(third.result?.runId)));
  expect([error.event, error.data?.message]).toEqual(["chat.error", third.result?.reason]);
});

test("a client that comes in the middle of an answer is shown all of it and its end", async () => {
  const text = "one two three four five six seven eight nine ten";
  const { enter } = await sceneWith([{ text, delayPerPieceMs: 40, usage: { input: 3, output: 10 } }]);
  const early = await enter();
  const runId = await sendTo(early, await newSession(early), "count");
  await early.until(() => early.textOf(runId).length > 10);
  const late = await enter();
  const final = await late.until(ended(runId));
  expect([late.textOf(runId), early.textOf(runId)]).toEqual([text, text]);
  expect(final.data?.usage).toEqual({ inputTokens: 3, outputTokens: 10 });
});

test("whoever asks for no events is told none", async () => {
  const { enter, until } = await sceneWith([{ text: "quiet" }]);
  const client = await enter({ events: "none" });
  await sendTo(client, await newSession(client), "hello");
  await until("turn.finished");
  await client.ask("health.check");
  expect(client.frames.filter((frame) => frame.event !== undefined)).toEqual([]);
});

test("JSON-RPC is answered as JSON-RPC, also to numbers", async () => {
  const { enter } = await sceneWith([]);
  const client = await enter();
  client.send({ jsonrpc: "2.0", id: 7, method: "sessions.list" });
  expect(await client.until((frames) => frames.find((frame) => frame.id === 7))).toEqual({
    jsonrpc: "2.0",
    id: 7,
    result: { sessions: [] },
  });
});
