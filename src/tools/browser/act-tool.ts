import { defineTool, type Tool, textResult } from "../../contract/tool.ts";
import { escapeLines, escapeName } from "../paths/escape-text.ts";
import { ActArguments, actOn, type Step } from "./act-on.ts";
import type { LookDeps } from "./look-at.ts";
import { type UseDeps, useSession } from "./session/use-session.ts";

/** Everything that a page might pass on: one question for a whole form, with every word that goes in. */
export function actTool(deps: UseDeps & LookDeps): Tool {
  return defineTool({
    name: "browser_act",
    description: "Act on the page that is open in browser.",
    arguments: ActArguments,
    result: textResult,
    effects: ["changes", "sends"],
    class: "unsafe",
    undo: { kind: "impossible", reason: "what a web page has been told cannot be taken back" },
    destinations: ({ page }) => [URL.parse(page)?.origin ?? page],
    formatApproval,
    run: (context, args) => useSession(deps, context, (session) => actOn(deps, session, { ...args, context })),
  });
}

function formatApproval({ page, steps }: ActArguments): string {
  const lines = steps.map((step, index) => `${index + 1}. ${formatStep(step)}`);
  return [`In the browser, on ${escapeName(page)}:`, ...lines].join("\n");
}

function formatStep(step: Step): string {
  const target = step.target === undefined ? "the page" : escapeLines(step.target);
  return stepWords[step.do](target, escapeLines(step.text ?? ""));
}

const stepWords: Readonly<Record<Step["do"], (target: string, text: string) => string>> = {
  click: (target) => `click ${target}`,
  type: (target, text) => `type into ${target}:\n${text}`,
  select: (target, text) => `select in ${target}: ${text}`,
  press: (target, text) => `press ${text} on ${target}`,
  download: (target) => `download ${target} into the folder downloads`,
};
