import { showText } from "./expand/field.ts";
import type { ShellVerdict } from "./policy.ts";
import { shellRuleWords } from "./shell-rule-words.ts";

/** For a person: what would run, which part is the trouble, which rule it meets, and what can be done. */
export function explainVerdict(command: string, verdict: ShellVerdict): string {
  // shown whole and with invisible characters spelled out: what is approved is what runs
  const shown = isPlain(command) ? command : showEscaped(command);
  if (verdict.verdict === "allow") return `Allowed: ${shown}`;
  const [title, advice] = shellRuleWords[verdict.rule];
  const opening = verdict.verdict === "deny" ? "Refused" : "Needs your approval";
  return `${opening}: ${shown}\nBecause: ${verdict.reason}.\nRule: ${title}\nWhat to do: ${advice}`;
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
