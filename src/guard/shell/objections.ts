import type { ShellRule, ShellVerdict } from "./policy.ts";

/** Everything that speaks against a command; nothing in it can speak for it, so no order of checks can allow early. */
export type Refusals = {
  ask(rule: ShellRule, reason: string): void;
  deny(rule: ShellRule, reason: string): void;
  verdict(): ShellVerdict;
};

export function openRefusals(): Refusals {
  let asked: ShellVerdict | undefined;
  let denied: ShellVerdict | undefined;
  return {
    ask(rule, reason) {
      asked ??= { verdict: "ask", rule, reason };
    },
    deny(rule, reason) {
      denied ??= { verdict: "deny", rule, reason };
    },
    verdict: () => denied ?? asked ?? { verdict: "allow" },
  };
}
