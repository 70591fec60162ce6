import { z } from "zod";
import {
  defineTool,
  type Recovery,
  type Tool,
  type ToolClass,
  type ToolEffect,
  textResult,
} from "../../src/contract/tool.ts";

export type TestTool = Tool & { runs: string[] };

/** A tool that notes each run; effects and class as the test wishes. */
export function testTool(options: {
  name?: string;
  effects?: readonly ToolEffect[];
  class?: ToolClass;
  run?: (value: string, signal: AbortSignal) => Promise<string>;
  recover?: () => Promise<Recovery>;
}): TestTool {
  const runs: string[] = [];
  const tool = defineTool({
    name: options.name ?? "note",
    description: "Notes a value.",
    arguments: z.strictObject({ value: z.string() }),
    result: textResult,
    effects: options.effects ?? ["reads"],
    class: options.class ?? "read",
    undo: { kind: "nothing to undo" },
    formatApproval: ({ value }) => `note ${value}`,
    ...(options.recover && { recover: options.recover }),
    async run({ signal }, { value }) {
      runs.push(value);
      return { outcome: "done", output: (await options.run?.(value, signal)) ?? `noted ${value}` };
    },
  });
  return { ...tool, runs };
}

/** A tool whose output holds somebody else's words. */
export function pageTool(name: string, output: string, labels: readonly string[]): Tool {
  return defineTool({
    name,
    description: "Reads a page.",
    arguments: z.object({}),
    result: textResult,
    effects: ["reads"],
    class: "read",
    undo: { kind: "nothing to undo" },
    formatApproval: () => name,
    run: async () => ({ outcome: "done", output, labels }),
  });
}
