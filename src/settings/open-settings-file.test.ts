import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/scenes/temporary-folder.ts";
import { Settings } from "../contract/settings.ts";
import { openSettingsFile } from "./open-settings-file.ts";
import { readSettings } from "./read-settings.ts";

async function fileWith(content: unknown, environment: Record<string, string> = {}) {
  const home = await temporaryFolder();
  await writeFile(join(home, "config.json"), typeof content === "string" ? content : JSON.stringify(content));
  const { settings } = await readSettings({ home, environment });
  const file = openSettingsFile({ home, environment, running: settings });
  const { revision } = await file.read();
  const text = () => readFile(join(home, "config.json"), "utf8");
  const saved = async () => JSON.parse(await text());
  return { home, file, revision, text, saved };
}

test("a changed key is written in a readable file that only the owner can open, and everything else stays", async () => {
  const { home, file, revision, text } = await fileWith({ logs: { keepDays: 7 }, agent: { name: "Ada" } });
  await chmod(join(home, "config.json"), 0o644);
  const outcome = await file.save(revision, [{ key: "agent.maxSteps", value: 9 }]);
  expect(outcome).toMatchObject({ kind: "saved", changedKeys: ["agent.maxSteps"] });
  expect(await text()).toBe(
    '{\n  "logs": {\n    "keepDays": 7\n  },\n  "agent": {\n    "name": "Ada",\n    "maxSteps": 9\n  }\n}\n',
  );
  expect((await stat(join(home, "config.json"))).mode & 0o777).toBe(0o600);
  expect(await readdir(home)).toEqual(["config.json"]);
});

test("entries of records are set and taken out by their name, also where the name holds dots", async () => {
  const { file, revision, saved } = await fileWith({});
  await file.save(revision, [
    { key: "guard.tools.bash", value: "deny" },
    { key: "models.providers.box.kind", value: "openai-compatible" },
    { key: "models.prices.openai/gpt-6.1-sol.input", value: 2 },
    { key: "models.prices.openai/gpt-6.1-sol.output", value: 8 },
    { key: "sandbox.credentials.api.example.com", value: { header: "x-key", valueEnv: "A" } },
    { key: "sandbox.credentials.api.example.com.valueEnv", value: "B" },
  ]);
  expect(await saved()).toEqual({
    guard: { tools: { bash: "deny" } },
    models: {
      providers: { box: { kind: "openai-compatible" } },
      prices: { "openai/gpt-6.1-sol": { input: 2, output: 8 } },
    },
    sandbox: { credentials: { "api.example.com": { header: "x-key", valueEnv: "B" } } },
  });
  await file.save(undefined, [{ key: "guard.tools.bash", value: null }]);
  expect((await saved()).guard.tools).toEqual({});
});

test("null takes the default back where null cannot stand, and is a value where it can", async () => {
  const { file, revision, saved } = await fileWith({ agent: { maxSteps: 9, model: "openai/gpt-5" } });
  await file.save(revision, [
    { key: "agent.maxSteps", value: null },
    { key: "agent.model", value: null },
  ]);
  expect(await saved()).toEqual({ agent: { model: null } });
});

test("one bad value keeps all changes back and is told in the words that a bad file gets", async () => {
  const { home, file, revision, text } = await fileWith({ agent: { name: "Ada" } });
  const before = await text();
  const outcome = await file.save(revision, [
    { key: "logs.keepDays", value: 3 },
    { key: "agent.maxSteps", value: 0 },
    { key: "agent.fallbackModels", value: ["openai/gpt-5", "nonsense"] },
    { key: "guard.tools.bash", value: "never" },
  ]);
  expect(outcome).toEqual({
    kind: "problems",
    revision,
    problems: [
      {
        key: "agent.fallbackModels",
        message:
          'agent.fallbackModels.1 is "nonsense"; a model is named provider/model, such as anthropic/claude-sonnet-4-5',
      },
      { key: "agent.maxSteps", message: "agent.maxSteps is 0; it must be a whole number from 1 to 1000" },
      { key: "guard.tools.bash", message: 'guard.tools.bash is "never"; it must be one of "allow", "ask", "deny"' },
    ],
  });
  expect(await text()).toBe(before);
  await writeFile(join(home, "config.json"), '{"agent": {"maxSteps": 0}}');
  await expect(readSettings({ home, environment: {} })).rejects.toThrow(
    "agent.maxSteps is 0; it must be a whole number from 1 to 1000",
  );
});

test.each([
  ["agent.nmae", "agent.nmae is not a setting; did you mean agent.name?"],
  ["maxSteps", "maxSteps is not a setting; did you mean agent.maxSteps?"],
  ["agent.__proto__", "agent.__proto__ is not a setting"],
  ["__proto__.polluted", "__proto__.polluted is not a setting"],
  ["guard.tools.__proto__", "guard.tools.__proto__ is not a setting"],
  ["agent.constructor.prototype", "agent.constructor.prototype is not a setting"],
  ["", " is not a setting"],
])("%j is no key, and the answer says which is likely meant", async (key, words) => {
  const { file, revision, text } = await fileWith({});
  const outcome = await file.save(revision, [{ key, value: "x" }]);
  expect(outcome).toMatchObject({ kind: "problems", problems: [{ key, message: expect.stringContaining(words) }] });
  expect(await text()).toBe("{}");
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("a save that names an older revision changes nothing", async () => {
  const { home, file, revision, text } = await fileWith({});
  await writeFile(join(home, "config.json"), '{"agent": {"name": "Ada"}}');
  const outcome = await file.save(revision, [{ key: "agent.maxSteps", value: 9 }]);
  expect(outcome.kind).toBe("conflict");
  expect(await text()).toBe('{"agent": {"name": "Ada"}}');
});

test("of twenty saves at the same moment with the same revision one is written", async () => {
  const { file, revision, saved } = await fileWith({});
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, at) => file.save(revision, [{ key: "agent.maxSteps", value: at + 2 }])),
  );
  expect(outcomes.filter(({ kind }) => kind === "saved")).toHaveLength(1);
  expect(await saved()).toEqual({ agent: { maxSteps: 2 } });
});

test("whoever reads the file while it is saved over and over finds it whole every time", async () => {
  const { home, file } = await fileWith({ agent: { name: "x".repeat(40) } });
  let saving = true;
  const reader = (async () => {
    let reads = 0;
    for (; saving; reads++) await readSettings({ home, environment: {} });
    return reads;
  })();
  for (let at = 0; at < 50; at++) await file.save(undefined, [{ key: "agent.maxSteps", value: (at % 900) + 1 }]);
  saving = false;
  expect(await reader).toBeGreaterThan(10);
  expect(await readdir(home)).toEqual(["config.json"]);
});

test("saying what stands there already writes nothing", async () => {
  const { file, revision, text } = await fileWith('{ "agent": {"maxSteps": 9} }');
  const outcome = await file.save(revision, [{ key: "agent.maxSteps", value: 9 }]);
  expect(outcome).toEqual({ kind: "saved", revision, changedKeys: [] });
  expect(await text()).toBe('{ "agent": {"maxSteps": 9} }');
});

test("reading gives values with defaults, who overrides what, and what waits for the next start", async () => {
  const environment = { STEWARD_AGENT_NAME: "Jeeves" };
  const { file, revision } = await fileWith({ agent: { name: "Ada" } }, environment);
  await file.save(revision, [
    { key: "agent.name", value: "Bob" },
    { key: "guard.tools.bash", value: "ask" },
  ]);
  const read = await file.read();
  expect(read.values).toEqual(Settings.parse({ agent: { name: "Bob" }, guard: { tools: { bash: "ask" } } }));
  expect(read.next.agent.name).toBe("Jeeves");
  expect(read.overridden).toEqual({ "agent.name": "STEWARD_AGENT_NAME" });
  expect(read.pending).toEqual(["guard.tools"]);
  expect(read.revision).not.toBe(revision);
});

test("the schema has the description and the default of every setting", async () => {
  const { schema } = await (await fileWith({})).file.read();
  expect(schema).toMatchObject({
    properties: { agent: { properties: { maxSteps: { default: 50, description: expect.stringContaining("turn") } } } },
  });
});

test("a file that was edited into nonsense is refused with the line of the mistake, and is left alone", async () => {
  const { home, file, text } = await fileWith({});
  await writeFile(join(home, "config.json"), '{\n  "agent": {,}\n}');
  await expect(file.read()).rejects.toThrow("config.json is not valid JSON at line 2");
  await expect(file.save(undefined, [{ key: "agent.name", value: "Ada" }])).rejects.toThrow("not valid JSON");
  expect(await text()).toBe('{\n  "agent": {,}\n}');
});

test("a file that some editor began with a byte order mark is read and saved like any other", async () => {
  const { file, revision, saved } = await fileWith('\uFEFF{"agent": {"name": "Ada"}}');
  await file.save(revision, [{ key: "agent.maxSteps", value: 9 }]);
  expect(await saved()).toEqual({ agent: { name: "Ada", maxSteps: 9 } });
});

test("a save may mend a file that is not usable as it stands", async () => {
  const { home, file, saved } = await fileWith({});
  await writeFile(join(home, "config.json"), '{"agent": {"maxSteps": 0}}');
  await expect(file.read()).rejects.toThrow("agent.maxSteps is 0; it must be a whole number from 1 to 1000");
  expect(await file.save(undefined, [{ key: "agent.maxSteps", value: 9 }])).toMatchObject({ kind: "saved" });
  expect(await saved()).toEqual({ agent: { maxSteps: 9 } });
});

test("a file that is a link stays one, and what it leads to is changed", async () => {
  const { home, file, revision } = await fileWith({});
  const elsewhere = join(home, "dotfiles");
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, "steward.json"), "{}");
  await rm(join(home, "config.json"));
  await symlink(join(elsewhere, "steward.json"), join(home, "config.json"));
  await file.save(revision, [{ key: "agent.name", value: "Ada" }]);
  expect((await lstat(join(home, "config.json"))).isSymbolicLink()).toBe(true);
  expect(JSON.parse(await readFile(join(elsewhere, "steward.json"), "utf8"))).toEqual({ agent: { name: "Ada" } });
});

test("the settings that a save has written are what the next start reads", async () => {
  const { home, file, revision } = await fileWith({});
  await file.save(revision, [{ key: "agent.model", value: "ollama/qwen3:8b" }]);
  expect((await readSettings({ home, environment: {} })).settings.agent.model).toBe("ollama/qwen3:8b");
});
