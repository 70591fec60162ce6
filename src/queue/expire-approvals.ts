import type { Sender } from "../contract/sender.ts";
import type { World } from "../contract/world.ts";
import type { Database } from "../store/database/database.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { expiredApprovals, nextApprovalExpiryMs } from "../store/tables/approvals.ts";

const steward: Sender = { kind: "system", id: "expiry" };
// longer waits are cut, so that a clock that is set forward is noticed within the hour
const longestWaitMs = 3_600_000;

/** Nobody answering in time means no; one timer is armed for the next question that runs out. */
export async function openApprovalExpiry(deps: {
  world: World;
  log: EventLog;
  database: Database;
  wake(conversation: string): void;
  onTrouble(message: string, cause: unknown): void;
}): Promise<{ close(): void }> {
  let timer: NodeJS.Timeout | undefined;
  const unsubscribe = deps.log.subscribe((events) => {
    if (events.some((event) => event.type === "approval.asked")) void arm();
  });
  await arm();
  return {
    close() {
      unsubscribe();
      clearTimeout(timer);
    },
  };

  async function arm(): Promise<void> {
    try {
      await expire();
      const next = await nextApprovalExpiryMs(deps.database);
      clearTimeout(timer);
      if (next === undefined) return;
      timer = setTimeout(() => void arm(), Math.min(Math.max(next - deps.world.nowMs(), 0), longestWaitMs));
      timer.unref();
    } catch (cause) {
      deps.onTrouble("Questions that ran out could not be closed; the next one tries again.", cause);
    }
  }

  async function expire(): Promise<void> {
    const { events } = await deps.log.appendDecided(async (tx) =>
      (await expiredApprovals(tx, deps.world.nowMs())).map(({ approvalId, callId, turn, conversation }) => {
        return { type: "approval.answered", conversation, turn, approvalId, callId, decision: "expired", by: steward };
      }),
    );
    for (const event of events) deps.wake(event.conversation);
  }
}
