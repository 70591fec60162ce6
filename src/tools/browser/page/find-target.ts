// What a person approved must be what is acted on: the page's address and the element's role and name are compared first.
import type { Frame, Locator, Page } from "playwright-core";
import { quoteName } from "../../paths/escape-text.ts";
import type { Refusal } from "../../paths/refusal.ts";
import type { Visit } from "../session/use-session.ts";
import type { PageLine } from "./page-lines.ts";
import { takeSnapshot } from "./take-snapshot.ts";

export type Target = { locator: Locator; ref: string };

// as read: role, name in quotes, reference; the name may hold anything, also something like a reference
const asRead = /^[\s-]*([a-z]+(?: "(?:[^"\\]|\\.)*")?) \[((?:f\d+)?e\d+)\]/i;

export async function findTarget(
  visit: Visit,
  page: Page,
  wanted: { target: string; pageUrl: string; isReopened: boolean },
): Promise<Target | Refusal> {
  const [, identity, ref] = asRead.exec(wanted.target) ?? [];
  if (identity === undefined || ref === undefined) {
    return {
      refused: `${quoteName(wanted.target)} names no element: copy its line as read, such as button "OK" [e7].`,
    };
  }
  const lines = await takeSnapshot(visit, page);
  const found = wanted.isReopened ? onlyOneLike(lines, identity) : lines.find((each) => each.ref === ref);
  if (!found?.ref) return stale(ref, "is not on the page any more");
  if (identity !== found.identity) return stale(ref, "is another element now");
  const locator = page.getByRef(found.ref);
  const frame = await (await locator.elementHandle({ signal: visit.signal })).ownerFrame();
  if (!frame) return stale(ref, "is not on the page any more");
  return comparePages(documentUrl(frame), wanted.pageUrl) ?? { locator, ref };
}

/** Whether the page is still the one that was named: the same origin, and the same path if one was given. */
export function comparePages(shown: string, wanted: string): Refusal | undefined {
  const [is, meant] = [URL.parse(shown), URL.parse(wanted)];
  if (!is || is.origin === "null") return { refused: "No web page is open. Open the address first." };
  const isSame = meant && is.origin === meant.origin && (isBare(meant) || pathOf(is) === pathOf(meant));
  if (isSame) return undefined;
  return {
    refused: `Nothing was done: the page shown is not ${quoteName(wanted)}. Read it again and name its address.`,
  };
}

// an approval may come when the page has long been closed: opened again, it has new references for the same elements
function onlyOneLike(lines: readonly PageLine[], identity: string): PageLine | undefined {
  const alike = lines.filter((line) => line.identity === identity && line.ref !== undefined);
  return alike.length === 1 ? alike[0] : undefined;
}

function stale(ref: string, why: string): Refusal {
  return { refused: `The reference [${ref}] ${why}. Read the page again and use a new reference.` };
}

// a frame without an address of its own speaks for the page that made it
function documentUrl(frame: Frame): string {
  let owner: Frame | null = frame;
  while (owner && !/^https?:/.test(owner.url())) owner = owner.parentFrame();
  return owner?.url() ?? "";
}

function isBare(url: URL): boolean {
  return url.pathname === "/" && url.search === "";
}

function pathOf(url: URL): string {
  return url.pathname + url.search;
}
