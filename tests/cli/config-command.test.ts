import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { clientOf, ended, runSteward, spawnSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

async function homeWith(settings: unknown) {
  const home = await temporaryFolder();
  const path = join(home, "config.json");
  await writeFile(path, JSON.stringify(settings), { mode: 0o600 });
  return {
    home,
    config: (...args: string[]) => runSteward({ home, args: ["config", ...args] }),
    written: async () => JSON.parse(await readFile(path, "utf8")),
    path,
  };
}

test("settings of every type are set, read, listed and given back, and the others stay as they were", async () => {
  const { config, written, path, home } = await homeWith({ agent: { name: "Ada" }, logs: { keepDays: 3 } });
  expect(await config("set", "agent.maxSteps", "7")).toEqual({
    code: 0,
    output: "agent.maxSteps is now 7.\n",
    errors: "",
  });
  await config("set", "models.probeLocal", "false");
  await config("set", "models.providers.house", '{"kind": "openai-compatible"}');
  await config("set", "models.providers.house.baseUrl", "http://127.0.0.1:9/v1");
  await config("set", "agent.model", "house/llama");
  expect(await written()).toEqual({
    agent: { name: "Ada", maxSteps: 7, model: "house/llama" },
    logs: { keepDays: 3 },
    models: {
      probeLocal: false,
      providers: { house: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1" } },
    },
  });
  const { output } = await config("get", "models.providers.house.baseUrl", "--json");
  expect(JSON.parse(output)).toEqual({ key: "models.providers.house.baseUrl", value: "http://127.0.0.1:9/v1" });
  const unset = await config("unset", "agent.model", "--json");
  expect(JSON.parse(unset.output)).toEqual({
    ...{ key: "agent.model", value: null, changed: true, path, needsRestart: false, warnings: [] },
  });
  await config("unset", "models.providers.house");
  expect((await written()).models.providers).toEqual({});
  const listed = JSON.parse((await config("list", "--json")).output).settings;
  expect(listed).toContainEqual({ key: "agent.maxSteps", value: 7, default: 50, from: "file" });
  expect((await readdir(home)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("what cannot stand there changes nothing and is told as at the start, for people and for programs", async () => {
  const { config, written } = await homeWith({});
  expect(await config("set", "agent.maxSteps", "many")).toEqual({
    code: 1,
    output: "",
    errors: 'Nothing was changed. agent.maxSteps is "many"; it must be a whole number from 1 to 1000.\n',
  });
  const { code, output, errors } = await config("set", "agent.maxStps", "7", "--json");
  expect({ code, output, errors: JSON.parse(errors) }).toEqual({
    code: 1,
    output: "",
    errors: {
      error: {
        code: "failed",
        message: "Nothing was changed. agent.maxStps is not a setting; did you mean agent.maxSteps?",
      },
    },
  });
  expect(await written()).toEqual({});
});

test("names that there are not are told with the ones that were meant", async () => {
  const { config, home } = await homeWith({});
  expect((await config("set", "agent.model", "antropic/claude")).errors).toBe(
    'agent.model is "antropic/claude", but there is no provider “antropic”; did you mean anthropic?\n',
  );
  expect((await config("set", "guard.tools.reed", "deny")).errors).toBe(
    "guard.tools.reed is about a tool that there is not; did you mean read?\n",
  );
  expect((await runSteward({ home, args: ["doctor"] })).output).toContain("did you mean anthropic?");
});

test("a Steward that runs is told, starts anew when asked to, and has the change on record", async () => {
  const { home, config, path } = await homeWith({});
  const daemon = spawnSteward({ home });
  onTestFinished(async () => {
    daemon.kill("SIGTERM");
    await ended(daemon);
  });
  const client = await clientOf(daemon, home);
  const { output, errors } = await config("set", "agent.name", "Ada");
  expect(output).toBe('agent.name is now "Ada".\n');
  expect(errors).toBe(
    `Steward runs with the old value (process ${daemon.pid}) until it starts anew. Do that with: steward config apply\n`,
  );
  const { events } = (await client?.call("audit.list", { types: ["settings.changed"], limit: 10 })) ?? { events: [] };
  expect(events).toMatchObject([{ keys: ["agent.name"] }]);
  expect((await config("apply")).output).toBe("Steward restarts; whatever was under way carries on.\n");
  await client?.closed;
  const again = await clientOf(daemon, home);
  expect(await again?.call("settings.get", {})).toMatchObject({ values: { agent: { name: "Ada" } }, pending: [] });
  // a file that the one that runs cannot read is mended all the same
  await writeFile(path, '{"agent": {"nam": "Ada"}}');
  const mended = JSON.parse((await config("set", "agent", '{"name": "Bea"}', "--json")).output);
  expect(mended).toMatchObject({ value: { name: "Bea" }, pid: daemon.pid, needsRestart: true });
  await again?.close();
});

test("a folder that cannot be made is told at once", async () => {
  const environment = { STEWARD_HOME: "/proc/nope" };
  const { code, errors } = await runSteward({ home: await temporaryFolder(), args: ["status"], environment });
  expect(code).toBe(1);
  expect(errors).toMatch(/^The folder \/proc\/nope cannot be made: .+ Set STEWARD_HOME to a folder that can\.\n$/);
});
