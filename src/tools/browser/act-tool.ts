// Steps on a page, one after the other; each is done on what was approved, or it and all that follow are not done.
import type { Page } from "playwright-core";
import { z } from "zod";
import { defineTool, type Tool, textResult } from "../../contract/tool.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import type { Refusal } from "../paths/refusal.ts";
import { type Saved, takeDownload, takeDownloadFrom } from "./download/take-download.ts";
import { readPage } from "./look-tool.ts";
import { comparePages, findTarget, type Target } from "./page/find-target.ts";
import { currentPage, refusalForAddress, settlePage } from "./page/open-address.ts";
import type { PageReport } from "./page/page-report.ts";
import { useSession, type Visit, type VisitDeps } from "./session/use-session.ts";

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

/** `details`: words that others chose. */
type Done = Pick<Saved, "said"> & Partial<Saved>;

const keyName = /^(?:(?:Control|Alt|Shift|Meta)\+){0,3}(?:[A-Za-z]+\d{0,2}|[\x21-\x7e])$/;

/** Everything that a page might pass on: one question for a whole form, with every word that goes in. */
export function actTool(deps: VisitDeps): Tool {
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
    run: (context, args) => useSession(deps, context, (visit) => actOn(visit, args)),
  });
}

function formatApproval({ page, steps }: ActArguments): string {
  const lines = steps.map(({ do: kind, target = "the page", text = "" }, index) => {
    return `${index + 1}. ${stepWords[kind](escapeName(target), text)}`;
  });
  return [`In the browser, on ${escapeName(page)}:`, ...lines].join("\n");
}

const stepWords: Readonly<Record<Step["do"], (target: string, text: string) => string>> = {
  click: (target) => `click ${target}`,
  // indented: no line of it can be taken for the next step
  type: (target, text) => `type into ${target}:\n${text.replace(/^/gm, "    ")}`,
  select: (target, text) => `select in ${target}: ${escapeName(text)}`,
  press: (target, text) => `press ${escapeName(text)} on ${target}`,
  download: (target) => `download ${target} into the folder downloads`,
};

async function actOn(visit: Visit, act: ActArguments): Promise<PageReport | Refusal> {
  const { context, signal } = visit;
  if (act.steps.length === 0) return { refused: "Nothing was done: steps is empty. Give at least one." };
  const current = await currentPage(visit);
  if ("refused" in current) return current;
  const { page, isReopened } = current;
  const done: Done[] = [];
  for (const [index, step] of act.steps.entries()) {
    context.progress(`step ${index + 1} of ${act.steps.length}: ${step.do}`);
    const outcome = await takeStep(visit, page, { pageUrl: act.page, step, isReopened }).catch((cause) => {
      signal.throwIfAborted();
      if (done.length === 0) throw cause;
      return failedStep(cause);
    });
    if ("refused" in outcome) return stoppedAt(index, outcome, done, act.steps.length);
    done.push(outcome);
  }
  const all = gather(done);
  const read = await readPage(visit, page, { said: all.said }).catch((): PageReport => {
    signal.throwIfAborted();
    return { outcome: "done", said: `${all.said} The page could not be read afterwards.` };
  });
  return "refused" in read ? read : { ...all, ...read };
}

function stoppedAt(index: number, refusal: Refusal, done: readonly Done[], all: number): PageReport | Refusal {
  if (all === 1) return refusal;
  const before = gather(done);
  const rest = `Step ${index + 1} of ${all} was not done, nor what follows: ${refusal.refused}`;
  return { ...before, outcome: "failed", said: `${before.said || "Nothing was done."} ${rest}` };
}

function gather(done: readonly Done[]): Omit<PageReport, "outcome"> {
  const wrote = done.flatMap((each) => each.wrote ?? []);
  return {
    said: done.map(({ said }) => said).join(" "),
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
  visit: Visit,
  page: Page,
  { pageUrl, step, isReopened }: { pageUrl: string; step: Step; isReopened: boolean },
): Promise<Done | Refusal> {
  const { signal } = visit;
  if (step.target === undefined) return actOnPage(visit, page, pageUrl, step);
  const target = await findTarget(visit, page, { target: step.target, pageUrl, isReopened });
  if ("refused" in target) return target;
  const { locator, ref } = target;
  const { text = "" } = step;
  switch (step.do) {
    case "click":
      await locator.click({ signal });
      break;
    case "type":
      return typeInto(visit, target, text);
    case "select":
      await locator.selectOption(text, { signal });
      break;
    case "press":
      if (!keyName.test(text)) return noKey(text);
      await locator.press(text, { signal });
      break;
    case "download":
      return takeDownload(visit, locator);
    default:
      return step.do satisfies never;
  }
  await settlePage(visit, page);
  return { said: `${doneWords[step.do]} [${ref}].` };
}

const doneWords = { click: "Clicked", select: "Selected in", press: "Pressed a key on" } as const;

async function actOnPage(visit: Visit, page: Page, pageUrl: string, step: Step): Promise<Done | Refusal> {
  if (step.do === "download") return (await refusalForAddress(visit, pageUrl)) ?? takeDownloadFrom(visit, pageUrl);
  const refusal = comparePages(page.url(), pageUrl);
  if (refusal) return refusal;
  if (step.do !== "press") return { refused: `To ${step.do}, name the target.` };
  const { text = "" } = step;
  if (!keyName.test(text)) return noKey(text);
  await page.keyboard.press(text);
  await settlePage(visit, page);
  return { said: "Pressed a key." };
}

async function typeInto({ session, signal }: Visit, { locator, ref }: Target, text: string): Promise<Done> {
  // remembered before it is typed, so that no snapshot can show it
  if ((await locator.getAttribute("type", { signal }))?.toLowerCase() === "password") session.secrets.add(text);
  await locator.fill(text, { signal });
  return { said: `Typed ${text.length} characters into [${ref}].` };
}

function noKey(text: string): Refusal {
  return { refused: `${quoteName(text)} is no key: name one, such as Enter, Tab, ArrowDown or Control+a.` };
}
