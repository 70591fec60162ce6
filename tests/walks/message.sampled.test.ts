import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type FakeModelServerOptions, startFakeModelServer } from "../fakes/model/fake-model-server.ts";
import type { FakeAnswer } from "../fakes/model/model-answer.ts";
import { sample } from "../scenes/sample.ts";
import { runSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const kinds = ["anthropic", "openai", "openai-compatible"] as const;

async function sceneWith(kind: (typeof kinds)[number], answers: FakeModelServerOptions["answers"]) {
  const home = await temporaryFolder();
  const server = await startFakeModelServer({ answers });
  onTestFinished(() => server.close());
  const settings = {
    agent: { model: "fake/some-model" },
    models: { providers: { fake: { kind, baseUrl: `${server.url}/v1`, apiKeyEnv: "FAKE_KEY" } }, probeLocal: false },
  };
  await writeFile(join(home, "config.json"), JSON.stringify(settings));
  const say = (...lines: readonly string[]) =>
    runSteward({
      home,
      args: ["chat", "--plain"],
      input: `${lines.join("\n")}\n`,
      environment: { FAKE_KEY: "fake-key-for-tests" },
    });
  return { home, server, say };
}

const faults: Record<string, FakeAnswer> = {
  "429 with Retry-After": { fault: { kind: "status", status: 429, retryAfter: "0" } },
  "529 overloaded": { fault: { kind: "status", status: 529, retryAfter: "0" } },
  "500": { fault: { kind: "status", status: 500, retryAfter: "0" } },
  "an error event in mid-stream": { text: "half of it", fault: { kind: "error event", afterPieces: 2 } },
  "a socket dropped in mid-stream": { text: "half of it", fault: { kind: "drop", afterPieces: 2 } },
};

for (const kind of kinds) {
  test(`over ${kind}: a line typed into the program is answered, and the next start remembers it`, async () => {
    const { server, say } = await sceneWith(kind, [{ text: "Good morning." }, { text: "You said hello." }]);
    const first = await say("hello");
    const second = await say("what did I say?");
    expect([first.code, first.output.includes("Good morning."), second.output.includes("You said hello.")]).toEqual([
      0,
      true,
      true,
    ]);
    expect(JSON.stringify(server.requests[1]?.body)).toContain("Good morning.");
  });

  test(`over ${kind}: two tool calls side by side are run and both results go back`, async () => {
    const { home, server, say } = await sceneWith(kind, [
      {
        toolCalls: [
          { name: "list", arguments: { path: "." } },
          { name: "read", arguments: { path: "SOUL.md" } },
        ],
      },
      { text: "I looked at both." },
    ]);
    const { output } = await say("look around");
    expect(output).toContain("I looked at both.");
    expect(server.requests[1]?.toolOutputs).toHaveLength(2);
    expect(server.requests[1]?.toolOutputs[1]).toContain("Who I am at heart");
    expect((await stat(join(home, "workspace"))).isDirectory()).toBe(true);
  });

  test(`over ${kind}: malformed tool arguments are told to the model, which corrects itself`, async () => {
    const { server, say } = await sceneWith(kind, [
      { toolCalls: [{ name: "read", arguments: '{"path": "USER.md' }] },
      { toolCalls: [{ name: "read", arguments: { path: "USER.md" } }] },
      { text: "Now I have read it." },
    ]);
    expect((await say("read it")).output).toContain("Now I have read it.");
    expect(server.requests[1]?.toolOutputs[0]).toContain("not valid JSON");
  });
}

const everyFault = kinds.flatMap((kind) => Object.keys(faults).map((fault) => ({ kind, fault })));

test.each(sample(everyFault, 4))(
  "over $kind: after $fault the answer comes whole and once",
  async ({ kind, fault }) => {
    const { home, say } = await sceneWith(kind, [faults[fault] ?? {}, { text: "half of it and the rest" }]);
    const { code, output } = await say("tell me");
    expect([code, output.split("half of it").length - 1]).toEqual([0, 1]);
    const transcript = await readFile(join(home, "data", "sessions", "terminal--default.jsonl"), "utf8");
    expect(transcript.match(/"type":"reply.written".*half of it and the rest/g)).toHaveLength(1);
  },
);

test("several lines are answered one after the other, in order", async () => {
  const { say } = await sceneWith("openai-compatible", (request) => ({ text: `you said ${request.lastUserText}` }));
  const { output } = await say("one", "two", "three");
  expect(output.match(/you said \w+/g)).toEqual(["you said one", "you said two", "you said three"]);
});

test("a provider that stays away is said, and the offline model stands in", async () => {
  const { say } = await sceneWith("openai-compatible", () => ({
    fault: { kind: "status", status: 500, retryAfter: "0" },
  }));
  const { code, output, errors } = await say("remember that the key is under the mat");
  expect([code, `${output}${errors}`]).toEqual([
    0,
    expect.stringContaining("I will remember: the key is under the mat"),
  ]);
});

test("the second fallback model answers when the first two do not", async () => {
  const home = await temporaryFolder();
  const server = await startFakeModelServer({
    answers: (request) =>
      request.body.model === "good"
        ? { text: "here I am" }
        : { fault: { kind: "status", status: 529, retryAfter: "0" } },
  });
  onTestFinished(() => server.close());
  const settings = {
    agent: { model: "fake/bad", fallbackModels: ["fake/worse", "fake/good"] },
    models: {
      providers: { fake: { kind: "openai-compatible", baseUrl: `${server.url}/v1` } },
      probeLocal: false,
      maxAttempts: 1,
    },
  };
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "config.json"), JSON.stringify(settings));
  expect((await runSteward({ home, args: ["ask", "anyone?"] })).output).toContain("here I am");
});

test("with no key, no server and no network the program answers, remembers and recalls", async () => {
  const home = await temporaryFolder();
  const environment = { STEWARD_MODELS_PROBE_LOCAL: "false" };
  await runSteward({ home, args: ["ask", "remember that my cat is called Tom"], environment });
  const { code, output } = await runSteward({ home, args: ["ask", "what do you know about my cat?"], environment });
  expect([code, output]).toEqual([0, expect.stringContaining("my cat is called Tom")]);
});

test("an approval asked while nobody is at the terminal is answered later from the command line", async () => {
  const { home, say } = await sceneWith("openai-compatible", (request) =>
    request.toolOutputs.length > 0
      ? { text: `result: ${request.toolOutputs[0]}` }
      : { toolCalls: [{ name: "write", arguments: { path: "AGENTS.md", content: "Be brief." } }] },
  );
  const { errors, output } = await say("be brief from now on");
  const id = /steward approve (\S+)/.exec(errors + output)?.[1] ?? "";
  const approved = await runSteward({ home, args: ["approve", id], environment: { FAKE_KEY: "fake-key-for-tests" } });
  await runSteward({
    home,
    args: ["ask", "--session", "other", "go on"],
    environment: { FAKE_KEY: "fake-key-for-tests" },
  });
  expect([approved.code, await readFile(join(home, "workspace", "AGENTS.md"), "utf8")]).toEqual([0, "Be brief."]);
});
