import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Followed } from "../../src/contract/wire/client.ts";
import { startFakeModelServer } from "../fakes/model/fake-model-server.ts";
import { eventually } from "../scenes/eventually.ts";
import { clientOf, ended, spawnSteward, writeSettings } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const preload = fileURLToPath(new URL("../scenes/kill-at-event.ts", import.meta.url));

async function start(home: string, killAt?: string) {
  const child = spawnSteward({ home, ...(killAt && { preload, environment: { KILL_AT: killAt } }) });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended(child);
  });
  const client = await clientOf(child, home);
  if (!client) throw new Error("the daemon did not start");
  return { child, client };
}

test.each([
  "message.received:after",
  "turn.started:after",
  "step.finished:after",
  "turn.finished:after",
  "task.settled:before",
])("killed at %s, what the heartbeat has found is told once, with what was noted for it", async (killAt) => {
  const home = await temporaryFolder();
  const server = await startFakeModelServer({
    answers: Array.from({ length: 9 }, () => ({ text: "The post is here." })),
  });
  onTestFinished(() => server.close());
  await writeSettings(home, server.port, {
    heartbeat: { activeHours: "0-24", intervalMinutes: 10_080, deliverTo: "main" },
  });
  await mkdir(join(home, "workspace"));
  await writeFile(join(home, "workspace", "HEARTBEAT.md"), "Has the post come?");
  const first = await start(home, killAt);
  // the answer may be lost with the process
  await first.client.call("heartbeat.tell", { text: "It rang.", now: true }).catch(() => undefined);
  expect(await ended(first.child)).toBe("SIGKILL");
  const { client } = await start(home);
  const seen: Followed[] = [];
  client.follow(0, (followed) => seen.push(followed));
  await eventually(() => seen.some((followed) => followed.type === "task.settled"));
  expect(await client.call("heartbeat.get", {})).toMatchObject({ notes: 0, lastRun: { settled: "delivered" } });
  const told = seen.flatMap((one) => (one.type === "reply.written" && one.task?.id === "heartbeat" ? [one.text] : []));
  expect(told).toEqual(["The post is here."]);
  expect(JSON.stringify(server.requests[0]?.body)).toContain("It rang.");
});
