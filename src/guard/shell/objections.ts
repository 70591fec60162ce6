import type { ShellPolicy, ShellVerdict } from "./policy.ts";
import type { ShellRule } from "./shell-rule-words.ts";

/** Takes everything that speaks against a command; nothing speaks for it, so no order of checks can allow early. */
export type Objections = {
  ask(rule: ShellRule, reason: string): void;
  deny(rule: ShellRule, reason: string): void;
  noteChange(): void;
};

/** Where one command would run, and where objections to it go. */
export type Site = Objections & {
  command: string;
  /** Real path of its working folder. */
  folder: string;
  policy: ShellPolicy;
};

export function openObjections(): Objections & { verdict(): ShellVerdict; changesFiles(): boolean } {
  let asked: ShellVerdict | undefined;
  let denied: ShellVerdict | undefined;
  let changes = false;
  return {
    ask(rule, reason) {
      asked ??= { verdict: "ask", rule, reason };
    },
    deny(rule, reason) {
      denied ??= { verdict: "deny", rule, reason };
    },
    noteChange() {
      changes = true;
    },
    verdict: () => denied ?? asked ?? { verdict: "allow" },
    changesFiles: () => changes,
  };
}
