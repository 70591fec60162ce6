// In: questions that the log says were asked. Out: one notification to every subscribed browser, if nobody answers at once.
import type { OpenApproval } from "../../contract/wire/method.ts";
import { shortenQuestion } from "../../contract/words/spell-out.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import { listOpenApprovals } from "../../store/tables/approvals.ts";
import type { Notification } from "./send-push.ts";
import { maxTtlSeconds, type TellDeps, tellBrowsers } from "./tell-browsers.ts";

export type ApprovalPush = { close(): Promise<void> };

export type ApprovalPushDeps = TellDeps & {
  log: Pick<EventLog, "subscribe">;
  redact(text: string): string;
  /** Whoever sits in front of it answers by then. */
  quietMs?: number;
  /** Questions that come closer together share a notification. */
  betweenMs?: number;
};

const title = "Steward asks";
const inbox = "/inbox";
const maxBodyCharacters = 200;

/** `asked`: questions that came before it was opened and nobody has been told of. */
export function openApprovalPush(deps: ApprovalPushDeps, asked: readonly string[] = []): ApprovalPush {
  const quietMs = deps.quietMs ?? 1_000;
  const betweenMs = deps.betweenMs ?? 5_000;
  const closing = new AbortController();
  let untold = new Set(asked);
  let timer: NodeJS.Timeout | undefined;
  // kept so that closing can wait for them; a slow push service holds nobody else up
  const sending = new Set<Promise<void>>();
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const unsubscribe = deps.log.subscribe((events) => {
    for (const event of events)
      if (event.type === "approval.asked" || event.type === "approval.reminded") untold.add(event.approvalId);
    if (untold.size > 0) schedule();
  });
  if (untold.size > 0) schedule();
  return {
    async close() {
      unsubscribe();
      clearTimeout(timer);
      closing.abort();
      await Promise.all(sending);
    },
  };

  function schedule(): void {
    if (closing.signal.aborted) return;
    const waitMs = Math.max(quietMs, toldAtMs + betweenMs - deps.nowMs());
    timer ??= setTimeout(() => {
      timer = undefined;
      const told = tell()
        .catch((cause) => deps.onTrouble("Nobody could be told of a question.", cause))
        .finally(() => sending.delete(told));
      sending.add(told);
    }, waitMs).unref();
  }

  async function tell(): Promise<void> {
    const asked = untold;
    untold = new Set();
    const open = await listOpenApprovals(deps.database);
    const fresh = open.filter((approval) => asked.has(approval.approvalId));
    if (fresh.length === 0) return;
    toldAtMs = deps.nowMs();
    const notification = describe(deps.redact, fresh, open.length);
    const ttlSeconds = secondsLeft(fresh, toldAtMs);
    await tellBrowsers(deps, { notification, ttlSeconds, signal: closing.signal });
  }
}

function describe(redact: (text: string) => string, fresh: readonly OpenApproval[], openCount: number): Notification {
  const [only, second] = fresh;
  if (!only || second) return { title, body: `${openCount} questions are waiting.`, url: inbox, tag: "inbox" };
  return { title, body: bodyOf(redact(only.display)), url: inbox, tag: only.approvalId };
}

function bodyOf(display: string): string {
  const { text, isWhole } = shortenQuestion(display, maxBodyCharacters);
  return isWhole ? text : `${text} Open Steward to read all of it.`;
}

function secondsLeft(approvals: readonly OpenApproval[], nowMs: number): number {
  const latestMs = Math.max(...approvals.map((approval) => approval.expiresAtMs));
  return Math.min(maxTtlSeconds, Math.max(0, Math.floor((latestMs - nowMs) / 1000)));
}
