import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { clientOf, ended, runSteward, spawnSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test("a daemon whose port is taken says so, names the setting, and ends", async () => {
  const port = await takenPort();
  const home = await temporaryFolder();
  const { code, errors } = await runSteward({ home, environment: { STEWARD_GATEWAY_PORT: String(port) } });
  expect(code).toBe(1);
  expect(errors).toContain(`127.0.0.1:${port}`);
  expect(errors).toContain("gateway.port");
});

test("a question asked by a pipe is answered although the page's port is taken", async () => {
  const environment = { STEWARD_GATEWAY_PORT: String(await takenPort()) };
  const ran = await runSteward({ home: await temporaryFolder(), args: [], environment, input: "what is 2 + 3?\n" });
  expect(ran).toMatchObject({ code: 0, output: expect.stringContaining("5") });
});

test("without a terminal and without a word on the input it runs and serves the page", async () => {
  const home = await temporaryFolder();
  const child = spawnSteward({ home, args: [] });
  child.stdin?.end();
  let output = "";
  child.stdout?.on("data", (data) => {
    output += data;
  });
  // what a service writes ends in a log, and no code must
  await eventually(() => output, expect.stringMatching(/In the browser: http:\/\/127\.0\.0\.1:\d+ \(.*steward open\)/));
  expect(output).not.toContain("code=");
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test("settings that cannot work are given up for the ones before, and Steward goes on", async () => {
  const port = await takenPort();
  const home = await temporaryFolder();
  await writeFile(join(home, "config.json"), '{ "gateway": { "port": 0 } }');
  const child = spawnSteward({ home, environment: { STEWARD_GATEWAY_PORT: "" } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let errors = "";
  child.stderr?.on("data", (data) => {
    errors += data;
  });
  const client = await clientOf(child, home);
  if (!client) throw new Error(`Steward did not start: ${errors}`);
  const { revision } = await client.call("settings.get", {});
  const changes = [{ key: "gateway.port", value: port }];
  expect(await client.call("settings.set", { revision, changes })).toMatchObject({ saved: true });
  await client.call("settings.apply", {});
  await client.closed;
  const again = await clientOf(child, home);
  await eventually(() => errors.includes("The new settings do not work"));
  expect((await again?.call("settings.get", {}))?.pending).toEqual(["gateway.port"]);
  await again?.close();
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});
