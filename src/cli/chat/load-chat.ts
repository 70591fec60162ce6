// The conversation as it stands: what is needed before following begins.
import type { GatewayClient } from "../../contract/client.ts";
import { CallRefused } from "../../contract/client.ts";
import type { UsageRow } from "../../contract/method.ts";
import type { ChatState, Spending } from "./chat-state.ts";
import { addOpenApprovals, applySession, emptyChat, joinAgain } from "./chat-state.ts";
import { foldEvent } from "./fold-event.ts";

const eventsShown = 200;

export async function loadChat(call: GatewayClient["call"], conversation: string): Promise<ChatState> {
  // asked before the history, so that nothing falls between the two; what comes twice is recognised by its number
  const { lastSeq } = await call("health.check", {});
  let state = emptyChat(conversation);
  const known = await readSession(call, conversation);
  if (known) state = applySession(known.events.reduce(foldEvent, state), known.session);
  const { rows } = await call("usage.get", { sessionKey: conversation });
  const { approvals } = await call("approvals.list", {});
  state = addOpenApprovals(state, approvals);
  return joinAgain({ ...state, lastSeq: Math.max(lastSeq, state.lastSeq), spending: totalSpending(rows) });
}

function totalSpending(rows: readonly UsageRow[]): Spending {
  const total = { inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 };
  for (const row of rows) {
    total.inputTokens += row.usage.inputTokens;
    total.outputTokens += row.usage.outputTokens;
    total.costUsd += row.costUsd;
    total.unpricedCalls += row.unpriced;
  }
  return total;
}

async function readSession(call: GatewayClient["call"], conversation: string) {
  try {
    return await call("sessions.get", { sessionKey: conversation, limit: eventsShown });
  } catch (error) {
    // a conversation begins with its first message
    if (error instanceof CallRefused && error.code === "not_found") return undefined;
    throw error;
  }
}
