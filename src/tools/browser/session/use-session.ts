// The border to the driver: what it throws becomes a sentence, and a call that is stopped ends at once.
import { setTimeout as sleep } from "node:timers/promises";
import type { ToolContext, ToolResult } from "../../../contract/tool.ts";
import { type Refusal, resultOf } from "../../paths/refusal.ts";
import type { BrowserLimits } from "../browser-limits.ts";
import { type PageReport, reportPage } from "../page/page-report.ts";
import { untilAborted } from "../within.ts";
import type { BrowserSession } from "./browser-session.ts";
import type { BrowserSessions, Entered } from "./browser-sessions.ts";

export type UseDeps = { sessions: BrowserSessions; limits: BrowserLimits };

const goneMs = 200;
const stopped: ToolResult = { outcome: "failed", output: "Stopped before it had finished." };

export async function useSession(
  deps: UseDeps,
  context: ToolContext,
  work: (session: BrowserSession) => Promise<PageReport | Refusal>,
): Promise<ToolResult> {
  const { sessions } = deps;
  const { conversation, signal } = context;
  const running = sessions.hold(conversation, async () => {
    if (signal.aborted) return stopped;
    const entered = await enter(sessions, conversation);
    if ("refused" in entered) return resultOf(entered);
    const { session, news } = entered;
    // told to stop, the driver gives up the step it is at; waiting for that is for the next call, not for this one
    const done = await untilAborted(signal, runWork(deps, session, { news, work, signal }));
    await untilAborted(signal, sessions.rest(conversation));
    return done === "aborted" ? stopped : done;
  });
  const result = await untilAborted(signal, running);
  return result === "aborted" ? stopped : result;
}

async function enter(sessions: BrowserSessions, conversation: string): Promise<Entered | Refusal> {
  try {
    return await sessions.enter(conversation);
  } catch (cause) {
    // it may end at the very moment in which it is needed
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    return { refused: `The browser could not be used: ${reason}. Try again.` };
  }
}

async function runWork(
  deps: UseDeps,
  session: BrowserSession,
  given: {
    news: string | undefined;
    work: (session: BrowserSession) => Promise<PageReport | Refusal>;
    signal: AbortSignal;
  },
): Promise<ToolResult> {
  const report = await given.work(session).catch((cause) => describeFailure(session, cause));
  const asReport: PageReport = "refused" in report ? { outcome: "failed", said: report.refused } : report;
  const said = [given.news, asReport.said].filter((words) => words !== undefined).join("\n");
  return reportPage(session, { ...asReport, said }, deps.limits.snapshotCharacters);
}

async function describeFailure(session: BrowserSession, cause: unknown): Promise<PageReport> {
  // a page may be known to be gone a moment before its browser is
  if (cause instanceof Error && /closed/.test(cause.message)) await sleep(goneMs);
  const why = session.running.ended();
  if (why !== undefined) {
    return { outcome: "failed", said: `The browser is gone: ${why}. Its pages are lost; open the address again.` };
  }
  const [first = "", ...log] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
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
