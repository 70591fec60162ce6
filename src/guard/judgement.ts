import type { Sender } from "../contract/sender.ts";
import type { Settings } from "../contract/settings.ts";
import type { BoundCall, ExtraDirs, Tool } from "../contract/tool.ts";
import type { ToldSoFar } from "./told-bits.ts";

/**
 * What one rule says, or all of them together. `bits`: what others can learn at most from a call that runs without a question.
 * `lasting`: asked again even if the owner once said "always".
 */
export type Judgement =
  | { verdict: "allow"; bits?: number }
  | { verdict: "ask" | "deny"; rule: string; reason: string; lasting?: boolean };
export type Decision = Judgement;

export const allow: Judgement = { verdict: "allow" };

export function deny(rule: string, reason: string): Judgement {
  return { verdict: "deny", rule, reason };
}

export function askEachTime(rule: string, reason: string): Judgement {
  return { verdict: "ask", rule, reason, lasting: true };
}

/**
 * `readsOnly`: the command changes nothing and runs no code of its own. `reads`: the files whose words can be in its output.
 * `runsUnnamed`: what it runs cannot be bound to, so an "always" does not hold for it.
 */
export type CommandJudgement = Judgement & {
  readsOnly: boolean;
  reads?: readonly string[] | "anything";
  runsUnnamed?: boolean;
};

export type ShellJudge = {
  judge(command: string): CommandJudgement | Promise<CommandJudgement>;
  /** By its real path, every file that the words mean once they are expanded, and what else would run. */
  filesNamedIn(command: string): readonly string[] | Promise<readonly string[]>;
};

/** The same, answered at once by whoever may wait. */
export type BlockingJudge = {
  [Method in keyof ShellJudge]: (command: string) => Awaited<ReturnType<ShellJudge[Method]>>;
};

/** Stands for the files of a command that cannot be counted: whatever changes in the workspace then counts. */
export const wholeWorkspace: readonly string[] = ["."];

export type GuardedCall = {
  tool: Tool;
  call: BoundCall;
  workspace: string;
  asker: Sender;
  /** It is done in the folder of a group, apart from everything that is the owner's. */
  inGroup?: boolean;
  /** Where untrusted text in the conversation came from; empty: only the owner has spoken. */
  labels: readonly string[];
  /** What the owner has written in the conversation. */
  trustedText: string;
  told: ToldSoFar;
};

export type Guard = {
  decide(call: GuardedCall): Promise<Decision>;
  /** What an approval is bound to: if any of it changes, the approval is void. */
  bindingOf(call: GuardedCall): Promise<string>;
  /** The files whose words can be in a command's output. */
  filesReadBy(command: string): Promise<readonly string[] | "anything">;
};

export type GuardDeps = {
  settings: Settings["guard"];
  /** Opened when a call holds a command: most conversations need none of it. */
  shell(): Promise<ShellJudge>;
  /** Commands can reach other machines. */
  commandsHaveNetwork: boolean;
  /** Folders of the owner that file tools may use beside the workspace. */
  extraDirs?: ExtraDirs;
  isGranted(binding: string): Promise<boolean>;
  hashFile(workspace: string, path: string): Promise<string>;
};
