import { showText } from "./expand/field.ts";
import { shellRuleWords } from "./shell-rule-words.ts";

type Explained = { verdict: "allow" } | { verdict: "ask" | "deny"; rule: string; reason: string };

/** The rules that a command can meet beside its own. */
const ruleWords = new Map<string, readonly [title: string, advice: string]>([
  ...Object.entries(shellRuleWords),
  ["effects", ["What changes something is asked about.", "Approve it when it is asked, or set guard.mode to auto."]],
  ["mode deny", ["Nothing but reading is allowed.", "Set guard.mode to ask or auto."]],
  ["tool policy", ["The settings decide about this tool.", "Change guard.tools in the settings."]],
]);

/** For a person: what would run, which part is the trouble, which rule it meets, and what can be done. */
export function explainVerdict(command: string, verdict: Explained): string {
  // shown whole and with invisible characters spelled out: what is approved is what runs
  const shown = isPlain(command) ? command : showEscaped(command);
  if (verdict.verdict === "allow") return `Allowed: ${shown}`;
  const [title, advice] = ruleWords.get(verdict.rule) ?? [verdict.rule, "Read docs/safety.md."];
  const opening = verdict.verdict === "deny" ? "Refused" : "Needs your approval";
  const reason = verdict.reason.replace(/\.$/, "");
  return `${opening}: ${shown}\nBecause: ${reason}.\nRule: ${title}\nWhat to do: ${advice}`;
}

function isPlain(command: string): boolean {
  return !/[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/u.test(command);
}

function showEscaped(command: string): string {
  return showText(command).replaceAll(
    /[^\P{C}]|\p{Zl}|\p{Zp}|[^\P{Zs} ]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
