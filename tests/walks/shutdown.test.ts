import { expect, onTestFinished, test } from "vitest";
import type { Followed } from "../../src/contract/wire/client.ts";
import { eventually } from "../scenes/eventually.ts";
import {
  clientOf,
  ended,
  runSteward,
  spawnSteward,
  startModelProcess,
  writeSettings,
} from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

async function daemon(settings: Record<string, unknown> = {}) {
  const home = await temporaryFolder();
  const model = await startModelProcess();
  onTestFinished(() => model.stop());
  await writeSettings(home, model.port, settings);
  return { home, start: () => startDaemon(home) };
}

async function startDaemon(home: string) {
  const child = spawnSteward({ home });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout?.on("data", (data) => {
    output += data;
  });
  const client = await clientOf(child, home);
  if (!client) throw new Error("the daemon did not start");
  const seen: Followed[] = [];
  client.follow(0, (followed) => seen.push(followed));
  const until = (type: Followed["type"]) => eventually(() => seen.some((followed) => followed.type === type));
  return { child, client, seen, until, output: () => output };
}

test("asked to end, it finishes a short answer first", async () => {
  const { start } = await daemon();
  const { child, client, until } = await start();
  await client.call("chat.send", { sessionKey: "terminal--default", message: "SLOW:600 hello" });
  await until("live.text");
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
  await until("turn.finished");
});

test("asked to end in a long answer, it does not wait for its end, and the next start gives the answer, once", async () => {
  const { home, start } = await daemon();
  const first = await start();
  await first.client.call("chat.send", { sessionKey: "terminal--default", message: "SLOW:8000 hello" });
  await first.until("live.text");
  first.child.kill("SIGTERM");
  expect(await ended(first.child)).toBe(0);
  await first.client.closed;
  expect(first.seen.map((followed) => followed.type)).not.toContain("turn.finished");
  const second = await start();
  await second.until("turn.finished");
  const replies = second.seen.filter((followed) => followed.type === "reply.written");
  expect(replies).toMatchObject([{ text: "echo: SLOW:8000 hello" }]);
  second.child.kill("SIGTERM");
  await ended(second.child);
  expect((await runSteward({ home, args: ["doctor"] })).code).toBe(0);
});

test("asked to end while boxes wait and a command runs behind, it ends in order and says so", async () => {
  const { start } = await daemon({ guard: { mode: "auto" } });
  const { child, client, seen, until, output } = await start();
  const say = (message: string) => client.call("chat.send", { sessionKey: "terminal--default", message });
  await say('TOOL:bash:{"command":"echo hi"}END');
  await until("turn.finished");
  await say('TOOL:exec:{"command":"sleep 60"}END');
  await until("approval.asked");
  const asked = seen.find((followed) => followed.type === "approval.asked");
  await client.call("exec.approve", { approvalId: asked?.approvalId ?? "" });
  await eventually(() => seen.filter((followed) => followed.type === "turn.finished").length === 2);
  // nobody is connected any more: only what it waits for itself keeps the process
  await client.close();
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
  expect(output()).toMatch(/\nSteward has stopped\.\n$/);
});

test("a daemon is started anew with other settings and stopped by commands, and they wait until it is so", async () => {
  const { home, start } = await daemon();
  const run = async (...args: string[]) => {
    const { code, output, errors } = await runSteward({ home, args });
    return [code, output + errors];
  };
  expect(await run("stop")).toEqual([0, `No Steward is running for ${home}.\n`]);
  expect(await run("restart")).toEqual([1, expect.stringContaining("Start one with: steward daemon")]);
  const { child, client } = await start();
  const { revision } = await client.call("settings.get", {});
  await client.call("settings.set", { revision, changes: [{ key: "agent.name", value: "Jeeves" }] });
  expect(await run("restart")).toEqual([0, expect.stringMatching(`runs anew \\(process ${child.pid}\\)`)]);
  const again = await clientOf(child, home);
  expect(await again?.call("settings.get", {})).toMatchObject({ values: { agent: { name: "Jeeves" } }, pending: [] });
  const [code, output] = await run("stop", "--json");
  expect([code, JSON.parse(String(output))]).toEqual([0, { stopped: true, pid: child.pid }]);
  expect(await ended(child)).toBe(0);
  expect(await run("stop", "--json")).toEqual([0, '{"stopped":false}\n']);
});

test("a second daemon for the same folder says that one is running, and a chat joins it", async () => {
  const { home, start } = await daemon();
  const { child } = await start();
  const second = await runSteward({ home, args: ["daemon"] });
  expect([second.code, second.errors]).toEqual([
    1,
    expect.stringContaining(`running already for ${home} (process ${child.pid})`),
  ]);
  const chat = await runSteward({ home, args: ["chat", "--plain"], input: "hello\n" });
  expect(chat.output).toContain("echo: hello");
  const status = await runSteward({ home, args: ["status", "--json"] });
  expect(JSON.parse(status.output)).toMatchObject({ mode: "daemon", pid: child.pid });
});
