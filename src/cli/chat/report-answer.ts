// What became of one message: the answer, and whether it counts as one.
import type {
  AnswerItem,
  ConversationItem,
  CostItem,
  NoticeItem,
  PersonItem,
} from "../../contract/conversation/conversation.ts";
import { isBuiltIn } from "../../contract/conversation/notice-words.ts";
import type { OpenApproval } from "../../contract/wire/method.ts";
import type { ToldFailure } from "../print-failure.ts";
import { type ChatState, openApprovals } from "./chat-state.ts";
import { plainItem } from "./plain/plain-item.ts";

export type AnswerReport = {
  sessionKey: string;
  turn: string | undefined;
  ending: CostItem["ending"] | "waiting" | undefined;
  model: string | undefined;
  answer: string;
  costUsd: number;
  approvals: readonly OpenApproval[];
  notes: readonly string[];
  /** Set when it was not answered, or not by a model although there is one. */
  failure: ToldFailure | undefined;
};

/** About the last own message. */
export function reportAnswer(before: ChatState, state: ChatState): AnswerReport {
  const known = new Set(before.items.map((item) => item.id));
  const turn = state.items.findLast(
    (item): item is PersonItem => item.kind === "person" && state.own.has(item.seq),
  )?.turn;
  const ofTurn = state.items.filter((item) => turn !== undefined && item.turn === turn);
  const said = ofTurn.findLast((item): item is AnswerItem => item.kind === "answer");
  const end = ofTurn.findLast((item): item is CostItem => item.kind === "cost");
  const approvals = openApprovals(state).filter((approval) => approval.turn === turn);
  const notices = state.items.filter(
    (item): item is NoticeItem => !known.has(item.id) && item.kind === "notice" && item.tone !== "quiet",
  );
  const ending = approvals.length > 0 ? "waiting" : end?.ending;
  // what only says how the turn ended is a reply for channels that know no endings
  const isAnswer = said?.ending === undefined;
  const failure =
    end?.ending === "answered" ? standIn(ofTurn, end) : failureOf(ending, isAnswer ? notices.at(-1) : said);
  return {
    ...{ sessionKey: state.key, turn, ending, model: end?.models.at(-1), approvals, failure },
    answer: said && isAnswer ? wordsOf(said) : "",
    costUsd: end?.spending.costUsd ?? 0,
    notes: [...withdrawnBy(before, state), ...notices.map(wordsOf).filter((text) => text !== failure?.message)],
  };
}

/** What was said instead of answering a question has withdrawn it. */
function withdrawnBy(before: ChatState, state: ChatState): readonly string[] {
  const waited = new Set(openApprovals(before).map(({ approvalId }) => approvalId));
  return state.items.flatMap((item) =>
    item.kind === "approval" && item.decision === "withdrawn" && waited.has(item.approval.approvalId)
      ? [`This message took the place of an answer, so the question ${item.approval.approvalId} no longer waits.`]
      : [],
  );
}

/** The rules answered in place of a model that was asked in vain, which a script must not take for its answer. */
function standIn(ofTurn: readonly ConversationItem[], { models }: CostItem): ToldFailure | undefined {
  const tookOver = ofTurn.findLast((item) => item.kind === "notice" && item.help !== undefined);
  return tookOver && models.every(isBuiltIn) ? { code: "no_model", message: wordsOf(tookOver) } : undefined;
}

function failureOf(ending: AnswerReport["ending"], reason: ConversationItem | undefined): ToldFailure {
  if (ending === "waiting") return { code: ending, message: "It waits for your approval." };
  return { code: ending ?? "not_sent", message: reason ? wordsOf(reason) : "It was not answered." };
}

function wordsOf(item: ConversationItem): string {
  return plainItem(item).trim();
}
