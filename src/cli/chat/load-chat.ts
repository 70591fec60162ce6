// The conversation as it stands: what is needed before following begins.

import { foldConversation, joinMidway } from "../../contract/conversation/fold-conversation.ts";
import { addOpenApprovals } from "../../contract/conversation/open-approval.ts";
import { totalSpending } from "../../contract/conversation/spending.ts";
import { CallRefused, type GatewayClient } from "../../contract/wire/client.ts";
import { type ChatState, emptyChat } from "./chat-state.ts";

const eventsShown = 200;

export async function loadChat(call: GatewayClient["call"], key: string): Promise<ChatState> {
  // asked before the history, so that nothing falls between the two; what comes twice is recognised by its number
  const { lastSeq } = await call("health.check", {});
  const known = await readSession(call, key);
  const { rows } = await call("usage.get", { sessionKey: key });
  const { approvals } = await call("approvals.list", {});
  const events = known?.events ?? [];
  const through = Math.max(lastSeq, events.at(-1)?.seq ?? 0);
  const beginning: ChatState = {
    ...emptyChat(key),
    modelWish: known?.session.model,
    thinking: known?.session.thinking,
    agent: known?.session.agent,
    spending: totalSpending(rows),
    spendingThrough: through,
    followedThrough: through,
    approvals,
  };
  return joinMidway(addOpenApprovals(foldConversation(beginning, events), approvals));
}

async function readSession(call: GatewayClient["call"], key: string) {
  try {
    return await call("sessions.get", { sessionKey: key, maxEvents: eventsShown });
  } catch (error) {
    // a conversation begins with its first message
    if (error instanceof CallRefused && error.code === "not_found") return undefined;
    throw error;
  }
}
