import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sample } from "../scenes/sample.ts";
import { clientOf, ended, spawnSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const moments = 40;

/** Starts a daemon and lets it apply new settings: comes back when it begins to. */
async function restartingDaemon() {
  const home = await temporaryFolder();
  const child = spawnSteward({ home });
  onTestFinished(() => void child.kill("SIGKILL"));
  const client = await clientOf(child, home);
  if (!client) throw new Error("Steward did not start");
  const { revision } = await client.call("settings.get", {});
  await client.call("settings.set", { revision, changes: [{ key: "agent.name", value: "Ada" }] });
  await client.call("settings.apply", {});
  return { home, child, client };
}

/** The old settings are left for good, and nothing runs with the new ones yet. */
async function stopped(home: string): Promise<void> {
  const logs = join(home, "logs");
  for (;;) {
    const [name] = await readdir(logs);
    if (name && (await readFile(join(logs, name), "utf8")).includes('"stopped"')) return;
  }
}

async function measureStart(): Promise<number> {
  const { home, child } = await restartingDaemon();
  await stopped(home);
  const stoppedMs = performance.now();
  await (await clientOf(child, home))?.close();
  return performance.now() - stoppedMs;
}
let measured: Promise<number> | undefined;

test.for(
  sample(
    Array.from({ length: moments }, (_, moment) => moment),
    3,
  ),
)("a signal at moment %i of a restart with new settings ends the daemon", async (moment) => {
  measured ??= measureStart();
  const startMs = await measured;
  const { child, home } = await restartingDaemon();
  // the first one comes while the old settings are still being left
  if (moment > 0) {
    await stopped(home);
    await new Promise((resolve) => setTimeout(resolve, (startMs * (moment - 1)) / (moments - 1)));
  }
  child.kill(moment % 2 === 0 ? "SIGTERM" : "SIGINT");
  expect(await ended(child)).toBe(0);
});
