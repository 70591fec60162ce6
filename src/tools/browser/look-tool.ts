// One look: an action of the model comes in, a report on the page goes out.
import type { Page } from "playwright-core";
import { z } from "zod";
import { defineTool, type Tool } from "../../contract/tool.ts";
import { escapeName } from "../paths/escape-text.ts";
import type { Refusal } from "../paths/refusal.ts";
import { readsOnly } from "../reads-only.ts";
import { currentPage, openAddress, settlePage } from "./page/open-address.ts";
import { mostLines } from "./page/page-lines.ts";
import { type PageReport, titleOf } from "./page/page-report.ts";
import { takeSnapshot } from "./page/take-snapshot.ts";
import { useSession, type Visit, type VisitDeps } from "./session/use-session.ts";
import { within } from "./within.ts";

const actions = ["open", "read", "scroll", "wait", "screenshot", "back", "tabs", "switch", "close"] as const;
const LookArguments = z.object({
  action: z.enum(actions),
  url: z.string().optional().describe("To open"),
  ref: z.string().optional().describe("Read on from, scroll to"),
  text: z.string().optional().describe("Wait for"),
  tab: z.number().optional(),
  full: z.boolean().optional(),
});
type Look = z.infer<typeof LookArguments>;

const measureMs = 2_000;
const Height = z.number().positive();

/** Looking changes nothing, but a page can see where one looks, and its server what is opened. */
export function lookTool(deps: VisitDeps): Tool {
  return defineTool({
    name: "browser",
    description: "Look at web pages; lists elements like [e12].",
    arguments: LookArguments,
    ...readsOnly,
    tells: ({ action, url, ref }) =>
      action === "open" && url
        ? [{ kind: "address", url }]
        : [{ kind: "choice", of: ref ? mostLines : 2 * actions.length * deps.limits.tabs }],
    formatApproval: ({ action, url }) =>
      action === "open" ? `Open ${escapeName(url ?? "")} in the browser` : `Browser: ${action}`,
    run(context, args) {
      context.progress(args.action === "open" ? `opening ${args.url}` : args.action);
      return useSession(deps, context, (visit) => lookAt(visit, args));
    },
  });
}

async function lookAt(visit: Visit, look: Look): Promise<PageReport | Refusal> {
  if (look.action === "open") return open(visit, look.url ?? "");
  if (look.action === "tabs" || look.action === "switch" || look.action === "close") {
    return lookAtTabs(visit, look.action, look.tab);
  }
  const current = await currentPage(visit);
  if ("refused" in current) return current;
  const { page } = current;
  switch (look.action) {
    case "read":
      return readPage(visit, page, { said: "Read.", from: look.ref });
    case "scroll":
      return scroll(visit, page, look.ref);
    case "wait":
      return waitFor(visit, page, look.text);
    case "screenshot":
      return screenshot(visit, page, look.full ?? false);
    case "back":
      return goBack(visit, page);
    default:
      return look.action satisfies never;
  }
}

async function open(visit: Visit, url: string): Promise<PageReport | Refusal> {
  const opened = await openAddress(visit, url);
  if ("refused" in opened) return opened;
  const hints = [
    ...(opened.isLoading ? ["It is still loading: this is what there is so far."] : []),
    ...(/pdf/.test(opened.mediaType) ? ["It is a PDF: take it with browser_act: download."] : []),
  ];
  return readPage(visit, opened.page, { said: ["Opened.", ...hints].join(" ") });
}

async function lookAtTabs(
  visit: Visit,
  action: "tabs" | "switch" | "close",
  number: number | undefined,
): Promise<PageReport | Refusal> {
  const { tabs } = visit.session;
  if (action === "tabs") return { outcome: "done", said: "These tabs are open.", details: await listTabs(visit) };
  const tab = number === undefined ? tabs.current() : tabs.all().find((each) => each.number === number);
  if (!tab)
    return { refused: number === undefined ? "No tab is open." : `There is no tab ${number}. Use tabs to see them.` };
  if (action === "switch") {
    tabs.show(tab);
    return { outcome: "done", said: `Tab ${tab.number} is shown. Read it.` };
  }
  await tab.page.close();
  return { outcome: "done", said: `Tab ${tab.number} was closed.`, details: await listTabs(visit) };
}

async function listTabs({ session: { tabs } }: Visit): Promise<readonly string[]> {
  return Promise.all(
    tabs.all().map(async (tab) => {
      const title = JSON.stringify(((await titleOf(tab.page)) ?? "").slice(0, 100));
      return `tab ${tab.number}${tab === tabs.current() ? " (shown)" : ""}: ${tab.page.url().slice(0, 300)} ${title}`;
    }),
  );
}

/** The page as lines; every answer that shows a page goes through here. */
export async function readPage(
  visit: Visit,
  page: Page,
  given: { said: string; from?: string | undefined },
): Promise<PageReport | Refusal> {
  const lines = await takeSnapshot(visit, page);
  const from = given.from?.replace(/^\[|\]$/g, "");
  if (from !== undefined && !lines.some((line) => line.ref === from)) {
    return { refused: `The reference [${from}] is not on the page any more. Read the page again from the start.` };
  }
  return { outcome: "done", said: given.said, lines, from };
}

async function scroll(visit: Visit, page: Page, to: string | undefined): Promise<PageReport | Refusal> {
  const ref = to?.replace(/^\[|\]$/g, "");
  if (ref === undefined) await page.evaluate("window.scrollBy(0, Math.round(window.innerHeight * 0.9))");
  else if ((await page.getByRef(ref).count()) === 0) {
    return { refused: `The reference [${ref}] is not on the page any more. Read the page again.` };
  } else await page.getByRef(ref).scrollIntoViewIfNeeded({ signal: visit.signal });
  await settlePage(visit, page);
  const place = await page.evaluate(
    "[window.scrollY, window.innerHeight, document.documentElement.scrollHeight].join()",
  );
  const [top = 0, height = 0, whole = 0] = String(place)
    .split(",")
    .map((each) => Math.round(Number(each)));
  return { outcome: "done", said: `Scrolled to ${top}–${top + height} of ${whole} pixels. Read to see what is new.` };
}

async function waitFor(visit: Visit, page: Page, text: string | undefined): Promise<PageReport | Refusal> {
  const { signal, limits } = visit;
  if (text) await page.getByText(text).first().waitFor({ signal });
  else
    await page.waitForLoadState("networkidle", { timeout: limits.loadMs, signal }).catch(() => signal.throwIfAborted());
  return readPage(visit, page, { said: "Waited." });
}

/** A picture of what is seen, or of the whole page as far as the limit goes. */
async function screenshot({ limits }: Visit, page: Page, full: boolean): Promise<PageReport | Refusal> {
  const whole = full ? await heightOf(page) : 0;
  const clip = { x: 0, y: 0, width: limits.viewport.width, height: Math.min(whole, limits.screenshotHeight) };
  const data = await page.screenshot({ type: "png", animations: "disabled", ...(full && { fullPage: true, clip }) });
  if (data.length > limits.screenshotBytes) {
    return { refused: `The picture has ${data.length} bytes, and ${limits.screenshotBytes} are allowed.` };
  }
  const isCut = whole > limits.screenshotHeight;
  const said = isCut ? "A picture of the page is attached; it is cut at the bottom." : "A picture is attached.";
  return { outcome: "done", said, attachments: [{ mediaType: "image/png", name: "screenshot.png", data }] };
}

async function heightOf(page: Page): Promise<number> {
  const asked = page.evaluate("document.documentElement.scrollHeight").catch(() => undefined);
  const height = Height.safeParse(await within(measureMs, asked));
  return height.success ? Math.ceil(height.data) : Number.POSITIVE_INFINITY;
}

async function goBack(visit: Visit, page: Page): Promise<PageReport | Refusal> {
  const response = await visit.session.tabs.leave(() => page.goBack({ waitUntil: "commit", signal: visit.signal }));
  if (!response && page.url() === "about:blank") return { refused: "There is no page to go back to." };
  await settlePage(visit, page);
  return readPage(visit, page, { said: "Went back." });
}
