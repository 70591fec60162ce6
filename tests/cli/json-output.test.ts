import { expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { listCommands } from "../../src/cli/commands/list-commands.ts";
import type { Command } from "../../src/contract/room/command.ts";
import { CallRefused } from "../../src/contract/wire/client.ts";
import { rooms } from "../../src/rooms.ts";
import { commandLineDeps, startFakeConsole } from "../scenes/cli/fake-console.ts";
import { startFakeGateway } from "../scenes/cli/fake-gateway-client.ts";

const commands = rooms.flatMap((room): readonly Command[] => room.commands ?? []);

async function steward(...argv: string[]) {
  const gateway = startFakeGateway();
  const fake = startFakeConsole();
  fake.endInput();
  gateway.refuse("usage.get", new CallRefused("forbidden", "Only the owner may see this."));
  const doctor = async () => ({ findings: [{ ok: false, name: "sandbox", detail: "missing", next: "install it" }] });
  const code = await runCommandLine(commandLineDeps(gateway, fake.console, { commands, doctor }), argv);
  return { code, output: fake.output(), errors: fake.errors() };
}

test("every command has --json but those whose output is a chat, a text or JSON already", () => {
  const { console } = startFakeConsole();
  const without = listCommands(commandLineDeps(startFakeGateway(), console, { commands })).flatMap((command) =>
    ("commands" in command ? command.commands : [command])
      .filter(({ options = [] }) => !options.some(({ form }) => form === "--json"))
      .map(({ name }) => ("commands" in command ? `${command.name} ${name}` : name)),
  );
  expect(without).toEqual([
    ...["chat", "daemon"],
    ...["completions", "config docs"],
    ...["guard shell", "guard redact", "guard url"],
  ]);
});

test.each([
  [["status"], { status: "ok" }],
  [["sessions"], { sessions: [] }],
  [["models"], { chosen: "offline/rules" }],
  [["approvals"], { approvals: [] }],
  [["undo"], { undone: true }],
  [["open", "--print"], { url: "http://127.0.0.1:18789/#code=abc", opened: false }],
  [["config"], { path: "/home/ann/.steward/config.json", settings: { agent: { name: "Jeeves" } }, warnings: [] }],
  [["config", "path"], { path: "/home/ann/.steward/config.json" }],
  [["guard", "explain", "ls"], { command: "ls", verdict: "allow" }],
])("steward %j --json prints one object and nothing beside it", async (argv, expected) => {
  const { code, output, errors } = await steward(...argv, "--json");
  expect({ code, errors, printed: JSON.parse(output) }).toMatchObject({ code: 0, errors: "", printed: expected });
});

test("doctor --json has every finding, and ends with 1 when one is bad", async () => {
  const { code, output } = await steward("doctor", "--json");
  expect({ code, ...JSON.parse(output) }).toMatchObject({ code: 1, broken: 1, findings: [{ name: "sandbox" }] });
});

test.each([
  [["usage"], 1, { code: "forbidden", message: "Only the owner may see this." }],
  [["undo", "--session", "a b"], 1, { code: "failed", message: expect.stringContaining("“a b” cannot name") }],
  [["sessions", "--nope"], 2, { code: "usage", message: expect.stringContaining("steward sessions --help") }],
  [
    ["token", "creat"],
    2,
    { code: "usage", message: expect.stringContaining("mean create? What there is: steward token --help") },
  ],
])("steward %j --json tells its failure as JSON on the errors", async (argv, code, error) => {
  const told = await steward(...argv, "--json");
  expect({ ...told, errors: JSON.parse(told.errors) }).toEqual({ code, output: "", errors: { error } });
});

test("a choice that there is not is told with the one that was meant, and where the choices stand", async () => {
  const { errors } = await steward("token", "create", "--name", "x", "--scope", "ownr");
  expect(errors).toContain("Did you mean owner? What there is: steward token create --help");
});
