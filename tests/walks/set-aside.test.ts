import type { ChildProcess } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import type { GatewayClient } from "../../src/contract/wire/client.ts";
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

const bad = "terminal--bad";
const good = "terminal--good";

/** The program as it is, except that the first call of a tool after its start is the end of it. */
function spawnFatal(home: string, moment: "after" | "hang"): ChildProcess {
  const environment = { KILL_AT: `tool.sent:${moment}:1` };
  return spawnSteward({ home, preload: "./tests/scenes/kill-at-event.ts", environment });
}

async function untilItsEnd(child: ChildProcess, moment: "after" | "hang"): Promise<void> {
  if (moment === "hang") {
    let said = "";
    child.stderr?.on("data", (data) => {
      said += data;
    });
    await eventually(() => said.includes("hangs"));
    child.kill("SIGKILL");
  }
  await ended(child);
}

async function say(client: GatewayClient | undefined, sessionKey: string, message: string): Promise<void> {
  // the process may be gone before it answers
  await client?.call("chat.send", { sessionKey, message, idempotencyKey: message }).catch(() => undefined);
}

async function repliesIn(client: GatewayClient, sessionKey: string): Promise<string> {
  return JSON.stringify(await client.call("chat.history", { sessionKey }));
}

for (const moment of ["after", "hang"] as const) {
  const ways = { after: "ends", hang: "hangs" };
  test(`a call that ${ways[moment]} the program is set aside at the third start, which serves everybody`, async () => {
    const home = await temporaryFolder();
    const model = await startModelProcess();
    onTestFinished(() => model.stop());
    await writeSettings(home, model.port);
    for (let starts = 0; starts < 2; starts++) {
      const child = spawnFatal(home, moment);
      onTestFinished(() => void child.kill("SIGKILL"));
      const end = untilItsEnd(child, moment);
      const client = await clientOf(child, home);
      if (starts === 0) await say(client, bad, `TOOL:read:${JSON.stringify({ path: "AGENTS.md" })}END`);
      await end;
    }
    const third = spawnFatal(home, moment);
    onTestFinished(() => void third.kill("SIGKILL"));
    const client = await clientOf(third, home);
    if (!client) throw new Error("the third start did not come up");
    await eventually(async () => (await repliesIn(client, bad)).includes("cut off twice"));
    expect(await repliesIn(client, bad)).toContain("while read ran");
    await say(client, good, "are you there?");
    await eventually(async () => (await repliesIn(client, good)).includes("echo: are you there?"));
    third.kill("SIGTERM");
    expect(await ended(third)).toBe(0);
    const doctor = await runSteward({ home, args: ["doctor"] });
    expect(doctor.output).toContain("Everything looks well.");
  }, 300_000);
}
