import type { ShellPolicy, ShellVerdict } from "./policy.ts";
import type { ShellRule } from "./shell-rule-words.ts";

/** Takes everything that speaks against a command; nothing speaks for it, so no order of checks can allow early. */
export type Objections = {
  ask(rule: ShellRule, reason: string): void;
  deny(rule: ShellRule, reason: string): void;
  /** A file or folder, by its real path, and what is done to it. */
  noteUse(place: string, use: Use): void;
  /** It runs code that its arguments do not show, or reaches out. */
  noteActing(): void;
  /** What it runs cannot be named beforehand, so nobody can say later that it is still the same. */
  noteUnnamed(): void;
};

/** remove: also what `mv` takes away. run: it or what it names becomes part of what happens. */
export type Use = "read" | "write" | "remove" | "run";

/** Where one command would run, and where objections to it go. */
export type Site = Objections & {
  command: string;
  /** Real path of its working folder. */
  folder: string;
  policy: ShellPolicy;
};

export type Findings = {
  verdict: ShellVerdict;
  uses: ReadonlyMap<string, ReadonlySet<Use>>;
  acts: boolean;
  runsUnnamed: boolean;
};

export function openObjections(): Objections & { findings(): Findings } {
  let asked: ShellVerdict | undefined;
  let denied: ShellVerdict | undefined;
  const uses = new Map<string, Set<Use>>();
  let acts = false;
  let runsUnnamed = false;
  return {
    ask(rule, reason) {
      asked ??= { verdict: "ask", rule, reason };
    },
    deny(rule, reason) {
      denied ??= { verdict: "deny", rule, reason };
    },
    noteUse(place, use) {
      uses.set(place, (uses.get(place) ?? new Set()).add(use));
    },
    noteActing() {
      acts = true;
    },
    noteUnnamed() {
      runsUnnamed = true;
    },
    findings: () => ({ verdict: denied ?? asked ?? { verdict: "allow" }, uses, acts, runsUnnamed }),
  };
}
