import type { EventOf } from "../event.ts";
import type { Usage } from "../model.ts";
import type {
  AnswerItem,
  Conversation,
  ConversationItem,
  CostItem,
  CurrentTurn,
  Spending,
  ToolItem,
} from "./conversation.ts";
import { dropItem, findItem, itemId, noSpending, putItem } from "./conversation.ts";
import { endingWords } from "./ending-words.ts";
import { calledTool } from "./fold-tool.ts";
import { shortModel } from "./notice-words.ts";

/** The finished step replaces whatever was shown of it while it was written. */
export function foldStepFinished(conversation: Conversation, event: EventOf<"step.finished">): Conversation {
  const { turn, step, seq } = event;
  let items = dropItem(conversation.items, `retry:${turn}`);
  items = putTakeoverNotice(items, conversation, event);
  const written = { seq, turn, step, streaming: false };
  items = putText(items, event.reasoning, { kind: "reasoning", id: itemId("reasoning", turn, step), ...written });
  items = putText(items, event.text, {
    kind: "answer",
    id: itemId("answer", turn, step),
    ...written,
    partial: false,
    attachments: [],
  });
  items = event.toolCalls.reduce((known, call) => {
    const shown = findItem(known, "tool", itemId("tool", turn, call.callId));
    return shown ? known : putItem(known, calledTool(turn, call, seq));
  }, items);
  return countStep({ ...conversation, items }, event);
}

function putText(
  items: readonly ConversationItem[],
  text: string | undefined,
  rest: Omit<AnswerItem, "text"> | Omit<Extract<ConversationItem, { kind: "reasoning" }>, "text">,
): readonly ConversationItem[] {
  return text === undefined || text.trim() === "" ? dropItem(items, rest.id) : putItem(items, { ...rest, text });
}

function putTakeoverNotice(
  items: readonly ConversationItem[],
  conversation: Conversation,
  event: EventOf<"step.finished">,
): readonly ConversationItem[] {
  const { turn } = conversation;
  const earlierInTurn = turn && turn.finishedStep >= 0 ? conversation.lastModel : undefined;
  const before = turn?.retried ?? earlierInTurn;
  if (before === undefined || before === event.model) return items;
  return putItem(items, {
    kind: "notice",
    id: `takeover:${event.turn}:${event.step}`,
    seq: event.seq,
    tone: "warning",
    text: `${shortModel(before)} did not answer; ${shortModel(event.model)} took over.`,
    turn: event.turn,
  });
}

function countStep(conversation: Conversation, event: EventOf<"step.finished">): Conversation {
  const { turn } = conversation;
  return {
    ...addSpending(conversation, event),
    lastModel: event.model,
    // a model that counts nothing tells nothing about how full it is
    contextTokens: event.usage.inputTokens + event.usage.outputTokens || undefined,
    turn: turn && {
      ...turn,
      finishedStep: event.step,
      joinedMidway: false,
      retried: undefined,
      spending: added(turn.spending, event),
      models: turn.models.includes(event.model) ? turn.models : [...turn.models, event.model],
    },
  };
}

export function addSpending(
  conversation: Conversation,
  event: { seq: number; usage: Usage; costUsd?: number | undefined },
): Conversation {
  // the total that was read with the history holds what happened until then
  if (event.seq <= conversation.spendingThrough) return conversation;
  return { ...conversation, spending: added(conversation.spending, event) };
}

function added(spending: Spending, event: { usage: Usage; costUsd?: number | undefined }): Spending {
  return {
    inputTokens: spending.inputTokens + event.usage.inputTokens,
    outputTokens: spending.outputTokens + event.usage.outputTokens,
    costUsd: spending.costUsd + (event.costUsd ?? 0),
    unpricedCalls: spending.unpricedCalls + (event.costUsd === undefined ? 1 : 0),
  };
}

/** The answer of a turn is usually its last step, which is shown already; anything else the assistant says is added. */
export function foldReplyWritten(conversation: Conversation, event: EventOf<"reply.written">): Conversation {
  const { seq, attachments, turn } = event;
  const text = turn === undefined ? event.text : withoutBeginning(event.text, lastTextOfTurn(conversation.items, turn));
  const shown = turn === undefined ? refusalBefore(conversation) : textOfTurn(conversation.items, turn);
  const said = withoutSpace(shown).includes(withoutSpace(text));
  if (said && attachments.length === 0) return conversation;
  const item: AnswerItem = {
    kind: "answer",
    id: `reply:${seq}`,
    seq,
    turn,
    step: undefined,
    text: said ? "" : text,
    streaming: false,
    partial: false,
    attachments,
  };
  return { ...conversation, items: putItem(conversation.items, item) };
}

// a stopped answer is written as what there was of it with a remark behind; only the remark is new
function withoutBeginning(text: string, beginning: string): string {
  const start = beginning.trim();
  return start !== "" && text.startsWith(start) ? text.slice(start.length).trim() : text;
}

// a refusal is also written as a reply, for channels that show nothing else
function refusalBefore(conversation: Conversation): string {
  const last = conversation.items.at(-1);
  return last?.kind === "notice" && last.id.startsWith("refused:") ? last.text : "";
}

export function foldTurnFinished(conversation: Conversation, event: EventOf<"turn.finished">): Conversation {
  const { turn, seq, ending } = event;
  const words = endingWords(ending, event.detail);
  let items = dropItem(conversation.items, `retry:${turn}`);
  // a step cut off before it was written down has no finished text; what was seen of it stays
  items = items.map((item) => closeItem(item, turn));
  // channels that know no endings get it as a reply; here it is a remark
  if (words) items = items.filter((item) => !(isReplyOf(item, turn) && bareWords(item.text) === bareWords(words.text)));
  const repeated = words && withoutSpace(textOfTurn(items, turn)).includes(withoutSpace(words.text));
  if (words && !repeated) items = putItem(items, { kind: "notice", id: `ending:${turn}`, seq, ...words, turn });
  const isCurrent = conversation.turn?.id === turn;
  items = putItem(items, costItem(isCurrent ? conversation.turn : undefined, event));
  return { ...conversation, items, turn: isCurrent ? undefined : conversation.turn };
}

function costItem(known: CurrentTurn | undefined, event: EventOf<"turn.finished">): CostItem {
  const { turn, seq, ending, atMs } = event;
  const waitedMs = (known?.waitedMs ?? 0) + (known?.waitingSinceMs === undefined ? 0 : atMs - known.waitingSinceMs);
  return {
    kind: "cost",
    id: `cost:${turn}`,
    seq,
    turn,
    spending: known?.spending ?? noSpending,
    models: known?.models ?? [],
    durationMs: known ? Math.max(0, atMs - known.startedAtMs - waitedMs) : 0,
    ending,
    whole: known?.wholeSeen ?? false,
  };
}

function closeItem(item: ConversationItem, turn: string): ConversationItem {
  if (!("turn" in item) || item.turn !== turn) return item;
  if (item.kind === "answer" || item.kind === "reasoning") return item.streaming ? { ...item, streaming: false } : item;
  return item.kind === "tool" ? closeTool(item) : item;
}

function closeTool(item: ToolItem): ToolItem {
  if (item.status === "running") return { ...item, status: "unknown" };
  return item.status === "called" || item.status === "waiting" ? { ...item, status: "stopped" } : item;
}

function isReplyOf(item: ConversationItem, turn: string): item is AnswerItem {
  return item.kind === "answer" && item.turn === turn && item.step === undefined;
}

function bareWords(text: string): string {
  return withoutSpace(text).replace(/^\((.*)\)$/, "$1");
}

function lastTextOfTurn(items: readonly ConversationItem[], turn: string): string {
  const last = items.findLast((item) => item.kind === "answer" && item.turn === turn);
  return last?.kind === "answer" ? last.text : "";
}

function textOfTurn(items: readonly ConversationItem[], turn: string): string {
  return items.map((item) => (item.kind === "answer" && item.turn === turn ? item.text : "")).join("\n");
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}
