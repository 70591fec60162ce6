// The border to the driver: what it throws becomes a sentence, and a call that is stopped ends at once.
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../../../contract/failure.ts";
import type { ToolContext, ToolResult } from "../../../contract/tool.ts";
import { type Refusal, resultOf } from "../../paths/refusal.ts";
import type { CheckAddress } from "../../proxy/reach-checked.ts";
import type { BrowserLimits } from "../browser-limits.ts";
import { type PageReport, reportPage } from "../page/page-report.ts";
import { untilAborted } from "../within.ts";
import type { BrowserSession } from "./browser-session.ts";
import type { BrowserSessions } from "./browser-sessions.ts";

export type VisitDeps = {
  checkAddress: CheckAddress;
  limits: BrowserLimits;
  sessions: BrowserSessions;
};

/** One call at work on the pages of its conversation. */
export type Visit = VisitDeps & { session: BrowserSession; context: ToolContext; signal: AbortSignal };

type Work = (visit: Visit) => Promise<PageReport | Refusal>;

const goneMs = 200;
const stopped: ToolResult = { outcome: "failed", output: "Stopped before it had finished." };

export async function useSession(deps: VisitDeps, context: ToolContext, work: Work): Promise<ToolResult> {
  const { sessions } = deps;
  const { conversation, signal } = context;
  const running = sessions.hold(conversation, async () => {
    if (signal.aborted) return stopped;
    const entered = await sessions.enter(conversation);
    if ("refused" in entered) return resultOf(entered);
    const { session, news } = entered;
    // told to stop, the driver gives up the step it is at; waiting for that is for the next call, not for this one
    const done = await untilAborted(signal, runWork({ ...deps, session, context, signal }, news, work), stopped);
    await untilAborted(signal, sessions.rest(conversation), undefined);
    return done;
  });
  return untilAborted(signal, running, stopped);
}

async function runWork(visit: Visit, news: string | undefined, work: Work): Promise<ToolResult> {
  const { session, limits } = visit;
  const report = await work(visit).catch((cause) => describeFailure(session, cause));
  const asReport: PageReport = "refused" in report ? { outcome: "failed", said: report.refused } : report;
  const said = [news, asReport.said].filter((words) => words !== undefined).join("\n");
  return reportPage(session, { ...asReport, said }, limits.snapshotCharacters);
}

async function describeFailure(session: BrowserSession, cause: unknown): Promise<PageReport> {
  // a page may be known to be gone a moment before its browser is
  if (cause instanceof Error && /closed/.test(cause.message)) await sleep(goneMs);
  const why = session.running.ended();
  if (why !== undefined) {
    return { outcome: "failed", said: `The browser is gone: ${why}. Its pages are lost; open the address again.` };
  }
  const [first = "", ...log] = reasonOf(cause).split("\n");
  const isTime = /Timeout/.test(first);
  const hint = log.findLast((line) =>
    /intercepts pointer|not visible|not enabled|not stable|not editable|outside/.test(line),
  );
  return {
    outcome: "failed",
    said: isTime
      ? "It was not done in time: the page is busy, or something is in the way. Take a screenshot or read it again."
      : "The page could not do it; read it again.",
    // may quote the page
    details: [`reason: ${(hint ?? first).replace(/^[\s-]+/, "").slice(0, 300)}`],
  };
}
