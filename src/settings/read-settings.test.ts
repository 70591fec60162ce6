import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Failure } from "../contract/failure.ts";
import { Settings } from "../contract/settings.ts";
import { readSettings } from "./read-settings.ts";

let folder: string;
let home: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "steward-settings-"));
  home = join(folder, "home");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("the first run makes a private folder with a readable file of all defaults", async () => {
  const read = await readSettings({ home, environment: {} });
  const text = await readFile(read.path, "utf8");
  expect(read).toMatchObject({ settings: Settings.parse({}), created: true, warnings: [] });
  expect(JSON.parse(text)).toEqual(Settings.parse({}));
  expect(text).toContain('\n  "agent": {\n    "name": "Steward"');
  expect((await stat(home)).mode & 0o777).toBe(0o700);
  expect((await stat(read.path)).mode & 0o777).toBe(0o600);
  expect(await readdir(home)).toEqual(["config.json"]);
});

test("no host and no destination is trusted unless the owner has named it", async () => {
  const { settings } = await readSettings({ home, environment: {} });
  const { allowedHosts, trustedDestinations, vouchedFor } = settings.guard;
  expect([allowedHosts, trustedDestinations, vouchedFor, settings.sandbox.allowedHosts]).toEqual([[], [], [], []]);
});

test("an existing file is never rewritten, and keys that it lacks have their defaults", async () => {
  const text = '{ "agent": {"maxSteps": 7} }';
  const read = await withFile(text);
  expect(read.settings).toMatchObject({ agent: { maxSteps: 7, name: "Steward" }, queue: { maxWaiting: 20 } });
  expect(read.created).toBe(false);
  expect(await readFile(read.path, "utf8")).toBe(text);
});

test("twenty first runs at the same moment agree on one whole file", async () => {
  const reads = await Promise.all(Array.from({ length: 20 }, () => readSettings({ home, environment: {} })));
  expect(reads.filter((read) => read.created)).toHaveLength(1);
  expect(await readdir(home)).toEqual(["config.json"]);
});

test("the environment overrides the file by the key's name in upper case", async () => {
  const read = await withFile('{"agent": {"maxSteps": 7, "name": "Ada"}}', {
    STEWARD_HOME: home,
    STEWARD_AGENT_MAX_STEPS: "9",
    STEWARD_AGENT_FALLBACK_MODELS: '["openai/gpt-5"]',
    STEWARD_MODELS_PROVIDERS: '{"box": {"kind": "openai-compatible"}}',
    STEWARD_MODELS_PROBE_LOCAL: "false",
    STEWARD_APPROVALS_EXPIRE_AFTER_HOURS: "0.5",
    STEWARD_WORKSPACE_PATH: "/srv/agent",
    STEWARD_LOGS_LEVEL: "",
    PATH: "/bin",
  });
  expect(read.settings).toMatchObject({
    agent: { maxSteps: 9, name: "Ada", fallbackModels: ["openai/gpt-5"] },
    models: { providers: { box: { kind: "openai-compatible" } }, probeLocal: false },
    approvals: { expireAfterHours: 0.5 },
    workspace: { path: "/srv/agent" },
    logs: { level: "info" },
  });
  expect(read.warnings).toEqual([]);
});

test("null in the environment takes back what the file sets", async () => {
  const read = await withFile('{"agent": {"model": "openai/gpt-5"}}', { STEWARD_AGENT_MODEL: "null" });
  expect(read.settings.agent.model).toBe(null);
});

test("an unknown STEWARD_ variable is ignored with a warning that names the likely one", async () => {
  const read = await withFile("{}", { STEWARD_AGENT_MAXSTEPS: "9", STEWARD_QQQQQQQQ: "1" });
  expect(read.warnings).toEqual([
    "STEWARD_AGENT_MAXSTEPS is not a setting and is ignored; did you mean STEWARD_AGENT_MAX_STEPS?",
    "STEWARD_QQQQQQQQ is not a setting and is ignored",
  ]);
});

test.each([
  ['{"agent": {"modle": "openai/gpt-5"}}', "agent.modle is not a setting; did you mean agent.model?"],
  ['{"agnet": {}}', "agnet is not a setting; did you mean agent?"],
  ['{"maxSteps": 3}', "maxSteps is not a setting; did you mean agent.maxSteps?"],
  ['{"logs": {"zzzzzzzz": 1}}', "logs.zzzzzzzz is not a setting; logs may hold: logs.level, logs.keepDays"],
  ['{"agent": {"maxSteps": "many"}}', 'agent.maxSteps is "many"; it must be a whole number from 1 to 1000'],
  ['{"agent": {"maxSteps": 0}}', "agent.maxSteps is 0; it must be a whole number from 1 to 1000"],
  ['{"agent": {"name": ""}}', 'agent.name is ""; it must be text of 1 to 40 characters'],
  ['{"agent": {"thinking": "huge"}}', 'agent.thinking is "huge"; it must be one of "off", "low", "medium"'],
  ['{"agent": {"model": "gpt"}}', 'agent.model is "gpt"; a model is named provider/model, such as'],
  ['{"agent": null}', "agent is null; it must be an object of name, model"],
  ['{"agent": {"fallbackModels": ["x"]}}', 'agent.fallbackModels.0 is "x"; a model is named provider/model'],
  ['{"queue": []}', "queue is []; it must be an object of maxWaiting"],
  ['{"approvals": {"expireAfterHours": 0}}', "expireAfterHours is 0; it must be a number above 0 and at most 8760"],
  ['{"models": {"providers": {"box": {}}}}', 'models.providers.box.kind is missing; it must be one of "anthropic"'],
  ['{"models": {"providers": {"box": {"kind": "openai", "url": "x"}}}}', "models.providers.box.url is not a setting"],
  ['{"models": {"providers": {"A B": {"kind": "openai"}}}}', '"A B" in models.providers is not a usable name'],
  ["[]", "the whole file is []; it must be an object of agent, models"],
])("a file with %s is refused with the key, the value and what is allowed", async (text, message) => {
  const failure = await failureOf(withFile(text));
  expect(failure).toBeInstanceOf(Failure);
  expect(failure.message).toContain(`${join(home, "config.json")}: `);
  expect(failure.message).toContain(message);
});

test("all problems of the file and the environment are told at once", async () => {
  const failure = await failureOf(
    withFile('{"agent": {"modle": 1}, "logs": {"level": "loud"}}', {
      STEWARD_AGENT_MAX_STEPS: "many",
      STEWARD_QUEUE_WHEN_BUSY: "panic",
      STEWARD_MODELS_PROVIDERS: "{box}",
    }),
  );
  expect(failure.message.split("\n")).toEqual([
    `The settings are not usable; ${join(home, "config.json")} and the environment have 5 problems:`,
    expect.stringContaining("config.json: agent.modle is not a setting"),
    expect.stringContaining('config.json: logs.level is "loud"; it must be one of'),
    expect.stringContaining('STEWARD_AGENT_MAX_STEPS: agent.maxSteps is "many"; it must be a whole number from 1 to'),
    expect.stringContaining('STEWARD_MODELS_PROVIDERS: models.providers is "{box}"; it must be an object'),
    expect.stringContaining('STEWARD_QUEUE_WHEN_BUSY: queue.whenBusy is "panic"; it must be one of "steer", "wait"'),
  ]);
});

test("a secret under an unknown key is not repeated in the message", async () => {
  const failure = await failureOf(
    withFile('{"models": {"providers": {"box": {"kind": "openai", "apiKey": "sk-very-secret"}}}}'),
  );
  expect(failure.message).toContain("apiKey is not a setting; did you mean models.providers.box.apiKeyEnv?");
  expect(failure.message).not.toContain("sk-very-secret");
});

test("broken JSON is told with line and column", async () => {
  const failure = await failureOf(withFile('{\n  "agent": {\n    "maxSteps": 3,\n  }\n}\n'));
  expect(failure.message).toContain("config.json is not valid JSON at line 4, column 3: a key in double quotes is");
});

test("a file that is not UTF-8 is refused", async () => {
  const failure = await failureOf(withFile(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])));
  expect(failure.message).toContain("config.json cannot be read");
});

test("a byte order mark at the start does no harm", async () => {
  expect((await withFile('\uFEFF{"agent": {"maxSteps": 7}}')).settings.agent.maxSteps).toBe(7);
});

test("keys that reach for the prototype change nothing", async () => {
  const failure = await failureOf(withFile('{"constructor": {"prototype": {"agent": 1}}}'));
  expect(failure.message).toContain("constructor is not a setting");
});

test("a link that leads nowhere is told, not replaced", async () => {
  await mkdir(home, { mode: 0o700 });
  await symlink(join(folder, "nowhere.json"), join(home, "config.json"));
  const failure = await failureOf(readSettings({ home, environment: {} }));
  expect(failure.message).toContain("config.json cannot be read");
});

test("a folder that others can open is told", async () => {
  await mkdir(home);
  await chmod(home, 0o755);
  const read = await readSettings({ home, environment: {} });
  expect(read.warnings).toEqual([expect.stringContaining(`chmod 700 ${home}`)]);
});

test("a home that cannot be a folder is told with what to do", async () => {
  await writeFile(home, "");
  const failure = await failureOf(readSettings({ home, environment: {} }));
  expect(failure.message).toContain("Set STEWARD_HOME");
});

async function withFile(content: string | Buffer, environment: Record<string, string> = {}) {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await writeFile(join(home, "config.json"), content);
  return await readSettings({ home, environment });
}

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    () => expect.unreachable("it should have failed"),
    (error: Error) => error,
  );
}
