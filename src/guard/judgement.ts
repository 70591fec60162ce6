import type { Sender } from "../contract/event.ts";
import type { Settings } from "../contract/settings.ts";
import type { BoundCall, Tool } from "../contract/tool.ts";

export type Decision = { verdict: "allow" } | { verdict: "ask" | "deny"; rule: string; reason: string };

/** What one rule says; `lasting` questions are asked again even if the owner once said "always". */
export type Judgement =
  | { verdict: "allow" }
  | { verdict: "ask" | "deny"; rule: string; reason: string; lasting?: boolean };

export type CommandJudgement = Judgement & {
  /** It changes nothing: a look, not a deed. */
  readsOnly: boolean;
  /** Files in the workspace that it names. */
  files: readonly string[];
};

export type GuardedCall = {
  tool: Tool;
  call: BoundCall;
  workspace: string;
  asker: Sender;
  /** Where untrusted text in the conversation came from; empty: only the owner has spoken. */
  labels: readonly string[];
  /** What the owner has written in the conversation. */
  trustedText: string;
};

export type Guard = {
  decide(call: GuardedCall): Promise<Decision>;
  /** What an approval is bound to: if any of it changes, the approval is void. */
  bindingOf(call: GuardedCall): Promise<string>;
};

export type GuardDeps = {
  settings: Settings["guard"];
  judgeShell(command: string): Promise<CommandJudgement>;
  /** Commands can reach other machines. */
  commandsHaveNetwork: boolean;
  isGranted(binding: string): Promise<boolean>;
  hashFile(workspace: string, path: string): Promise<string>;
};
