// The command tools over this machine's real sandbox, for as many conversations as a test likes.
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Settings } from "../../../src/contract/settings.ts";
import type { Tool, ToolContext, ToolResult } from "../../../src/contract/tool.ts";
import { realWorld } from "../../../src/contract/world.ts";
import { openCommands } from "../../../src/tools/shell/open-commands.ts";
import type { FinishedProcess } from "../../../src/tools/shell/process-registry.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export type ExecSceneOptions = {
  /** Where untrusted text in the workspace's files comes from. */
  fileLabels?: readonly string[];
  nowMs?: () => number;
  home?: string;
  /** What is done with an end; a test may let it fail. */
  onFinished?: (finished: FinishedProcess) => Promise<void>;
};

export type CallOptions = { conversation?: string; signal?: AbortSignal };

export async function execScene(options: ExecSceneOptions = {}) {
  const home = options.home ?? (await realpath(await temporaryFolder()));
  const workspace = join(home, "workspace");
  await mkdir(workspace);
  const finished: FinishedProcess[] = [];
  const troubles: string[] = [];
  const progress: string[] = [];
  const commands = openCommands({
    settings: Settings.parse({}).sandbox,
    home,
    userHome: home,
    workspace,
    socketPath: join(home, "out.sock"),
    environment: {},
    hideValues: () => {},
    redact: (text: string) => text,
    onStarted: () => () => {},
    resolveChecked: async () => ({ ok: false, reason: "not here" }),
    onTrouble: (message) => troubles.push(message),
    world: { ...realWorld, ...(options.nowMs && { nowMs: options.nowMs }) },
    firstNumber: 1,
    labelsOfFiles: async () => options.fileLabels ?? [],
    async onFinished(process) {
      finished.push(process);
      await options.onFinished?.(process);
    },
  });
  onTestFinished(() => commands.close());
  const tools = new Map((await commands.tools()).map((tool) => [tool.name, tool]));
  if (tools.size === 0) throw new Error(await commands.describe());
  let calls = 0;

  const bind = (name: string, args: unknown) => {
    const bound = toolCalled(tools, name).bind(args);
    if (!bound.ok) throw new Error(bound.message);
    return bound.call;
  };
  const contextOf = (callId: string, { conversation = "terminal--a", signal }: CallOptions = {}): ToolContext => ({
    ...{ conversation, turn: "turn_1", callId, workspace },
    asker: { kind: "owner", id: "owner" },
    signal: signal ?? new AbortController().signal,
    progress: (text) => progress.push(text),
  });
  const call = (name: string, args: unknown, options?: CallOptions) =>
    bind(name, args).run(contextOf(`call_${++calls}`, options));
  return { home, workspace, commands, tools, finished, troubles, progress, bind, call, contextOf, start, output };

  /** Starts a command in the background and tells its id. */
  async function start(command: string, where?: CallOptions): Promise<string> {
    return idIn(await call("exec", { command, background: true }, where));
  }

  /** What a process has printed from a position on, and where to go on. */
  async function output(id: string, since = 0): Promise<{ text: string; next: number; state: string }> {
    const [first = "", ...lines] = (await call("process", { action: "output", id, since })).output.split("\n");
    const state = /^\[\w+: (?<state>.*?); output/.exec(first)?.groups?.state ?? first;
    return { text: lines.join("\n"), next: Number(/next since (?<next>\d+)/.exec(first)?.groups?.next), state };
  }
}

export function idIn(result: ToolResult): string {
  const id = /^Goes on in the background as (?<id>p\d+)/.exec(result.output)?.groups?.id;
  if (id === undefined) throw new Error(`nothing goes on: ${result.output}`);
  return id;
}

function toolCalled(tools: ReadonlyMap<string, Tool>, name: string): Tool {
  const tool = tools.get(name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
}

/** A command line that ends when there is a file called go. */
export const untilTold = "until [ -e go ]; do sleep 0.05; done";

let marks = 0;

/** A command line that only this test's processes hold. */
export function markedSleep(): string {
  return `sleep 7${process.pid}.${++marks}`;
}
