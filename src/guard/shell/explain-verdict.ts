import { spellOutQuestion } from "../../contract/words/spell-out.ts";
import { shellRuleWords } from "./shell-rule-words.ts";

type Explained = { verdict: "allow" } | { verdict: "ask" | "deny"; rule: string; reason: string; advice?: string };

/** The rules that a command can meet beside its own. */
const ruleWords = new Map<string, readonly [title: string, advice: string]>([
  ...Object.entries(shellRuleWords),
  ["effects", ["What changes something is asked about.", "Approve it when it is asked, or set guard.mode to auto."]],
  ["mode deny", ["Nothing but reading is allowed.", "Set guard.mode to ask or auto."]],
  ["tool policy", ["The settings decide about this tool.", "Change guard.tools in the settings."]],
]);

// what asks can be allowed as it is
function orApprove(advice: string): string {
  return advice.startsWith("Approve ") ? advice : `Approve it when it is asked. Or: ${advice}`;
}

/** For a person: what would run, which part is the trouble, which rule it meets, and what can be done. */
export function explainVerdict(command: string, verdict: Explained): string {
  // whole and spelled out as in the question itself: what is approved is what runs
  const shown = spellOutQuestion(command);
  if (verdict.verdict === "allow") return `Allowed: ${shown}`;
  const [title, usual] = ruleWords.get(verdict.rule) ?? [verdict.rule, "Read docs/safety.md."];
  const advice = verdict.advice ?? (verdict.verdict === "ask" ? orApprove(usual) : usual);
  const opening = verdict.verdict === "deny" ? "Refused" : "Needs your approval";
  const reason = spellOutQuestion(verdict.reason).replace(/\.$/, "");
  return `${opening}: ${shown}\nBecause: ${reason}.\nRule: ${title}\nWhat to do: ${advice}`;
}
