// The streams a command line talks through, in memory, and the rest of what main.ts would hand it.
import { PassThrough, Writable } from "node:stream";
import type { CommandLineDeps } from "../../../src/cli/command-line-deps.ts";
import type { CommandConsole } from "../../../src/contract/room/command.ts";
import { Settings } from "../../../src/contract/settings.ts";
import { realWorld } from "../../../src/contract/world.ts";
import { configCommand } from "../../../src/settings/commands/config-command.ts";
import type { FakeGateway } from "./fake-gateway-client.ts";

export type FakeConsole = {
  console: CommandConsole;
  type(text: string): void;
  endInput(): void;
  interrupt(): void;
  output(): string;
  errors(): string;
};

export function startFakeConsole(options: { terminal?: boolean } = {}): FakeConsole {
  const input = new PassThrough() as PassThrough & { isTTY?: boolean };
  const output = collect();
  const errors = collect();
  const listeners = new Set<() => void>();
  if (options.terminal) {
    input.isTTY = true;
    output.stream.isTTY = true;
  }
  return {
    console: {
      input,
      output: output.stream,
      errors: errors.stream,
      colors: false,
      onInterrupt(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    type: (text) => input.write(text),
    endInput: () => input.end(),
    interrupt() {
      for (const listener of listeners) listener();
    },
    output: output.text,
    errors: errors.text,
  };
}

export function commandLineDeps(
  gateway: FakeGateway,
  console: CommandConsole,
  more: Partial<CommandLineDeps> = {},
): CommandLineDeps {
  return {
    console,
    version: "1.2.3",
    home: "/home/ann/.steward",
    world: { nowMs: () => 1_000_000, newId: realWorld.newId },
    connect: gateway.connect,
    findRunning: gateway.connect,
    runDaemon: async () => 0,
    machine: {
      ...{ platform: "linux", uid: 1000, userHome: "/home/ann", environment: {} },
      ...{ node: "/opt/steward/node", script: "/opt/steward/scripts/steward.mjs" },
    },
    running: { find: async () => undefined, isInUse: async () => false },
    readSettings: async () => ({
      settings: Settings.parse({ agent: { name: "Jeeves" } }),
      path: "/home/ann/.steward/config.json",
      overridden: {},
      warnings: [],
    }),
    settingKeys: async () => ["agent.model", "agent.name", "queue.maxWaiting"],
    doctor: async () => ({ findings: [] }),
    commands: [configCommand],
    ...more,
  };
}

function collect(): { stream: Writable & { isTTY?: boolean }; text(): string } {
  const pieces: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      pieces.push(chunk.toString("utf8"));
      done();
    },
  });
  return { stream, text: () => pieces.join("") };
}
