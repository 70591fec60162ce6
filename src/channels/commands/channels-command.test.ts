import { expect, test } from "vitest";
import { commandLineDeps, startFakeConsole } from "../../../tests/scenes/cli/fake-console.ts";
import { startFakeGateway } from "../../../tests/scenes/cli/fake-gateway-client.ts";
import { eventually } from "../../../tests/scenes/eventually.ts";
import { runCommandLine } from "../../cli/command-line.ts";
import { CallRefused, type GatewayClient } from "../../contract/wire/client.ts";
import { type MethodInput, type MethodName, type MethodResult, methods } from "../../contract/wire/method.ts";
import type { ShownChannel } from "../../contract/wire/methods/channels.ts";
import { channelsCommand } from "./channels-command.ts";

const nowMs = 1_000_000;
const off: ShownChannel = {
  ...{ name: "slack", title: "Slack", receives: true, groups: true, state: "off", detail: "", waiting: 0 },
  ...{ secrets: [], people: [] },
};
const telegram: ShownChannel = {
  ...off,
  ...{ name: "telegram", title: "Telegram", state: "connected", detail: "As @anns_bot.", lastProofMs: nowMs - 2000 },
  waiting: 2,
  people: [
    { id: "42", name: "Ann", from: "paired" },
    { id: "43", name: "\u001b[2JBob", from: "settings" },
  ],
};
const discord: ShownChannel = {
  ...off,
  ...{ name: "discord", title: "Discord", state: "incomplete" },
  secrets: [{ name: "DISCORD_BOT_TOKEN", found: false }],
};

type Answers = { [Name in MethodName]?: () => MethodResult<Name> };
const usual: Answers = {
  "channels.list": () => ({ channels: [telegram, off, discord], codes: 1 }),
  "channels.pair": () => ({ code: "QWERTZUI", channel: null, expiresAtMs: nowMs + 3_600_000 }),
  "channels.unpair_codes": () => ({ ok: true }),
  "channels.remove_person": () => ({ ok: true }),
  "channels.test": () => ({ ok: true, detail: "Sent." }),
  "channels.set_secret": () => ({ ok: true }),
  "channels.reconnect": () => ({ ok: true }),
};

/** Parameters are read by the real schemas, as the gateway reads them. */
function commandLine(answers: Answers = usual, options: { terminal?: boolean; isRunning?: boolean } = {}) {
  const calls: [string, unknown][] = [];
  const client: GatewayClient = {
    async call<Name extends MethodName>(name: Name, params: MethodInput<Name>) {
      calls.push([name, methods[name].params.parse(params)]);
      const answer = answers[name];
      if (!answer) throw new CallRefused("not_found", `There is no ${name}.`);
      return answer() as MethodResult<Name>;
    },
    follow: () => () => undefined,
    closed: new Promise(() => undefined),
    close: async () => undefined,
  };
  const fake = startFakeConsole(options);
  const deps = commandLineDeps(startFakeGateway(), fake.console, {
    ...{ commands: [channelsCommand], connect: async () => client },
    ...(options.isRunning === false && { findRunning: async () => undefined }),
  });
  const run = async (...argv: string[]) => {
    const code = await runCommandLine(deps, ["channels", ...argv]);
    return { code, output: fake.output(), errors: fake.errors() };
  };
  return { ...fake, run, calls };
}

test("steward channels shows how each channel stands and what waits", async () => {
  const { output, code } = await commandLine().run();
  expect(code).toBe(0);
  expect(output).toBe(
    [
      "channel   state       answered",
      "telegram  connected   just now  2 people  As @anns_bot.",
      "slack     off",
      "discord   incomplete                      needs DISCORD_BOT_TOKEN: steward channels set-token DISCORD_BOT_TOKEN",
      "Telegram: 2 messages not delivered yet.",
      "1 pairing code not used yet. Forget it: steward channels pair --forget",
      "",
    ].join("\n"),
  );
});

test("when no channel is on, it is said how one is", async () => {
  const { output } = await commandLine({ "channels.list": () => ({ channels: [off], codes: 0 }) }).run("list");
  expect(output).toContain("No channel is on. For Telegram: steward channels set-token TELEGRAM_BOT_TOKEN, then");
});

test("a pairing code is printed with what to do with it", async () => {
  const { run, calls } = commandLine();
  expect((await run("pair")).output).toBe(
    "QWERTZUI\n\nWrite this to your bot on Telegram or Discord within 1 h. Whoever does may talk there as you: keep it to yourself.\n",
  );
  await run("pair", "telegram");
  await run("pair", "--forget");
  expect(calls.filter(([name]) => name !== "channels.list")).toEqual([
    ["channels.pair", { channel: null }],
    ["channels.pair", { channel: "telegram" }],
    ["channels.unpair_codes", {}],
  ]);
});

test("a code that nobody can write anywhere yet says what to do first", async () => {
  const pair = async (channels: ShownChannel[], channel: "slack" | null, isRunning = true) => {
    const code = () => ({ code: "QWERTZUI", channel, expiresAtMs: nowMs + 3_600_000 });
    const answers = { "channels.list": () => ({ channels, codes: 1 }), "channels.pair": code };
    return (await commandLine(answers, { isRunning }).run("pair", ...(channel === null ? [] : [channel]))).output;
  };
  const email: ShownChannel = { ...telegram, name: "email", title: "Email" };
  expect(await pair([off, email], null)).toContain("No channel is on where a code could be written. For Telegram: ");
  expect(await pair([telegram, off], "slack")).toContain("Write this to your bot on Slack within 1 h.");
  expect(await pair([telegram, off], "slack")).toContain(
    "Slack is off. Switch it on first: steward config set channels.slack.enabled true, then steward config apply\n",
  );
  expect(await pair([{ ...telegram, state: "stopped" }], null, false)).toContain(
    "No Steward is running, so nothing is connected. Start one with: steward daemon\n",
  );
});

test("where no Steward is running, channels that are on are said not to run, and a token is for the next start", async () => {
  const stopped: ShownChannel = { ...off, state: "stopped", detail: "No Steward is running." };
  const answers = { ...usual, "channels.list": () => ({ channels: [stopped, discord], codes: 0 }) };
  expect((await commandLine(answers, { isRunning: false }).run()).output).toBe(
    [
      "channel  state        answered",
      "slack    not running",
      "discord  incomplete               needs DISCORD_BOT_TOKEN: steward channels set-token DISCORD_BOT_TOKEN",
      "No Steward is running, so nothing is connected. Start one with: steward daemon",
      "",
    ].join("\n"),
  );
  const piped = commandLine(usual, { isRunning: false });
  piped.type("123:abc\n");
  piped.endInput();
  expect((await piped.run("set-token", "TELEGRAM_BOT_TOKEN")).output).toBe(
    "Kept: TELEGRAM_BOT_TOKEN. No Steward is running: the next start uses it.\n",
  );
});

test("who may talk is listed with nothing in it that moves the terminal's cursor", async () => {
  const { output } = await commandLine().run("people");
  expect(output.split("\n").slice(1, 3)).toEqual([
    "telegram  42  Ann   let in by a code",
    "telegram  43  Bob   named in the settings",
  ]);
  expect((await commandLine().run("people", "slack")).output).toMatch(
    /^Nobody yet\. Let yourself in: steward channels pair/,
  );
});

test("somebody is removed, a line is tried, a connection made anew", async () => {
  const { run, calls } = commandLine();
  await run("remove", "telegram", "42");
  await run("test", "telegram");
  expect((await run("reconnect", "telegram")).output).toBe(
    "Removed: 42 is a stranger on telegram now. What went on in their chat is stopped.\nSent.\nReconnecting. How it stands: steward channels\n",
  );
  expect(calls).toEqual([
    ["channels.remove_person", { channel: "telegram", person: "42" }],
    ["channels.test", { channel: "telegram" }],
    ["channels.reconnect", { channel: "telegram" }],
  ]);
});

test("a test that fails ends with 1", async () => {
  const detail = "The chat was not found.";
  const { run } = commandLine({ "channels.test": () => ({ ok: false, detail }) });
  expect(await run("test", "telegram")).toMatchObject({ code: 1, output: `${detail}\n` });
});

test("a token is piped in, or typed without being shown", async () => {
  const piped = commandLine();
  piped.type("123:abc\n");
  piped.endInput();
  expect(await piped.run("set-token", "TELEGRAM_BOT_TOKEN")).toEqual({
    ...{ code: 0, errors: "" },
    output: "Kept: TELEGRAM_BOT_TOKEN. It is in force after: steward config apply\n",
  });
  const typed = commandLine(usual, { terminal: true });
  const done = typed.run("set-token", "TELEGRAM_BOT_TOKEN");
  await eventually(() => typed.errors().includes("TELEGRAM_BOT_TOKEN: "));
  typed.type("123:abx\u007fc\r");
  const { output, errors } = await done;
  expect(`${output}${errors}`).not.toContain("123");
  for (const { calls } of [piped, typed])
    expect(calls).toEqual([["channels.set_secret", { name: "TELEGRAM_BOT_TOKEN", value: "123:abc" }]]);
});

test("Ctrl+C or an empty input keeps nothing", async () => {
  const typed = commandLine(usual, { terminal: true });
  const done = typed.run("set-token", "NTFY_TOKEN");
  await eventually(() => typed.errors().includes("NTFY_TOKEN: "));
  typed.type("123\u0003");
  expect(await done).toMatchObject({ code: 1, errors: expect.stringContaining("Stopped. Nothing was kept.") });
  const piped = commandLine();
  piped.endInput();
  expect(await piped.run("set-token", "NTFY_TOKEN")).toMatchObject({
    code: 1,
    errors: expect.stringContaining("Nothing came in"),
  });
  const lines = commandLine();
  lines.type("one\ntwo\n");
  lines.endInput();
  expect(await lines.run("set-token", "NTFY_TOKEN")).toMatchObject({
    code: 1,
    errors: expect.stringContaining("no token"),
  });
  expect([...typed.calls, ...piped.calls, ...lines.calls]).toEqual([]);
});

test("a channel that does not exist is refused before anything is asked", async () => {
  const { run, calls } = commandLine();
  expect((await run("test", "telegramm")).code).not.toBe(0);
  expect(calls).toEqual([]);
});

test.each([
  [["list"], { channels: [{ name: "telegram" }, {}, {}], codes: 1 }],
  [["pair"], { code: "QWERTZUI", channel: null }],
  [["pair", "--forget"], { forgotten: true }],
  [["people"], { people: [{ channel: "telegram", id: "42", name: "Ann", from: "paired" }, { id: "43" }] }],
  [["remove", "telegram", "42"], { channel: "telegram", person: "42", removed: true }],
  [["test", "telegram"], { ok: true, detail: "Sent." }],
  [["reconnect", "telegram"], { channel: "telegram", reconnecting: true }],
])("steward channels %j --json prints one object", async (argv, expected) => {
  const { code, output, errors } = await commandLine().run(...argv, "--json");
  expect({ code, errors, printed: JSON.parse(output) }).toMatchObject({ code: 0, errors: "", printed: expected });
});
