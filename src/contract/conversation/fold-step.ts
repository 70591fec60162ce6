import type { EventOf } from "../event.ts";
import type { ModelTrouble } from "../model.ts";
import type { AnswerItem, Help, ReasoningItem } from "./conversation.ts";
import { calledTool } from "./fold-tool.ts";
import { type Draft, dropItem, findItem, itemId, putBefore, putItem, putNotice } from "./item-list.ts";
import { failedWords, takeoverWords } from "./notice-words.ts";
import { addUsage } from "./spending.ts";

/** The finished step replaces whatever was shown of it while it was written. */
export function foldStepFinished(draft: Draft, event: EventOf<"step.finished">): void {
  const { turn, step, seq } = event;
  dropItem(draft, `retry:${turn}`);
  noteTakeover(draft, event);
  const written = { seq, turn, step, streaming: false };
  const answer = { id: itemId("answer", turn, step), ...written, partial: false, attachments: [] };
  const calls = event.toolCalls.map((call) => itemId("tool", turn, call.callId));
  const reasoning = { id: itemId("reasoning", turn, step), ...written };
  putText(draft, event.reasoning, { kind: "reasoning", ...reasoning }, [answer.id, ...calls]);
  putText(draft, event.text, { kind: "answer", ...answer }, calls);
  for (const call of event.toolCalls)
    if (!findItem(draft, "tool", itemId("tool", turn, call.callId))) putItem(draft, calledTool(turn, call, seq));
  countStep(draft, event);
}

function putText(
  draft: Draft,
  text: string | undefined,
  rest: Omit<AnswerItem, "text"> | Omit<ReasoningItem, "text">,
  laterIds: readonly string[],
): void {
  if (text === undefined || text.trim() === "") dropItem(draft, rest.id);
  else putBefore(draft, { ...rest, text }, laterIds);
}

function noteTakeover(draft: Draft, event: EventOf<"step.finished">): void {
  const { turn } = draft;
  const earlierInTurn = turn && turn.finishedStep >= 0 ? draft.lastModel : undefined;
  const failed = turn?.failed;
  const before = failed?.model ?? earlierInTurn;
  if (before === undefined || before === event.model) return;
  const text = takeoverWords(before, event.model, failed);
  // a turn of several steps says it once
  if (draft.items.some((item) => item.kind === "notice" && item.turn === event.turn && item.text === text)) return;
  const help = failed && helpFor(failed.kind);
  const id = `takeover:${event.turn}:${event.step}`;
  // what was written meanwhile stands below the line that says by whom
  const later = [itemId("reasoning", event.turn, event.step), itemId("answer", event.turn, event.step)];
  const calls = event.toolCalls.map((call) => itemId("tool", event.turn, call.callId));
  const notice = { kind: "notice" as const, id, seq: draft.lastSeq, tone: "warning" as const };
  putBefore(draft, { ...notice, text, help, turn: event.turn }, [...later, ...calls]);
}

/** Told until something comes of the step: a page that is opened meanwhile sees what it waits for. */
export function foldModelFailed(draft: Draft, { step, turn, ...failed }: EventOf<"model.failed">): void {
  // what a tool asks a model in vain is told in the tool's own result
  if (step === undefined || !draft.turn) return;
  draft.turn = { ...draft.turn, failed };
  dropItem(draft, `retry:${turn}`);
  putNotice(draft, `retry:${turn}`, { tone: "quiet", text: failedWords(failed), turn });
}

export function helpFor(kind: ModelTrouble): Help | undefined {
  if (kind === "credentials" || kind === "bad_request") return "setup";
  return kind === "rate_limit" || kind === "overloaded" || kind === "network" ? "again" : undefined;
}

/** What a tool has asked a model on the turn's account is part of what the turn cost. */
export function countModelCall(draft: Draft, event: EventOf<"model.called" | "step.finished">): void {
  const { turn } = draft;
  // the total that was read with the history holds what happened until then
  if (event.seq > draft.spendingThrough) draft.spending = addUsage(draft.spending, event);
  draft.turn = turn && {
    ...turn,
    spending: addUsage(turn.spending, event),
    models: turn.models.includes(event.model) ? turn.models : [...turn.models, event.model],
  };
}

function countStep(draft: Draft, event: EventOf<"step.finished">): void {
  countModelCall(draft, event);
  draft.lastModel = event.model;
  // a model that counts nothing tells nothing about how full it is
  draft.contextTokens = event.usage.inputTokens + event.usage.outputTokens || undefined;
  draft.turn = draft.turn && { ...draft.turn, finishedStep: event.step, joinedMidway: false, failed: undefined };
}
