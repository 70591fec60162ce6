// A tool tried by a person: the real assistant from the method to the log, with the model that only passes calls on.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Settings } from "../../../src/contract/settings.ts";
import type { Tool } from "../../../src/contract/tool.ts";
import { owner } from "../../../src/contract/wire/caller.ts";
import { toolMethodsRoom } from "../../../src/gateway/methods/methods-rooms.ts";
import { openOfflineModel } from "../../../src/models/offline/open-offline-model.ts";
import { openModels } from "../../../src/models/open-models.ts";
import { openAssistant } from "../../scenes/assistant.ts";
import { eventually } from "../../scenes/eventually.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";
import { fileToolsIn } from "../../scenes/tools/file-tools-in.ts";
import { testTool } from "../../scenes/tools.ts";

async function assistantWith(
  tools: readonly Tool[],
  options: { workspace?: string; settings?: Record<string, unknown>; home?: string } = {},
) {
  const settings = Settings.parse(options.settings ?? { models: { probeLocal: false } });
  const models = openModels({
    settings,
    environment: {},
    storedKeys: {},
    offline: openOfflineModel({ nowMs: Date.now, timeZone: "UTC" }),
    fetch: () => expect.unreachable("no model on the network is asked"),
    sleep: async () => {},
    nowMs: Date.now,
    random: () => 1,
    localPorts: { ollama: 1, lmstudio: 1, llamacpp: 1 },
  });
  const assistant = await openAssistant({
    model: models,
    tools,
    settings,
    ...options,
    rooms: [toolMethodsRoom, { name: "box", open: async () => ({ status: async () => ({ commands: "bwrap" }) }) }],
  });
  const { call } = assistant;
  const tryTool = (tool: string, args: unknown, idempotencyKey?: string) =>
    call("tools.try", { tool, arguments: args, idempotencyKey });
  return { ...assistant, models, call, tryTool };
}

test("a tool that only reads runs at once, and the log tells it like any other call", async () => {
  const note = testTool({ name: "note_down" });
  const { tryTool, until, events } = await assistantWith([note]);
  const answer = await tryTool("note_down", { value: "a" });
  await until("turn.finished");
  expect(answer).toEqual({ sessionKey: "web--try-note_down", runId: expect.any(String), seq: expect.any(Number) });
  expect(note.runs).toEqual(["a"]);
  expect((await events()).map((event) => event.type)).toEqual([
    "conversation.configured",
    "message.received",
    "turn.started",
    "step.finished",
    "tool.sent",
    "tool.returned",
    "step.finished",
    "reply.written",
    "turn.finished",
  ]);
  expect(await until("reply.written")).toMatchObject([{ text: "Done.", conversation: "web--try-note_down" }]);
});

test("a tool that writes asks first, and runs when the owner has said yes", async () => {
  const workspace = await temporaryFolder();
  const tools = fileToolsIn(await temporaryFolder());
  const { tryTool, until, gateway } = await assistantWith(tools, { workspace });
  await tryTool("write", { path: "a.txt", content: "hello" });
  const [asked] = await until("approval.asked");
  await expect(readFile(join(workspace, "a.txt"))).rejects.toThrow("ENOENT");
  await gateway.call(owner, "exec.approve", { approvalId: asked?.approvalId });
  const [returned] = await until("tool.returned");
  await until("turn.finished");
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("hello");
  expect(returned?.changes).toMatchObject([{ path: "a.txt", before: null }]);
});

test("a no is a no", async () => {
  const send = testTool({ name: "send", effects: ["sends"], class: "unsafe" });
  const { tryTool, until, gateway, replies } = await assistantWith([send]);
  await tryTool("send", { value: "x" });
  const [asked] = await until("approval.asked");
  await gateway.call(owner, "exec.deny", { approvalId: asked?.approvalId });
  await until("turn.finished");
  expect(send.runs).toEqual([]);
  expect(await replies()).toEqual(["It was denied."]);
});

test("a tool whose policy is deny does not run when it is tried either", async () => {
  const note = testTool({});
  const { tryTool, until, replies } = await assistantWith([note], { settings: { guard: { tools: { note: "deny" } } } });
  await tryTool("note", { value: "a" });
  await until("turn.finished");
  expect(note.runs).toEqual([]);
  expect(await replies()).toEqual(["It was denied."]);
});

test("a tool that fails is told as failed", async () => {
  const workspace = await temporaryFolder();
  const tools = fileToolsIn(await temporaryFolder());
  const { tryTool, until, replies } = await assistantWith(tools, { workspace });
  await tryTool("read", { path: "missing.txt" });
  await until("turn.finished");
  expect(await replies()).toEqual(["It failed."]);
});

test("an unknown tool is refused with the one that was meant, and nothing is written", async () => {
  const { tryTool, events } = await assistantWith([testTool({ name: "web_fetch" }), testTool({ name: "read" })]);
  await expect(tryTool("web_fetsh", {})).rejects.toMatchObject({
    code: "not_found",
    message: "There is no tool called web_fetsh. Did you mean web_fetch?",
  });
  await expect(tryTool("zzz", {})).rejects.toThrow("There are: web_fetch, read.");
  expect(await events()).toEqual([]);
});

test("arguments that do not fit are refused before anything happens", async () => {
  const { tryTool, events } = await assistantWith([testTool({})]);
  await expect(tryTool("note", { value: 7 })).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("The arguments of note do not fit"),
  });
  expect(await events()).toEqual([]);
});

test("the same key twice is one try", async () => {
  const note = testTool({});
  const { tryTool, until } = await assistantWith([note]);
  const first = await tryTool("note", { value: "a" }, "k1");
  await until("turn.finished");
  expect(await tryTool("note", { value: "a" }, "k1")).toEqual(first);
  await tryTool("note", { value: "b" }, "k2");
  await until("turn.finished", 2);
  expect(note.runs).toEqual(["a", "b"]);
});

test("tries at the same moment all run, each once", async () => {
  const note = testTool({});
  const { tryTool, events } = await assistantWith([note]);
  await Promise.all(["a", "b", "c"].map((value) => tryTool("note", { value })));
  await eventually(() => note.runs.toSorted(), ["a", "b", "c"]);
  await eventually(async () => (await events()).at(-1)?.type, "turn.finished");
  expect(note.runs).toHaveLength(3);
});

test("a budget does not stand in the way of what costs nothing", async () => {
  const note = testTool({});
  const { tryTool, until } = await assistantWith([note], { settings: { budgets: { perDayUsd: 0.01 } } });
  await tryTool("note", { value: "a" });
  await until("turn.finished");
  expect(note.runs).toEqual(["a"]);
});

test("the model that passes calls on is neither listed nor chosen, and a client that chooses it gets no more than a try", async () => {
  const note = testTool({ effects: ["sends"], class: "unsafe" });
  const { models, gateway, say, until } = await assistantWith([note]);
  expect((await models.list()).map((model) => model.name)).toEqual(["offline/rules"]);
  expect((await models.choose(undefined)).map((model) => model.name)).toEqual(["offline/rules"]);
  await gateway.call(owner, "sessions.configure", { sessionKey: "terminal--default", model: "direct/call" });
  await say('{"tool": "note", "arguments": {"value": "x"}}');
  await until("approval.asked");
  expect(note.runs).toEqual([]);
});

test("the list has every tool with its effects, its policy, whether it can be undone and the whole schema of its arguments", async () => {
  const workspace = await temporaryFolder();
  const tools = fileToolsIn(await temporaryFolder());
  const settings = { guard: { tools: { write: "ask" } } };
  const { call } = await assistantWith([...tools, testTool({})], { workspace, settings });
  const listed = (await call("tools.list", {})) as { tools: { name: string }[]; commands: string };
  const of = (name: string) => listed.tools.find((tool) => tool.name === name);
  expect(listed.commands).toBe("bwrap");
  expect(of("write")).toMatchObject({
    policy: "ask",
    undo: "What was there before is kept, and can be brought back.",
    effects: expect.arrayContaining(["changes"]),
    schema: { type: "object", properties: { path: { type: "string" } } },
  });
  expect(of("note")).toMatchObject({
    policy: "usual",
    effects: ["reads"],
    class: "read",
    // a model is not told this, a form needs it
    schema: { additionalProperties: false },
  });
});

test("a file that is read by trying is the file of the workspace", async () => {
  const workspace = await temporaryFolder();
  await mkdir(join(workspace, "notes"));
  await writeFile(join(workspace, "notes", "a.txt"), "content of a\n");
  const tools = fileToolsIn(await temporaryFolder());
  const { tryTool, until } = await assistantWith(tools, { workspace });
  await tryTool("read", { path: "notes/a.txt" });
  const [returned] = await until("tool.returned");
  expect(returned).toMatchObject({ outcome: "done", output: expect.stringContaining("content of a") });
});
