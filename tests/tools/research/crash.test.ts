import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import { eventually } from "../../scenes/eventually.ts";
import { clientOf, ended, spawnSteward, startModelProcess, writeSettings } from "../../scenes/steward-process.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

const preload = fileURLToPath(new URL("../../scenes/kill-at-event.ts", import.meta.url));
const sessionKey = "terminal--r";
const args = JSON.stringify({ question: "How tall are herons?", addresses: ["https://127.0.0.1/"] });

test("a research that is cut off by kill -9 is done again, and what it had cost until then is counted", async () => {
  const home = await temporaryFolder();
  const model = await startModelProcess();
  onTestFinished(() => model.stop());
  await writeSettings(home, model.port);
  const killed = spawnSteward({ home, preload, environment: { KILL_AT: "model.called:after:1" } });
  const first = await clientOf(killed, home);
  // it may die before it has answered
  await first?.call("chat.send", { sessionKey, message: `TOOL:research:${args}END` }).catch(() => undefined);
  expect(await ended(killed)).toBe("SIGKILL");

  const child = spawnSteward({ home });
  onTestFinished(() => void child.kill("SIGKILL"));
  const client = await clientOf(child, home);
  const seen: Event[] = [];
  client?.follow(0, (followed) => {
    if ("seq" in followed) seen.push(followed);
  });
  await eventually(() => seen.some((event) => event.type === "turn.finished"), true);
  const returned = seen.filter((event) => event.type === "tool.returned");
  expect(returned).toMatchObject([
    { tool: "research", outcome: "done", output: expect.stringContaining("How tall are herons?") },
  ]);
  expect(seen.filter((event) => event.type === "model.called").length).toBe(2);
  const usage = await client?.call("usage.get", { sessionKey });
  // two steps of the conversation, and the reader's answer twice
  expect(usage?.rows.reduce((sum, row) => sum + row.calls, 0)).toBe(4);
});
