// Settings and the connecting of a model as a client sees them: the real file, the real keys, a model server on the wire.
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { EventOf } from "../../../src/contract/event.ts";
import { serveMethods } from "../../../src/contract/room/room-methods.ts";
import type { Caller } from "../../../src/contract/wire/caller.ts";
import { type MethodName, type MethodResult, methods } from "../../../src/contract/wire/method.ts";
import { activityMethods } from "../../../src/contract/wire/methods/activity.ts";
import { settingsMethods } from "../../../src/contract/wire/methods/settings.ts";
import { callMethod } from "../../../src/gateway/call-method.ts";
import { serveActivity } from "../../../src/gateway/methods/activity-methods.ts";
import { openModelSetup } from "../../../src/models/choice/model-setup.ts";
import { openAuthFile } from "../../../src/settings/auth-file.ts";
import { openSettingsFile } from "../../../src/settings/open-settings-file.ts";
import { readSettings } from "../../../src/settings/read-settings.ts";
import { serveSettings } from "../../../src/settings/settings-methods.ts";
import { openSqliteMessageSearch } from "../../../src/store/search/search-messages.ts";
import { startFakeModelServer } from "../../fakes/model/fake-model-server.ts";
import { messageReceived, storeIn } from "../../scenes/stores.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

const owner: Caller = { sender: { kind: "owner", id: "owner" }, scope: "owner" };

async function assistantWith(
  options: { config?: unknown; environment?: Record<string, string>; chosen?: string } = {},
) {
  const home = await temporaryFolder();
  const environment = options.environment ?? {};
  if (options.config) await writeFile(join(home, "config.json"), JSON.stringify(options.config));
  const { settings } = await readSettings({ home, environment });
  const store = await storeIn(home);
  const settingsFile = openSettingsFile({ home, environment, running: settings });
  const authFile = openAuthFile({ home });
  const hidden: string[] = [];
  const restarts: string[] = [];
  const search = openSqliteMessageSearch({ ...store, onTrouble: (message) => expect.unreachable(message) });
  onTestFinished(() => search.close());
  const redact = (text: string) => hidden.reduce((left, value) => left.replaceAll(value, "***"), text);
  const served = {
    ...serveMethods(
      settingsMethods,
      serveSettings({
        settingsFile,
        authFile,
        modelSetup: openModelSetup({
          settings: async () => (await settingsFile.read()).next,
          storedKeys: async () => (await authFile.read()).keys,
          environment,
          fetch,
          nowMs: Date.now,
          redact,
          localPorts: { ollama: 1, lmstudio: 1, llamacpp: 1 },
        }),
        chosenModel: async () => options.chosen ?? "offline/rules",
        toolNames: async () => ["bash", "read"],
        append: (events) => store.log.append(events),
        hideValues: (values) => hidden.push(...values),
        restart: () => restarts.push("restarted"),
        end: () => restarts.push("ended"),
      }),
    ),
    ...serveMethods(
      activityMethods,
      serveActivity({
        database: store.database,
        search,
        flush: store.flush,
        auditFolder: join(home, "audit"),
        logsFolder: join(home, "logs"),
        redact,
      }),
    ),
  };
  const call = async <Name extends MethodName>(name: Name, params: unknown = {}, caller = owner) =>
    (await callMethod(served, caller, name, params)) as MethodResult<Name>;
  const changed = async () =>
    (await store.log.since(0, 100)).filter(
      (event): event is EventOf<"settings.changed"> => event.type === "settings.changed",
    );
  const config = async () => JSON.parse(await readFile(join(home, "config.json"), "utf8"));
  return { home, store, call, changed, config, restarts, hidden };
}

test("a saved setting is in the file and waits for the restart, and the log says which key and nothing more", async () => {
  const { call, changed, config } = await assistantWith({ config: { agent: { name: "Ada" } } });
  const { revision, values, pending } = await call("settings.get");
  expect(values).toMatchObject({ agent: { name: "Ada", maxSteps: 50 } });
  expect(pending).toEqual([]);
  const answer = await call("settings.set", { revision, changes: [{ key: "agent.name", value: "Grace Hopper" }] });
  expect(answer).toMatchObject({ saved: true, problems: [] });
  expect(await config()).toEqual({ agent: { name: "Grace Hopper" } });
  expect(await call("settings.get")).toMatchObject({ revision: answer.revision, pending: ["agent.name"] });
  const events = await changed();
  expect(events).toMatchObject([{ conversation: "steward--house", keys: ["agent.name"], by: { kind: "owner" } }]);
  expect(JSON.stringify(events)).not.toContain("Grace");
});

test("a bad value comes back beside its key, nothing is saved and nothing is logged", async () => {
  const { call, changed, config } = await assistantWith({ config: {} });
  const { revision } = await call("settings.get");
  const changes = [
    { key: "agent.maxSteps", value: "many" },
    { key: "agent.nmae", value: "Ada" },
    { key: "logs.keepDays", value: 3 },
  ];
  expect(await call("settings.set", { revision, changes })).toEqual({
    saved: false,
    revision,
    problems: [
      { key: "agent.nmae", message: "agent.nmae is not a setting; did you mean agent.name?" },
      { key: "agent.maxSteps", message: 'agent.maxSteps is "many"; it must be a whole number from 1 to 1000' },
    ],
  });
  expect(await config()).toEqual({});
  expect(await changed()).toEqual([]);
});

test("a save over somebody else's save is refused", async () => {
  const { call } = await assistantWith({ config: {} });
  const { revision } = await call("settings.get");
  await call("settings.set", { revision, changes: [{ key: "agent.name", value: "Ada" }] });
  const late = call("settings.set", { revision, changes: [{ key: "agent.name", value: "Bob" }] });
  await expect(late).rejects.toMatchObject({ code: "conflict" });
});

test.each(["read", "approve", "task"] as const)(
  "a token of the scope %s reaches no setting and no key",
  async (scope) => {
    const { call, config } = await assistantWith({ config: {} });
    const caller: Caller = { sender: { kind: "owner", id: "owner" }, scope, conversation: "terminal--default" };
    const choice = { provider: "openai", model: "openai/x", apiKey: "k" };
    const attempts: [MethodName, unknown][] = [
      ["settings.get", {}],
      ["settings.set", { revision: "", changes: [{ key: "guard.mode", value: "auto" }] }],
      ["settings.apply", {}],
      ["program.stop", {}],
      ["setup.status", {}],
      ["models.test", choice],
      ["models.connect", choice],
      ["logs.tail", {}],
    ];
    for (const [name, params] of attempts)
      await expect(call(name, params, caller)).rejects.toMatchObject({ code: "forbidden" });
    expect(await config()).toEqual({});
  },
);

test("the assistant restarts after the answer, and not at all with a file that it could not open again", async () => {
  const { home, call, restarts } = await assistantWith({ config: {} });
  expect(await call("settings.apply")).toEqual({ ok: true });
  expect(restarts).toEqual([]);
  await new Promise((done) => setImmediate(done));
  expect(restarts).toEqual(["restarted"]);
  await writeFile(join(home, "config.json"), '{"agent": {"maxSteps": 0}}');
  await expect(call("settings.apply")).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("agent.maxSteps is 0; it must be a whole number from 1 to 1000"),
  });
  await new Promise((done) => setImmediate(done));
  expect(restarts).toEqual(["restarted"]);
});

test("the first visit: nothing is connected, a model is tested without a trace, then connected", async () => {
  const server = await startFakeModelServer({ answers: () => ({ text: "Hello, I am right here." }) });
  onTestFinished(() => server.close());
  const { home, call, changed, config, hidden } = await assistantWith({ config: {} });
  expect(await call("setup.status")).toMatchObject({ done: false, chosen: "offline/rules" });
  const choice = { provider: "box", model: "box/llama", apiKey: "sk-very-secret", baseUrl: `${server.url}/v1` };

  expect(await call("models.test", choice)).toMatchObject({ ok: true, text: "Hello, I am right here." });
  expect(await config()).toEqual({});
  expect(await readdir(home)).not.toContain("auth.json");

  expect(await call("models.connect", choice)).toEqual({ ok: true });
  expect(await config()).toEqual({
    agent: { model: "box/llama" },
    models: { providers: { box: { kind: "openai-compatible", baseUrl: `${server.url}/v1` } } },
  });
  expect(JSON.parse(await readFile(join(home, "auth.json"), "utf8"))).toEqual({ box: "sk-very-secret" });
  expect((await stat(join(home, "auth.json"))).mode & 0o777).toBe(0o600);
  expect(await changed()).toMatchObject([{ keys: ["agent.model", "models.providers.box", "auth.box"] }]);
  expect(JSON.stringify(await changed())).not.toContain("sk-very");
  expect(hidden).toEqual(["sk-very-secret"]);
  const { providers } = await call("setup.status");
  expect(providers.find(({ id }) => id === "box")).toMatchObject({ keyFrom: "auth.json", models: ["box/llama"] });
});

test("a model cannot be connected without its key, or with a settings file that is broken", async () => {
  const { home, call } = await assistantWith({ config: {} });
  await expect(call("models.connect", { provider: "openai", model: "openai/x" })).rejects.toMatchObject({
    code: "invalid",
    message: "openai needs a key, and none is known yet.",
  });
  await writeFile(join(home, "config.json"), "{");
  const choice = { provider: "openai", model: "openai/x", apiKey: "sk" };
  await expect(call("models.connect", choice)).rejects.toMatchObject({ code: "conflict" });
  expect(await readdir(home)).not.toContain("auth.json");
});

test("setup is done when a model other than the offline one is chosen", async () => {
  const { call } = await assistantWith({ chosen: "ollama/qwen3" });
  expect(await call("setup.status")).toMatchObject({ done: true, chosen: "ollama/qwen3" });
});

test("what was said is found, and what happened is listed and proven whole", async () => {
  const { store, call } = await assistantWith();
  await store.log.append([messageReceived("Where is the harbour?"), messageReceived("And the pier?")]);
  expect(await call("sessions.search", { query: "harb" })).toMatchObject({
    hits: [{ sessionKey: "terminal--default", who: "person", snippet: "Where is the harbour?", seq: 1 }],
  });
  expect(await call("audit.list", { limit: 1 })).toMatchObject({ events: [{ seq: 2 }], more: true, nextBeforeSeq: 2 });
  expect(await call("audit.list", { limit: 1, beforeSeq: 2 })).toMatchObject({ events: [{ seq: 1 }], more: false });
  expect(await call("audit.verify")).toEqual({ ok: true, lines: 2, problems: [] });
});

test("a changed line of the audit log is named", async () => {
  const { home, store, call } = await assistantWith();
  await store.log.append([messageReceived("one"), messageReceived("two")]);
  await call("audit.verify");
  const [file] = await readdir(join(home, "audit"));
  const path = join(home, "audit", file ?? "");
  await writeFile(path, (await readFile(path, "utf8")).replace('"one"', '"won"'));
  const { ok, problems } = await call("audit.verify");
  expect(ok).toBe(false);
  expect(problems).toContain(`${file} line 1 was changed`);
});

test("everything that is answered fits what the contract promises", async () => {
  const { store, call } = await assistantWith({ environment: { STEWARD_AGENT_NAME: "Ada", OPENAI_API_KEY: "sk" } });
  await store.log.append([messageReceived("one")]);
  for (const name of ["settings.get", "setup.status", "audit.list", "audit.verify", "logs.tail"] as const)
    expect(methods[name].result.safeParse(await call(name)).error).toBeUndefined();
});
