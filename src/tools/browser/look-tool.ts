// One look: an action of the model comes in, a report on the page goes out.
import type { Page } from "playwright-core";
import { z } from "zod";
import { defineTool, type Tool } from "../../contract/tool.ts";
import { escapeName } from "../paths/escape-text.ts";
import type { Refusal } from "../paths/refusal.ts";
import { readsOnly } from "../reads-only.ts";
import { currentPage, type OpenDeps, openAddress } from "./page/open-address.ts";
import type { PageReport } from "./page/page-report.ts";
import { takeScreenshot } from "./page/screenshot.ts";
import { settlePage } from "./page/settle-page.ts";
import { takeSnapshot } from "./page/take-snapshot.ts";
import type { BrowserSession } from "./session/browser-session.ts";
import type { SeenLinks } from "./session/seen-links.ts";
import { lookAtTabs } from "./session/tab-actions.ts";
import { type UseDeps, useSession } from "./session/use-session.ts";

const LookArguments = z.object({
  action: z.enum(["open", "read", "scroll", "wait", "screenshot", "back", "tabs", "switch", "close"]),
  url: z.string().optional().describe("To open"),
  ref: z.string().optional().describe("Read on from, scroll to"),
  text: z.string().optional().describe("Wait for"),
  tab: z.number().optional(),
  full: z.boolean().optional(),
});

export type LookDeps = OpenDeps & { seenLinks: SeenLinks };
type Look = z.infer<typeof LookArguments> & { signal: AbortSignal };

/** Looking changes nothing; only an address that no page has offered could carry something out, so it is named. */
export function lookTool(deps: UseDeps & LookDeps): Tool {
  return defineTool({
    name: "browser",
    description: "Look at web pages; lists elements like [e12].",
    arguments: LookArguments,
    ...readsOnly,
    destinations: ({ action, url }) => (action === "open" && url && !deps.seenLinks.has(url) ? [url] : []),
    formatApproval: ({ action, url }) =>
      action === "open" ? `Open ${escapeName(url ?? "")} in the browser` : `Browser: ${action}`,
    run(context, args) {
      context.progress(args.action === "open" ? `opening ${args.url}` : args.action);
      return useSession(deps, context, (session) => lookAt(deps, session, { ...args, signal: context.signal }));
    },
  });
}

async function lookAt(deps: LookDeps, session: BrowserSession, look: Look): Promise<PageReport | Refusal> {
  if (look.action === "open") return open(deps, session, look);
  if (look.action === "tabs" || look.action === "switch" || look.action === "close") {
    return lookAtTabs(session, look.action, look.tab);
  }
  const current = await currentPage(deps, session, look.signal);
  if ("refused" in current) return current;
  const { page } = current;
  switch (look.action) {
    case "read":
      return readPage(deps, session, page, { said: "Read.", from: look.ref, signal: look.signal });
    case "scroll":
      return scroll(deps, page, look);
    case "wait":
      return waitFor(deps, session, page, look);
    case "screenshot":
      return screenshot(deps, page, look);
    case "back":
      return goBack(deps, session, page, look);
    default:
      return look.action satisfies never;
  }
}

async function open(deps: LookDeps, session: BrowserSession, look: Look): Promise<PageReport | Refusal> {
  const opened = await openAddress(deps, session, look.url ?? "", look.signal);
  if ("refused" in opened) return opened;
  const hints = [
    ...(opened.isLoading ? ["It is still loading: this is what there is so far."] : []),
    ...(/pdf/.test(opened.mediaType) ? ["It is a PDF: take it with browser_act: download."] : []),
  ];
  return readPage(deps, session, opened.page, { said: ["Opened.", ...hints].join(" "), signal: look.signal });
}

/** The page as lines; every answer that shows a page goes through here. */
export async function readPage(
  deps: LookDeps,
  session: BrowserSession,
  page: Page,
  given: { said: string; from?: string | undefined; signal: AbortSignal },
): Promise<PageReport | Refusal> {
  const { said, signal } = given;
  const snapshot = await takeSnapshot({ secrets: session.secrets, timeoutMs: deps.limits.actionMs, signal }, page);
  deps.seenLinks.add(snapshot.links);
  const from = given.from?.replace(/^\[|\]$/g, "");
  if (from !== undefined && !snapshot.lines.some((line) => line.ref === from)) {
    return { refused: `The reference [${from}] is not on the page any more. Read the page again from the start.` };
  }
  return { outcome: "done", said, lines: snapshot.lines, from };
}

async function scroll(deps: LookDeps, page: Page, look: Look): Promise<PageReport | Refusal> {
  const { signal } = look;
  const ref = look.ref?.replace(/^\[|\]$/g, "");
  if (ref === undefined) await page.evaluate("window.scrollBy(0, Math.round(window.innerHeight * 0.9))");
  else if ((await page.getByRef(ref).count()) === 0) {
    return { refused: `The reference [${ref}] is not on the page any more. Read the page again.` };
  } else await page.getByRef(ref).scrollIntoViewIfNeeded({ timeout: deps.limits.actionMs, signal });
  await settlePage(deps.limits, page, signal);
  const place = await page.evaluate(
    "[window.scrollY, window.innerHeight, document.documentElement.scrollHeight].join()",
  );
  const [top = 0, height = 0, whole = 0] = String(place)
    .split(",")
    .map((each) => Math.round(Number(each)));
  return { outcome: "done", said: `Scrolled to ${top}–${top + height} of ${whole} pixels. Read to see what is new.` };
}

async function waitFor(deps: LookDeps, session: BrowserSession, page: Page, look: Look): Promise<PageReport | Refusal> {
  const { signal } = look;
  if (look.text) await page.getByText(look.text).first().waitFor({ timeout: deps.limits.actionMs, signal });
  else
    await page
      .waitForLoadState("networkidle", { timeout: deps.limits.loadMs, signal })
      .catch(() => signal.throwIfAborted());
  return readPage(deps, session, page, { said: "Waited.", signal });
}

async function screenshot(deps: LookDeps, page: Page, look: Look): Promise<PageReport | Refusal> {
  const taken = await takeScreenshot(deps.limits, page, { full: look.full ?? false, signal: look.signal });
  if ("refused" in taken) return taken;
  const said = taken.isCut ? "A picture of the page is attached; it is cut at the bottom." : "A picture is attached.";
  return { outcome: "done", said, attachments: [taken.attachment] };
}

async function goBack(deps: LookDeps, session: BrowserSession, page: Page, look: Look): Promise<PageReport | Refusal> {
  const { signal } = look;
  const options = { waitUntil: "commit", timeout: deps.limits.actionMs, signal } as const;
  const response = await session.tabs.leave(() => page.goBack(options));
  if (!response && page.url() === "about:blank") return { refused: "There is no page to go back to." };
  await settlePage(deps.limits, page, signal);
  return readPage(deps, session, page, { said: "Went back.", signal });
}
