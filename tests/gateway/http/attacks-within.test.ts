// A model that has been taken over tries to reach the assistant it lives in: its settings, its gateway, its secrets.
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import type { GatewayClient } from "../../../src/contract/wire/client.ts";
import { eventually } from "../../scenes/eventually.ts";
import {
  clientOf,
  ended,
  type ModelProcess,
  spawnSteward,
  startModelProcess,
  writeSettings,
} from "../../scenes/steward-process.ts";

const secret = "sk-ant-api03-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4";
let home: string;
let model: ModelProcess;
let child: ReturnType<typeof spawnSteward>;
let client: GatewayClient;
let page: URL;
let token: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "steward-within-"));
  model = await startModelProcess();
  // the laxest settings there are: whatever still holds, holds always
  await writeSettings(home, model.port, { guard: { mode: "auto", tools: { web_fetch: "allow", bash: "allow" } } });
  child = spawnSteward({ home });
  const found = await clientOf(child, home);
  if (!found) throw new Error("Steward did not start");
  client = found;
  page = new URL((await client.call("health.check", {})).page);
  token = (await client.call("access.create", { name: "outside", scope: "owner" })).token;
  await writeFile(join(home, "workspace", "leak.txt"), `the key is ${secret}\n`);
}, 60_000);

afterAll(async () => {
  await client.close();
  child.kill("SIGTERM");
  await ended(child);
  model.stop();
  await rm(home, { recursive: true, force: true });
});

/** Has the model call a tool, answers whatever asks, and tells how the turn went. */
async function attempt(
  sessionKey: string,
  tool: string,
  args: Record<string, unknown>,
  answer: "exec.approve" | "exec.deny" = "exec.deny",
): Promise<readonly Event[]> {
  const { seq } = await client.call("chat.send", {
    sessionKey,
    message: `TOOL:${tool}:${JSON.stringify(args)}END`,
  });
  const events: Event[] = [];
  await new Promise<void>((resolve) => {
    const stop = client.follow(seq, (followed) => {
      if (!("seq" in followed) || followed.conversation !== sessionKey) return;
      events.push(followed);
      if (followed.type === "approval.asked") void client.call(answer, { approvalId: followed.approvalId });
      if (followed.type !== "turn.finished") return;
      stop();
      resolve();
    });
  });
  return events;
}

const outcomes = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === "tool.returned" ? [event.outcome] : []));

describe("changing its own rules (CVE-2026-41349)", () => {
  const tries: readonly [string, Record<string, unknown>][] = [
    ["write", { path: "../config.json", content: '{"guard":{"mode":"auto"}}' }],
    ["edit", { path: "../config.json", edits: [{ oldText: "fake", newText: "evil" }] }],
    ["delete", { path: "../auth.json" }],
    ["read", { path: "../config.json" }],
    ["bash", { command: 'printf "{}" > ../config.json' }],
    ["bash", { command: 'ls -a .. && cat "$HOME/config.json"' }],
  ];
  test.each(tries)("%s cannot reach the settings: %j", async (tool, args) => {
    const before = await readFile(join(home, "config.json"), "utf8");
    const events = await attempt("web--rules", tool, args);
    expect(outcomes(events)).not.toContain("done");
    expect(await readFile(join(home, "config.json"), "utf8")).toBe(before);
    expect(JSON.stringify(events)).not.toContain("openai-compatible");
  });
});

describe("calling its own gateway (CVE-2026-26322, -41349)", () => {
  test("no tool that fetches is allowed to this machine, under any of its names", async () => {
    for (const host of ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1", "2130706433"]) {
      const url = `http://${host}:${page.port}/api/call/settings.get`;
      expect(outcomes(await attempt("web--fetch", "web_fetch", { url }))).not.toContain("done");
    }
  });
  test("a command that knows an owner's token cannot use it, even if the owner lets it run", async () => {
    const script = `import urllib.request
try:
    request = urllib.request.Request("${page.origin}/api/call/settings.get", b"{}", {"Authorization": "Bearer ${token}", "Content-Type": "application/json"})
    print(urllib.request.urlopen(request, timeout=3).read().decode())
except Exception as error:
    print("unreachable:", error)
`;
    await writeFile(join(home, "workspace", "call.py"), script);
    const shell = await attempt("web--command", "bash", { command: "python3 call.py" }, "exec.approve");
    expect(JSON.stringify(shell)).toContain("unreachable: <urlopen error");
    expect(JSON.stringify(shell)).not.toContain('\\"values\\"');
    // from outside the same call works, so that what stopped it was the box
    const answer = await fetch(new URL("/api/call/settings.get", page), {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: "{}",
    });
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([
      200,
      expect.arrayContaining(["values"]),
    ]);
  });
});

describe("the socket for local programs (CVE-2026-28458)", () => {
  test("only the owner's own account can open it", async () => {
    const path = join(home, "data", "steward.sock");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, "data"))).mode & 0o077).toBe(0);
    if (process.getuid?.() !== 0) return;
    const nobody = { uid: 65534, gid: 65534, cwd: "/" };
    expect(spawnSync("/bin/sh", ["-c", 'test -e "$0"', path], nobody).status).toBe(1);
    expect(spawnSync("/bin/sh", ["-c", 'test -e "$0"', path]).status).toBe(0);
  });
});

describe("ways out that forget to mask (GHSA-j4cx-jvq7-79vm)", () => {
  test("a secret that a tool has read is masked in every answer, stream, file and log", async () => {
    const sessionKey = "web--mask";
    expect(outcomes(await attempt(sessionKey, "read", { path: "leak.txt" }))).toEqual(["done"]);
    const ask = async (path: string) =>
      (await fetch(new URL(path, page), { headers: { Authorization: `Bearer ${token}` } })).text();
    const told = [
      await client.call("chat.history", { sessionKey }),
      await client.call("sessions.get", { sessionKey }),
      await client.call("sessions.search", { query: "key" }),
      await client.call("audit.list", {}),
      await client.call("logs.tail", {}),
      await ask("/api/tasks"),
      await ask("/metrics"),
    ];
    expect(JSON.stringify(told)).toContain("the key is");
    expect(JSON.stringify(told)).not.toContain(secret);
    // the copies of the log are written a moment later
    await eventually(() => readdir(join(home, "data")), expect.arrayContaining(["sessions"]));
    for (const folder of ["data/sessions", "audit", "logs"])
      for (const name of await readdir(join(home, folder)))
        expect(await readFile(join(home, folder, name), "utf8")).not.toContain(secret);
  });
});
