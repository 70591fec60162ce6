// Each tool through the whole program: a message goes in over the socket, the scripted model calls, the log tells what became of it.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Event, EventOf, EventType } from "../../src/contract/event.ts";
import type { GatewayClient } from "../../src/contract/wire/client.ts";
import { eventually } from "../scenes/eventually.ts";
import {
  clientOf,
  ended,
  type ModelProcess,
  spawnSteward,
  startModelProcess,
  writeSettings,
} from "../scenes/steward-process.ts";

type Call = readonly [tool: string, args: Record<string, unknown>];
type Walk = { tool: string; good: Call; asks: boolean; bad: Call; says?: string };

const walks: readonly Walk[] = [
  { tool: "read", good: ["read", { path: "a.txt" }], asks: false, bad: ["read", { path: "none.txt" }], says: "alpha" },
  { tool: "list", good: ["list", { path: "." }], asks: false, bad: ["list", { path: "../../.." }], says: "a.txt" },
  {
    tool: "find",
    good: ["find", { pattern: "*.txt" }],
    asks: false,
    bad: ["find", { pattern: "*", path: "../../.." }],
    says: "a.txt",
  },
  { tool: "grep", good: ["grep", { pattern: "alp+ha" }], asks: false, bad: ["grep", { pattern: "(" }], says: "a.txt" },
  {
    tool: "skill",
    good: ["skill", { name: "create-skill" }],
    asks: false,
    bad: ["skill", { name: "none" }],
    says: "# Writing a skill",
  },
  {
    tool: "write",
    good: ["write", { path: "w.txt", content: "hello" }],
    asks: true,
    bad: ["write", { path: "../w.txt", content: "x" }],
  },
  {
    tool: "edit",
    good: ["edit", { path: "e.txt", edits: [{ oldText: "one", newText: "two" }] }],
    asks: true,
    bad: ["edit", { path: "e.txt", edits: [{ oldText: "absent", newText: "x" }] }],
  },
  { tool: "delete", good: ["delete", { path: "d.txt" }], asks: true, bad: ["delete", { path: "absent.txt" }] },
  {
    tool: "bash",
    good: ["bash", { command: "printf made > made.txt" }],
    asks: true,
    bad: ["bash", { command: "cat absent.txt" }],
  },
  {
    tool: "exec",
    good: ["exec", { command: "printf ran > ran.txt" }],
    asks: true,
    bad: ["exec", { command: "cat absent.txt" }],
  },
  {
    tool: "process",
    good: ["process", { action: "list" }],
    asks: false,
    bad: ["process", { action: "output", id: "p999" }],
  },
  {
    tool: "web_fetch",
    good: ["web_fetch", { url: "https://named.example" }],
    asks: false,
    bad: ["web_fetch", { url: "https://127.0.0.1" }],
  },
  { tool: "web_search", good: ["web_search", { query: "x" }], asks: false, bad: ["web_search", { query: "x" }] },
  {
    tool: "browser_act",
    good: ["browser_act", { page: "https://named.example", steps: [{ do: "click", target: 'button "Go" [e1]' }] }],
    asks: true,
    bad: ["browser_act", { page: "https://named.example", steps: [{ do: "click", target: 'button "Go" [e1]' }] }],
  },
  {
    tool: "send_message",
    good: ["send_message", { text: "half-way" }],
    asks: false,
    bad: ["send_message", { text: "" }],
    says: "Sent.",
  },
  {
    tool: "send_file",
    good: ["send_file", { path: "a.txt" }],
    asks: false,
    bad: ["send_file", { path: "none.txt" }],
    says: "Sent",
  },
  {
    tool: "extract",
    good: ["extract", { path: "a.txt", fields: ["n:number How many?"] }],
    asks: false,
    bad: ["extract", { path: "a.txt", fields: ["wrong"] }],
  },
  {
    tool: "research",
    good: ["research", { question: "How tall are herons?", addresses: ["https://named.example"] }],
    asks: false,
    bad: ["research", { question: "How tall are herons?" }],
    says: "0 pages read",
  },
];
// the network is not there in tests, and the fake model answers no questions about a document
const cannotSucceedHere = new Set(["web_fetch", "web_search", "browser_act", "extract"]);

let home = "";
let model: ModelProcess;
let steward: Awaited<ReturnType<typeof startDaemon>>;
let conversations = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "steward-walks-"));
  model = await startModelProcess();
  // the scripted model does what the last words of a message say, and what is laid beside it comes last
  await writeSettings(home, model.port, { memory: { recall: { enabled: false } } });
  await mkdir(join(home, "workspace"));
  for (const [name, text] of [
    ["a.txt", "alpha"],
    ["e.txt", "one"],
    ["d.txt", "gone soon"],
  ] as const)
    await writeFile(join(home, "workspace", name), text);
  steward = await startDaemon();
});
afterAll(async () => {
  steward.child.kill("SIGTERM");
  await ended(steward.child);
  model.stop();
  await rm(home, { recursive: true, force: true });
});

async function startDaemon() {
  const child = spawnSteward({ home });
  const client = await clientOf(child, home);
  if (!client) throw new Error("the daemon did not start");
  const seen: Event[] = [];
  client.follow(0, (followed) => {
    if ("seq" in followed) seen.push(followed);
  });
  return { child, client, seen };
}

async function until<Type extends EventType>(conversation: string, ...types: readonly Type[]): Promise<EventOf<Type>> {
  const isIt = (event: Event) => event.conversation === conversation && types.includes(event.type as Type);
  return (await eventually(() => steward.seen.find(isIt), expect.anything())) as EventOf<Type>;
}

async function say(client: GatewayClient, ...calls: readonly Call[]): Promise<string> {
  conversations += 1;
  const sessionKey = `terminal--walk${conversations}`;
  const message = `https://named.example ${calls.map(([tool, args]) => `TOOL:${tool}:${JSON.stringify(args)}END`).join(" ")}`;
  await client.call("chat.send", { sessionKey, message });
  return sessionKey;
}

for (const { tool, good, bad, asks, says } of walks) {
  describe(tool, () => {
    if (asks) {
      test("asks, and is not done when the answer is no", async () => {
        const conversation = await say(steward.client, good);
        const asked = await until(conversation, "approval.asked");
        await steward.client.call("exec.deny", { approvalId: asked.approvalId, reason: "not now" });
        const returned = await until(conversation, "tool.returned");
        expect([returned.outcome, returned.output]).toEqual(["denied", "Not done: the owner said no. not now"]);
      });
      test("asks, and is done when the answer is yes", async () => {
        const conversation = await say(steward.client, good);
        const asked = await until(conversation, "approval.asked");
        await steward.client.call("exec.approve", { approvalId: asked.approvalId });
        const returned = await until(conversation, "tool.returned");
        expect(returned.outcome, returned.output).toBe(cannotSucceedHere.has(tool) ? "failed" : "done");
        await until(conversation, "turn.finished");
      });
    } else {
      test("runs without a question", async () => {
        const conversation = await say(steward.client, good);
        const returned = await until(conversation, "tool.returned", "approval.asked");
        expect(returned.type).toBe("tool.returned");
        if (returned.type !== "tool.returned") return;
        expect(returned.outcome, returned.output).toBe(cannotSucceedHere.has(tool) ? "failed" : "done");
        if (says) expect(returned.output).toContain(says);
      });
    }
    test("fails in a sentence that says what is wrong", async () => {
      const conversation = await say(steward.client, bad);
      const first = await until(conversation, "tool.returned", "approval.asked");
      if (first.type === "approval.asked") await steward.client.call("exec.approve", { approvalId: first.approvalId });
      const returned = await until(conversation, "tool.returned");
      expect(["failed", "denied"]).toContain(returned.outcome);
      expect(returned.output.length).toBeGreaterThan(10);
      expect(returned.output).not.toMatch(/\n\s+at |undefined/);
    });
  });
}

const slow: Record<string, Call> = {
  bash: ["bash", { command: "sleep 60" }],
  exec: ["exec", { command: "sleep 60", yieldMs: 60_000 }],
};
for (const [tool, call] of Object.entries(slow)) {
  test(`${tool} is stopped in the middle`, async () => {
    const conversation = await say(steward.client, call);
    await approve(conversation);
    await until(conversation, "tool.sent");
    await steward.client.call("chat.abort", { sessionKey: conversation });
    const finished = await until(conversation, "turn.finished");
    const returned = await until(conversation, "tool.returned");
    expect([finished.ending, ["stopped", "unknown"].includes(returned.outcome)]).toEqual(["stopped", true]);
  });

  test(`${tool} that is cut off by kill -9 is not run again, and its outcome is called unknown`, async () => {
    const mark = `${tool}-mark.txt`;
    const conversation = await say(steward.client, [tool, { command: `printf x >> ${mark}; sleep 60` }]);
    await approve(conversation);
    await until(conversation, "tool.sent");
    await eventually(() => readFile(join(home, "workspace", mark), "utf8"), "x");
    steward.child.kill("SIGKILL");
    await ended(steward.child);
    steward = await startDaemon();
    const returned = await until(conversation, "tool.returned");
    await until(conversation, "turn.finished");
    expect([returned.outcome, await readFile(join(home, "workspace", mark), "utf8")]).toEqual(["unknown", "x"]);
  });
}

async function approve(conversation: string): Promise<void> {
  const asked = await until(conversation, "approval.asked");
  await steward.client.call("exec.approve", { approvalId: asked.approvalId });
}

test("a long output is cut in the middle, and the rest can be read by its handle", async () => {
  await writeFile(join(home, "workspace", "long.txt"), Array.from({ length: 9_000 }, (_, n) => `line ${n}`).join("\n"));
  const conversation = await say(steward.client, ["bash", { command: "cat long.txt" }]);
  const returned = await until(conversation, "tool.returned");
  const [, handle, offset] = /read_output with handle (\S+) and offset (\d+) shows them/.exec(returned.output) ?? [];
  const again = steward.seen.length;
  await steward.client.call("chat.send", {
    sessionKey: conversation,
    message: `TOOL:read_output:${JSON.stringify({ handle, offset: Number(offset) })}END`,
  });
  const isReturned = (event: Event) => event.type === "tool.returned" && event.conversation === conversation;
  const rest = await eventually(() => steward.seen.slice(again).find(isReturned), expect.anything());
  expect(rest.type === "tool.returned" && rest.output).toContain("line 4");
});
