// Steps on a page, one after the other; each is done on what was approved, or it and all that follow are not done.
import type { Page } from "playwright-core";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext, textResult } from "../../contract/tool.ts";
import { escapeLines, escapeName, quoteName } from "../paths/escape-text.ts";
import type { Refusal } from "../paths/refusal.ts";
import { type Saved, takeDownload, takeDownloadFrom } from "./download/take-download.ts";
import { type LookDeps, readPage } from "./look-tool.ts";
import { comparePages, findTarget, type Target } from "./page/find-target.ts";
import { currentPage, refusalForAddress } from "./page/open-address.ts";
import type { PageReport } from "./page/page-report.ts";
import { settlePage } from "./page/settle-page.ts";
import type { BrowserSession } from "./session/browser-session.ts";
import { type UseDeps, useSession } from "./session/use-session.ts";

const Step = z.object({
  do: z.enum(["click", "type", "select", "press", "download"]),
  target: z.string().optional().describe('Like button "OK" [e7]'),
  text: z.string().optional().describe("Text, option, key"),
});
type Step = z.infer<typeof Step>;

const ActArguments = z.object({
  page: z.string(),
  steps: z.array(Step),
});
type ActArguments = z.infer<typeof ActArguments>;

type Act = ActArguments & { context: ToolContext };
/** `details`: words that others chose. */
type Done = { said: string } & Partial<Omit<Saved, "said">>;

const keyName = /^(?:(?:Control|Alt|Shift|Meta)\+){0,3}(?:[A-Za-z]+\d{0,2}|[\x21-\x7e])$/;

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

async function actOn(deps: LookDeps, session: BrowserSession, act: Act): Promise<PageReport | Refusal> {
  const { signal } = act.context;
  if (act.steps.length === 0) return { refused: "Nothing was done: steps is empty. Give at least one." };
  const current = await currentPage(deps, session, signal);
  if ("refused" in current) return current;
  const { page, isReopened } = current;
  const done: Done[] = [];
  for (const [index, step] of act.steps.entries()) {
    act.context.progress(`step ${index + 1} of ${act.steps.length}: ${step.do}`);
    const outcome = await takeStep(deps, session, page, { act, step, isReopened }).catch((cause) => {
      signal.throwIfAborted();
      if (done.length === 0) throw cause;
      return failedStep(cause);
    });
    if ("refused" in outcome) return stoppedAt(index, outcome, done, act.steps.length);
    done.push(outcome);
  }
  const words = done.map(({ said }) => said).join(" ");
  const read = await readPage(deps, session, page, { said: words, signal }).catch((): PageReport => {
    signal.throwIfAborted();
    return { outcome: "done", said: `${words} The page could not be read afterwards.` };
  });
  return "refused" in read ? read : { ...read, ...gather(done) };
}

function stoppedAt(index: number, refusal: Refusal, done: readonly Done[], all: number): PageReport | Refusal {
  if (all === 1) return refusal;
  const before = done.map(({ said }) => said).join(" ") || "Nothing was done.";
  return {
    outcome: "failed",
    said: `${before} Step ${index + 1} of ${all} was not done, nor what follows: ${refusal.refused}`,
    ...gather(done),
  };
}

function gather(done: readonly Done[]): Partial<PageReport> {
  const wrote = done.flatMap((each) => each.wrote ?? []);
  return {
    details: done.flatMap((each) => each.details ?? []),
    sources: done.flatMap((each) => each.sources ?? []),
    ...(wrote.length > 0 && { wrote }),
  };
}

function failedStep(cause: unknown): Refusal {
  const isTime = cause instanceof Error && /Timeout/.test(cause.message);
  return { refused: isTime ? "it was not possible in time." : "the page could not do it." };
}

async function takeStep(
  deps: LookDeps,
  session: BrowserSession,
  page: Page,
  { act, step, isReopened }: { act: Act; step: Step; isReopened: boolean },
): Promise<Done | Refusal> {
  const { signal } = act.context;
  const timeouts = { timeout: deps.limits.actionMs, signal };
  if (step.target === undefined) return actOnPage(deps, session, page, { act, step });
  const snapshot = { secrets: session.secrets, timeoutMs: deps.limits.actionMs, signal };
  const target = await findTarget(snapshot, page, { target: step.target, pageUrl: act.page, isReopened });
  if ("refused" in target) return target;
  const { locator, ref } = target;
  const text = step.text ?? "";
  switch (step.do) {
    case "click":
      await locator.click(timeouts);
      break;
    case "type":
      return typeInto(session, target, text, timeouts);
    case "select":
      await locator.selectOption(text, timeouts);
      break;
    case "press":
      if (!keyName.test(text)) return noKey(text);
      await locator.press(text, timeouts);
      break;
    case "download":
      return takeDownload({ limits: deps.limits, session, context: act.context }, locator);
    default:
      return step.do satisfies never;
  }
  await settlePage(deps.limits, page, signal);
  return { said: `${doneWords[step.do]} [${ref}].` };
}

const doneWords = { click: "Clicked", select: "Selected in", press: "Pressed a key on" } as const;

async function actOnPage(
  deps: LookDeps,
  session: BrowserSession,
  page: Page,
  { act, step }: { act: Act; step: Step },
): Promise<Done | Refusal> {
  const { signal } = act.context;
  if (step.do === "download") return downloadPage(deps, session, act);
  const refusal = comparePages(page.url(), act.page);
  if (refusal) return refusal;
  if (step.do !== "press") return { refused: `To ${step.do}, name the target.` };
  if (!keyName.test(step.text ?? "")) return noKey(step.text ?? "");
  await page.keyboard.press(step.text ?? "");
  await settlePage(deps.limits, page, signal);
  return { said: "Pressed a key." };
}

async function downloadPage(deps: LookDeps, session: BrowserSession, act: Act): Promise<Done | Refusal> {
  const refusal = await refusalForAddress(deps, act.page, act.context.signal);
  return refusal ?? takeDownloadFrom({ limits: deps.limits, session, context: act.context }, act.page);
}

async function typeInto(
  session: BrowserSession,
  { locator, ref }: Target,
  text: string,
  timeouts: { timeout: number; signal: AbortSignal },
): Promise<Done> {
  // remembered before it is typed, so that no snapshot can show it
  if ((await locator.getAttribute("type", timeouts))?.toLowerCase() === "password") session.secrets.add(text);
  await locator.fill(text, timeouts);
  return { said: `Typed ${text.length} characters into [${ref}].` };
}

function noKey(text: string): Refusal {
  return { refused: `${quoteName(text)} is no key: name one, such as Enter, Tab, ArrowDown or Control+a.` };
}
