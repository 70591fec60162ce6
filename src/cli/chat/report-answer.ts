import type { AnswerItem, ConversationItem, CostItem, PersonItem } from "../../contract/conversation/conversation.ts";
import { isBuiltIn } from "../../contract/conversation/notice-words.ts";
import type { CommandConsole } from "../../contract/room/command.ts";
import type { OpenApproval } from "../../contract/wire/method.ts";
import { spellOut } from "../../contract/words/spell-out.ts";
import { type ChatState, openApprovals } from "./chat-state.ts";
import { plainItem } from "./plain/plain-item.ts";

/** The answer to the last own message goes to the output, warnings to the errors. The exit code is 0 when a model answered, or when there is none but the rules. */
export function reportAnswer(console: CommandConsole, before: ChatState, state: ChatState): number {
  const known = new Set(before.items.map((item) => item.id));
  const question = state.items.findLast(
    (item): item is PersonItem => item.kind === "person" && state.own.has(item.seq),
  );
  const turn = question?.turn;
  const ofTurn = state.items.filter((item) => turn !== undefined && item.turn === turn);
  const answer = ofTurn.findLast((item): item is AnswerItem => item.kind === "answer");
  if (answer) console.output.write(`${plainItem(answer).trimEnd()}\n`);
  for (const item of state.items)
    if (!known.has(item.id) && item.kind === "notice" && item.tone !== "quiet") console.errors.write(plainItem(item));
  const waiting = openApprovals(state).filter((approval) => approval.turn === turn);
  for (const approval of waiting) tellWaiting(console, approval);
  const end = ofTurn.findLast((item): item is CostItem => item.kind === "cost");
  return end?.ending === "answered" && !isStandIn(ofTurn, end) ? 0 : 1;
}

/** The rules answered in place of a model that was asked in vain, which a script must not take for its answer. */
function isStandIn(ofTurn: readonly ConversationItem[], { models }: CostItem): boolean {
  const tookOver = ofTurn.some((item) => item.kind === "notice" && item.help !== undefined);
  return tookOver && models.every(isBuiltIn);
}

export function tellWaiting({ errors }: CommandConsole, { display, approvalId }: OpenApproval): void {
  errors.write(`This waits for your approval:\n${spellOut(display)}\nAllow it with: steward approve ${approvalId}\n`);
}
