import { expect, onTestFinished, test } from "vitest";
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

test("the log tells what was done, how it ended and how long it took, and nothing of what was said", async () => {
  const home = await temporaryFolder();
  const model = await startModelProcess();
  onTestFinished(() => model.stop());
  await writeSettings(home, model.port, { guard: { mode: "auto" } });
  const logs = async (...args: string[]) => (await runSteward({ home, args: ["logs", ...args] })).output;
  const follower = spawnSteward({ home, args: ["logs", "--follow", "--level", "info"] });
  onTestFinished(() => void follower.kill("SIGKILL"));
  let followed = "";
  follower.stdout?.on("data", (data) => {
    followed += data;
  });
  const child = spawnSteward({ home, environment: { STEWARD_DEBUG: "1" } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const client = await clientOf(child, home);
  const message = 'about the blue owl: TOOL:bash:{"command":"echo the blue owl"}END';
  await client?.call("chat.send", { sessionKey: "terminal--default", message });
  await eventually(
    () => followed,
    expect.stringMatching(/info {2}turn ended conversation=terminal--default .*ending=answered/),
  );
  model.stop();
  await client?.call("chat.send", { sessionKey: "terminal--default", message: "hello" });
  await eventually(() => followed, expect.stringMatching(/warn {2}model asked again .*ECONNREFUSED/));
  await client?.close();
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
  await eventually(() => followed, expect.stringMatching(/info {2}stopped\n$/));
  follower.kill("SIGINT");
  expect(await ended(follower)).toBe(0);

  const lines = (await logs("--json", "-n", "1000"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const find = (msg: string) => lines.find((line) => line.msg === msg);
  expect(find("started")).toMatchObject({ level: 30, version: expect.any(String), home, mode: "daemon" });
  expect(find("message received")).toMatchObject({ level: 30, from: "owner", characters: message.length });
  expect(find("tool returned")).toMatchObject({
    level: 30,
    tool: "bash",
    outcome: "done",
    durationMs: expect.any(Number),
  });
  expect(find("turn ended")).toMatchObject({
    steps: 2,
    tools: 1,
    model: "fake/fake-model",
    inputTokens: expect.any(Number),
  });
  expect(find("model request")).toMatchObject({ level: 20, messages: 1, tools: expect.any(Number) });
  expect(find("guard decided")).toMatchObject({ level: 20, tool: "bash", verdict: "allow" });
  expect(find("room opened")).toMatchObject({ level: 20, room: "settings" });
  expect(JSON.stringify(lines)).not.toContain("owl");

  expect(await logs("-n", "1", "--level", "warn")).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} warn {2}model asked again [^\n]+\n$/,
  );
  const strange = await runSteward({ home, args: ["logs", "-n", "many"] });
  expect([strange.code, strange.errors]).toEqual([1, expect.stringContaining("--lines takes a whole number")]);
});
