// A conversation as a client shows it: what a person sees, in order, and what goes on right now.
import type { AttachmentRef } from "../attachment.ts";
import type { ApprovalDecision, ToolOutcome, TurnEnding } from "../event.ts";
import type { FileChange } from "../file-change.ts";
import type { FailedAttempt, ThinkingLevel } from "../model.ts";
import type { RunRef } from "../task/task.ts";
import type { OpenApproval } from "../wire/method.ts";
import { noSpending, type Spending } from "./spending.ts";

export type ToolStatus = "called" | "running" | "waiting" | ToolOutcome;
/** `text` is what a person asked this client for, such as a list of commands. */
export type NoticeTone = "quiet" | "text" | "warning" | "error";

/** What mends it: another key or model, or only to ask once more. */
export type Help = "setup" | "again";

type Placed = {
  /** Stays the same while the item changes, and over a reload. */
  id: string;
  /** The number of the event that brought it, or the last one before it when no event did. */
  seq: number;
};
export type PersonItem = Placed & {
  kind: "person";
  atMs: number;
  text: string;
  /** The name of a sender who is not the owner. */
  from?: string | undefined;
  attachments: readonly AttachmentRef[];
  /** Nobody said it just now: a task asks for it. */
  run?: RunRef | undefined;
  /** What came with it that its sender has not written. */
  data?: string | undefined;
  /** The turn that took the message. */
  turn?: string | undefined;
};
/** reminder: its own words. answer: what a run of it has found. question: it waits for the owner. */
export type SpeakingTask = {
  id: string;
  title: string;
  says: "reminder" | "answer" | "question";
  /** The approval that its question is about. */
  ask?: string | undefined;
};
export type AnswerItem = Placed & {
  kind: "answer";
  turn?: string | undefined;
  step?: number | undefined;
  text: string;
  streaming: boolean;
  /** The beginning was not seen; the finished text will replace this one. */
  partial: boolean;
  attachments: readonly AttachmentRef[];
  /** A task speaks, and not in answer to this conversation. */
  task?: SpeakingTask | undefined;
  /** Of a step: the number of the reply that says the same. */
  reply?: number | undefined;
  /** Set when it only says how the turn ended, which is written as a reply for channels that know no endings. */
  ending?: NoticeTone;
  help?: Help | undefined;
};
export type ReasoningItem = Placed & {
  kind: "reasoning";
  turn: string;
  step: number;
  text: string;
  streaming: boolean;
};
export type ToolItem = Placed & {
  kind: "tool";
  turn: string;
  callId: string;
  tool: string;
  arguments: unknown;
  status: ToolStatus;
  startedAtMs?: number | undefined;
  durationMs?: number | undefined;
  /** The latest line it told while running, as it came. */
  progress?: string | undefined;
  output?: string | undefined;
  attachments: readonly AttachmentRef[];
  changes: readonly FileChange[];
  /** The number of its tool.returned event: what is named to take the changes back. */
  returned?: number | undefined;
  undone: boolean;
};
export type ApprovalItem = Placed & {
  kind: "approval";
  turn: string;
  callId?: string | undefined;
  approval: OpenApproval;
  decision?: ApprovalDecision | undefined;
  because?: string | undefined;
};
export type NoticeItem = Placed & {
  kind: "notice";
  tone: NoticeTone;
  text: string;
  /** More to read for whoever wants it. */
  detail?: string;
  help?: Help | undefined;
  turn?: string | undefined;
  /** The number of the event that tells what was recalled. */
  recalled?: number | undefined;
};
export type CostItem = Placed & {
  kind: "cost";
  turn: string;
  spending: Spending;
  models: readonly string[];
  /** How long it worked, without the time it waited for a person. */
  durationMs: number;
  ending: TurnEnding;
  /** False when only the end of the turn was read, so that the figures tell nothing. */
  whole: boolean;
};
export type ConversationItem =
  | PersonItem
  | AnswerItem
  | ReasoningItem
  | ToolItem
  | ApprovalItem
  | NoticeItem
  | CostItem;

export type CurrentTurn = {
  id: string;
  startSeq: number;
  startedAtMs: number;
  /** Set while it waits for a person. */
  waitingSinceMs?: number | undefined;
  waitedMs: number;
  stopping: boolean;
  /** The last step whose text is in the log; live signals up to it come too late. */
  finishedStep: number;
  /** This client joined while a step was being written, so its beginning is missing. */
  joinedMidway: boolean;
  /** How the step under way was last asked for in vain. */
  failed?: FailedAttempt | undefined;
  /** False when the history that was read begins in the middle of it. */
  wholeSeen: boolean;
  spending: Spending;
  models: readonly string[];
};

export type Conversation = {
  key: string;
  /** Everything of this conversation up to this number has been taken in. */
  lastSeq: number;
  items: readonly ConversationItem[];
  /** Messages that no turn has taken yet; each joins the others where it is taken. */
  waiting: readonly PersonItem[];
  turn?: CurrentTurn | undefined;
  /** Turns that were set aside; whatever still comes from them is no part of the conversation. */
  goneTurns: readonly string[];
  /** What this conversation was set to; undefined leaves the choice to the settings. */
  modelWish?: string | undefined;
  thinking?: ThinkingLevel | undefined;
  agent?: string | undefined;
  title?: string | undefined;
  /** The model that wrote the last step since one was chosen. */
  lastModel?: string | undefined;
  /** How much the model had before it in the last step. */
  contextTokens?: number | undefined;
  spending: Spending;
  /** Events up to this number are part of the spending already. */
  spendingThrough: number;
  deleted: boolean;
};

export function emptyConversation(key: string): Conversation {
  return {
    ...{ key, lastSeq: 0, items: [], waiting: [], goneTurns: [] },
    ...{ spending: noSpending, spendingThrough: 0, deleted: false },
  };
}
