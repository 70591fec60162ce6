import { z } from "zod";
import { Settings } from "../../../src/contract/settings.ts";
import { defineTool, type PathUse, type Told, type ToolEffect, textResult } from "../../../src/contract/tool.ts";
import { openGuard } from "../../../src/guard/guard.ts";
import type { CommandJudgement, GuardDeps, GuardedCall, ShellJudge } from "../../../src/guard/judgement.ts";
import { nothingTold } from "../../../src/guard/told-bits.ts";

export const workspace = "/home/ann/.steward/workspace";
const owner = { kind: "owner", id: "owner" } as const;

export type Case = {
  effects: readonly ToolEffect[];
  paths?: readonly PathUse[];
  command?: string;
  destinations?: readonly string[];
  tells?: readonly Told[];
  told?: Partial<GuardedCall["told"]>;
  asker?: GuardedCall["asker"];
  labels?: readonly string[];
  trustedText?: string;
  asksAlways?: boolean;
};

export function callOf(given: Case): GuardedCall {
  const tool = defineTool({
    name: "tool",
    description: "",
    arguments: z.object({}),
    result: textResult,
    effects: given.effects,
    class: "unsafe",
    undo: { kind: "nothing to undo" },
    paths: () => given.paths ?? [],
    destinations: () => given.destinations ?? [],
    tells: () => given.tells ?? [],
    ...(given.asksAlways && { asksAlways: true }),
    ...(given.command !== undefined && { command: () => given.command ?? "" }),
    formatApproval: () => "tool",
    run: async () => ({ outcome: "done", output: "" }),
  });
  const bound = tool.bind({});
  if (!bound.ok) throw new Error(bound.message);
  return {
    tool,
    call: bound.call,
    workspace,
    asker: given.asker ?? owner,
    labels: given.labels ?? [],
    trustedText: given.trustedText ?? "",
    told: { ...nothingTold, ...given.told },
  };
}

const shell: Record<string, CommandJudgement> = {
  look: { verdict: "allow", readsOnly: true },
  change: { verdict: "allow", readsOnly: false },
  odd: { verdict: "ask", rule: "command name", reason: "odd", readsOnly: false },
  evil: { verdict: "deny", rule: "parse", reason: "evil", readsOnly: false },
};

export const shellJudge: ShellJudge = {
  judge: (command) => shell[command] ?? { verdict: "deny", rule: "unknown", reason: "", readsOnly: false },
  filesNamedIn: () => ["run.sh"],
};

export function guardWith(mode: "ask" | "auto" | "deny", deps: Partial<GuardDeps> = {}) {
  return openGuard({
    settings: Settings.parse({ guard: { mode, trustedDestinations: ["team@example.org"] } }).guard,
    shell: async () => shellJudge,
    commandsHaveNetwork: false,
    isGranted: async () => false,
    hashFile: async () => "same",
    ...deps,
  });
}
