import type { Refusal } from "../../paths/refusal.ts";
import { type PageReport, titleOf } from "../page/page-report.ts";
import type { BrowserSession } from "./browser-session.ts";
import type { Tab } from "./session-tabs.ts";

export async function lookAtTabs(
  session: BrowserSession,
  action: "tabs" | "switch" | "close",
  number: number | undefined,
): Promise<PageReport | Refusal> {
  const { tabs } = session;
  const tab = number === undefined ? tabs.current() : tabs.all().find((each) => each.number === number);
  if (action === "tabs") return { outcome: "done", said: "These tabs are open.", details: await listTabs(session) };
  if (!tab)
    return { refused: number === undefined ? "No tab is open." : `There is no tab ${number}. Use tabs to see them.` };
  if (action === "switch") {
    tabs.show(tab);
    return { outcome: "done", said: `Tab ${tab.number} is shown. Read it.` };
  }
  await tab.page.close();
  return { outcome: "done", said: `Tab ${tab.number} was closed.`, details: await listTabs(session) };
}

async function listTabs(session: BrowserSession): Promise<readonly string[]> {
  return Promise.all(session.tabs.all().map((tab) => describeTab(tab, tab === session.tabs.current())));
}

async function describeTab({ number, page }: Tab, isCurrent: boolean): Promise<string> {
  const title = (await titleOf(page)) ?? "";
  return `tab ${number}${isCurrent ? " (shown)" : ""}: ${page.url().slice(0, 300)} ${JSON.stringify(title.slice(0, 100))}`;
}
