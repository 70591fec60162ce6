import { visibleLine } from "../../visible-text.ts";
import { approvalsElsewhere, openApprovals, shortElsewhere } from "../chat-state.ts";
import type { Chat } from "../open-chat.ts";
import { type CommandOutcome, said } from "./command-outcome.ts";

type Answer = "approve" | "deny";

/** `/approve`, `/approve ID`, `/deny why not`, `/deny ID why not`: without an id the oldest question of this conversation. */
export async function answerApproval(chat: Chat, answer: Answer, argument: string): Promise<CommandOutcome> {
  const state = chat.state();
  if (argument.trim() === "all") return answerAll(chat, answer);
  const [first = "", ...others] = argument.split(/\s+/);
  const here = openApprovals(state).map(({ approvalId }) => approvalId);
  const elsewhere = approvalsElsewhere(state).map(({ approvalId }) => approvalId);
  const named = [...here, ...elsewhere].includes(first);
  const approvalId = named || (answer === "approve" && first !== "") ? first : here[0];
  if (approvalId === undefined) return said(nothingWaits(elsewhere.length));
  const unread = approvalsElsewhere(state).find((approval) => approval.approvalId === approvalId);
  // what is allowed is what was read
  if (answer === "approve" && unread && !shortElsewhere(unread).isWhole)
    return said(`Only its beginning was shown here. Read all of it first: /sessions ${visibleLine(unread.sessionKey)}`);
  if (answer === "approve") await chat.call("exec.approve", { approvalId, always: others[0] === "always" });
  else {
    const reason = (named ? others.join(" ") : argument).trim();
    await chat.call("exec.deny", reason === "" ? { approvalId } : { approvalId, reason });
  }
  return { kind: "done" };
}

async function answerAll(chat: Chat, answer: Answer): Promise<CommandOutcome> {
  const approvalIds = openApprovals(chat.state()).map((approval) => approval.approvalId);
  if (approvalIds.length === 0) return said("Nothing waits for your approval here.");
  await chat.call("approvals.answer", { approvalIds, decision: answer === "approve" ? "approved" : "denied" });
  return { kind: "done" };
}

/** Yes, always or no, and nothing that could be meant otherwise. */
export function isPlainAnswer(line: string): boolean {
  return /^(?:y|yes|a|always|n|no)$/i.test(line.trim());
}

/** A line typed while a question is open: yes, always, no, or the reason for a no. */
export function answerInWords(chat: Chat, approvalId: string, line: string): Promise<CommandOutcome> {
  const words = line.trim();
  if (/^y(es)?$/i.test(words)) return answerApproval(chat, "approve", approvalId);
  if (/^a(lways)?$/i.test(words)) return answerApproval(chat, "approve", `${approvalId} always`);
  return answerApproval(chat, "deny", `${approvalId} ${/^(no?)?$/i.test(words) ? "" : words}`);
}

function nothingWaits(elsewhere: number): string {
  if (elsewhere === 0) return "Nothing waits for your approval.";
  return "Nothing waits for your approval here; in other conversations something does: steward approvals";
}
