import type { Budget } from "./budget.ts";
import type { ShellPolicy, ShellVerdict } from "./policy.ts";
import type { ShellRule } from "./shell-rule-words.ts";

/** Takes everything that speaks against a command; nothing speaks for it, so no order of checks can allow early. */
export type Objections = {
  /** `advice`: what can be done about just this, where the rule's own advice would be wrong. */
  ask(rule: ShellRule, reason: string, advice?: string): void;
  deny(rule: ShellRule, reason: string, advice?: string): void;
  /** A file or folder, by its real path, and what is done to it. */
  noteUse(place: string, use: Use): void;
  /** It runs code that its arguments do not show, or reaches out. */
  noteActing(): void;
  /** What it runs cannot be named beforehand, so nobody can say later that it is still the same. */
  noteUnnamed(): void;
  /** Looks that say nothing for or against the command wait until somebody asks what it would run. */
  later(look: () => void): void;
};

/** remove: also what `mv` takes away. run: it or what it names becomes part of what happens. */
export type Use = "read" | "write" | "remove" | "run";

/** Where one command would run, and where objections to it go. */
export type Site = Objections & {
  command: string;
  /** Real path of its working folder. */
  folder: string;
  policy: ShellPolicy;
  budget: Budget;
  /** The names of the commands that were met so far in the same string. */
  seen: ReadonlySet<string>;
};

export type Findings = {
  /** Real paths by what is done to them. */
  uses: Readonly<Record<Use, ReadonlySet<string>>>;
  acts: boolean;
  runsUnnamed: boolean;
};

export function openObjections(): Objections & {
  verdict(): ShellVerdict;
  /** Makes the looks that were put off. */
  lookFurther(): void;
  findings(): Findings;
} {
  let asked: ShellVerdict | undefined;
  let denied: ShellVerdict | undefined;
  const uses = { read: new Set<string>(), write: new Set<string>(), remove: new Set<string>(), run: new Set<string>() };
  let acts = false;
  let runsUnnamed = false;
  const waiting: (() => void)[] = [];
  return {
    ask(rule, reason, advice) {
      asked ??= { verdict: "ask", rule, reason, ...(advice && { advice }) };
    },
    deny(rule, reason, advice) {
      denied ??= { verdict: "deny", rule, reason, ...(advice && { advice }) };
    },
    noteUse(place, use) {
      uses[use].add(place);
    },
    noteActing() {
      acts = true;
    },
    noteUnnamed() {
      runsUnnamed = true;
    },
    later(look) {
      waiting.push(look);
    },
    verdict: () => denied ?? asked ?? { verdict: "allow" },
    lookFurther() {
      for (const look of waiting.splice(0)) look();
    },
    findings: () => ({ uses, acts, runsUnnamed }),
  };
}
