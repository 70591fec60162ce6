import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelEvent, ModelMessage } from "../../src/contract/model.ts";
import { Settings } from "../../src/contract/settings.ts";
import { openModels } from "../../src/models/open-models.ts";
import { collect, finalOf, makeRequest, modelOf, protocols } from "../scenes/models/model-scene.ts";

const script = fileURLToPath(new URL("../fakes/model/model-server-process.ts", import.meta.url));
const child = spawn(process.execPath, [script, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
let url = "";

beforeAll(async () => {
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  url = `http://127.0.0.1:${JSON.parse(line).port}`;
});
afterAll(() => child.kill());

function models() {
  const port = Number(new URL(url).port);
  return openModels({
    settings: Settings.parse({}),
    environment: { ANTHROPIC_BASE_URL: url, OPENAI_BASE_URL: `${url}/v1` },
    storedKeys: { anthropic: "a", openai: "b" },
    localPorts: { ollama: port, lmstudio: port, llamacpp: port },
    offline: { name: "offline/rules", async *stream(): AsyncIterable<ModelEvent> {} },
    fetch,
    sleep: async () => {},
    nowMs: Date.now,
    random: () => 1,
  });
}

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });

describe.each(protocols)("the stand-alone fake over %s", (protocol) => {
  const ask = async (...messages: ModelMessage[]) =>
    finalOf(await collect(models().stream(makeRequest(protocol, { models: [modelOf[protocol]], messages }))));

  test("echoes what it is told", async () => {
    expect((await ask(user("good morning"))).text).toBe("echo: good morning");
  });

  test("calls the tools it is told to, and then repeats what they said", async () => {
    const question = user('please TOOL:read_file:{"path":"a.txt"}END and TOOL:list:{}END');
    const final = await ask(question);
    expect(final.toolCalls.map(({ tool, arguments: args }) => [tool, args])).toEqual([
      ["read_file", { path: "a.txt" }],
      ["list", {}],
    ]);
    const results = final.toolCalls.map(({ callId, tool }, at): ModelMessage => {
      return { role: "tool", callId, tool, failed: false, output: `output ${at} ${"x".repeat(300)}`, images: [] };
    });
    const { text } = await ask(question, { role: "assistant", ...final }, ...results);
    const [first = "", second = ""] = text.replace("tools said: ", "").split(" | ");
    expect([first.length, second.length, first.startsWith("output 0"), second.startsWith("output 1")]).toEqual([
      200,
      200,
      true,
      true,
    ]);
  });

  test("spreads its answer over the time it is told", async () => {
    const startedMs = performance.now();
    await ask(user("SLOW:300 hello"));
    expect(performance.now() - startedMs).toBeGreaterThan(250);
  });
});

test("the stand-alone fake tells what it was asked and which models it has", async () => {
  const kept = await (await fetch(`${url}/requests`)).json();
  expect(kept).toContainEqual(expect.objectContaining({ lastUserText: "good morning" }));
  expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ data: [{ id: "fake-model" }] });
});
