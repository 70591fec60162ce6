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

async function daemon() {
  const home = await temporaryFolder();
  const model = await startModelProcess();
  onTestFinished(() => model.stop());
  await writeSettings(home, model.port);
  return { home, start: () => startDaemon(home) };
}

async function startDaemon(home: string) {
  const child = spawnSteward({ home });
  onTestFinished(() => void child.kill("SIGKILL"));
  const client = await clientOf(child, home);
  if (!client) throw new Error("the daemon did not start");
  const seen: Followed[] = [];
  client.follow(0, (followed) => seen.push(followed));
  const until = (type: Followed["type"]) => eventually(() => seen.some((followed) => followed.type === type));
  return { child, client, seen, until };
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
