// The nouns of the log: everything that happened, and everything a client shows is a fold over these.
import { z } from "zod";
import { AttachmentRef } from "./attachment.ts";
import { FileChange } from "./file-change.ts";
import { ModelCall, ThinkingLevel, ToolCall, Usage } from "./model.ts";
import { Scope } from "./wire/access.ts";

export const Sender = z.object({
  // system: Steward itself, when a time runs out
  kind: z.enum(["owner", "group", "stranger", "system"]),
  id: z.string(),
  name: z.string().optional(),
});
export type Sender = z.infer<typeof Sender>;

export const ToolOutcome = z.enum(["done", "failed", "denied", "stopped", "unknown"]);
export type ToolOutcome = z.infer<typeof ToolOutcome>;

export const TurnEnding = z.enum([
  "answered",
  "stopped",
  "step_limit",
  "no_progress",
  "unavailable",
  "budget",
  "failed",
]);
export type TurnEnding = z.infer<typeof TurnEnding>;

const place = {
  seq: z.number().int().positive(),
  atMs: z.number(),
  conversation: z.string(),
};
const inTurn = { ...place, turn: z.string() };

const MessageReceived = z.object({
  type: z.literal("message.received"),
  ...place,
  messageId: z.string(),
  channel: z.string(),
  sender: Sender,
  text: z.string(),
  attachments: z.array(AttachmentRef).default([]),
});
const MessageRefused = z.object({
  type: z.literal("message.refused"),
  ...place,
  messageId: z.string(),
  channel: z.string(),
  sender: Sender,
  text: z.string(),
  reason: z.string(),
});
const TurnStarted = z.object({ type: z.literal("turn.started"), ...inTurn, messages: z.array(z.number()) });
// a new process took up a turn that another one left in the middle
const TurnResumed = z.object({ type: z.literal("turn.resumed"), ...inTurn });
const TurnSteered = z.object({ type: z.literal("turn.steered"), ...inTurn, messages: z.array(z.number()) });
const TurnWaiting = z.object({ type: z.literal("turn.waiting"), ...inTurn, approvals: z.array(z.string()) });
const StopRequested = z.object({ type: z.literal("turn.stop_requested"), ...inTurn, by: Sender });
const TurnFinished = z.object({
  type: z.literal("turn.finished"),
  ...inTurn,
  ending: TurnEnding,
  detail: z.string().optional(),
});
const StepFinished = z.object({
  type: z.literal("step.finished"),
  ...inTurn,
  step: z.number().int().nonnegative(),
  model: z.string(),
  text: z.string(),
  reasoning: z.string().optional(),
  toolCalls: z.array(ToolCall),
  // what the provider wants back in the next request (signatures, item ids); opaque to everyone else
  providerState: z.unknown().optional(),
  finish: z.enum(["stop", "tool_calls", "length", "refused", "stopped"]),
  usage: Usage,
  costUsd: z.number().optional(),
  durationMs: z.number().optional(),
});
const ToolSent = z.object({
  type: z.literal("tool.sent"),
  ...inTurn,
  callId: z.string(),
  tool: z.string(),
  // what the tool wrote down before acting, so that a later process can find out what became of it
  claim: z.unknown().optional(),
});
const ToolReturned = z.object({
  type: z.literal("tool.returned"),
  ...inTurn,
  callId: z.string(),
  tool: z.string(),
  outcome: ToolOutcome,
  output: z.string(),
  attachments: z.array(AttachmentRef).default([]),
  durationMs: z.number().optional(),
  // where untrusted text in the output comes from, and which files now hold such text
  labels: z.array(z.string()).default([]),
  files: z.array(z.object({ path: z.string(), labels: z.array(z.string()) })).default([]),
  // what it did to files, so that a person can take it back
  changes: z.array(FileChange).default([]),
  // what it has asked a model on the turn's account
  modelCalls: z.array(ModelCall).optional(),
});
const ApprovalAsked = z.object({
  type: z.literal("approval.asked"),
  ...inTurn,
  approvalId: z.string(),
  callId: z.string(),
  tool: z.string(),
  arguments: z.unknown(),
  // hash over tool, exact arguments and working directory: what is approved is what runs
  binding: z.string(),
  display: z.string(),
  rule: z.string(),
  reason: z.string(),
  // what untrusted text the conversation has taken in by then
  labels: z.array(z.string()).default([]),
  expiresAtMs: z.number(),
});
export const ApprovalDecision = z.enum(["approved", "denied", "expired", "withdrawn"]);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;
const ApprovalAnswered = z.object({
  type: z.literal("approval.answered"),
  ...inTurn,
  approvalId: z.string(),
  callId: z.string(),
  decision: ApprovalDecision,
  by: Sender,
  reason: z.string().optional(),
  // "always": the binding of a call that is not asked about again
  grants: z.string().optional(),
});
const ChangesUndone = z.object({
  type: z.literal("changes.undone"),
  ...place,
  // the number of the tool.returned event whose changes were taken back
  returned: z.number().int().positive(),
  by: Sender,
  output: z.string(),
});
const ReplyWritten = z.object({
  type: z.literal("reply.written"),
  ...place,
  turn: z.string().optional(),
  channel: z.string(),
  text: z.string(),
  attachments: z.array(AttachmentRef).default([]),
});
const ReplyDelivered = z.object({
  type: z.literal("reply.delivered"),
  ...place,
  turn: z.string().optional(),
  reply: z.number().int().positive(),
  channel: z.string(),
});
const ConversationConfigured = z.object({
  type: z.literal("conversation.configured"),
  ...place,
  title: z.string().optional(),
  model: z.string().nullable().optional(),
  thinking: ThinkingLevel.nullable().optional(),
  agent: z.string().nullable().optional(),
});
const ConversationCompacted = z.object({
  type: z.literal("conversation.compacted"),
  ...place,
  turn: z.string().optional(),
  // everything up to and including this sequence number is replaced by the summary in what the model sees
  throughSeq: z.number().int(),
  summary: z.string(),
  messagesBefore: z.number().int(),
  messagesAfter: z.number().int(),
  model: z.string(),
  usage: Usage,
  costUsd: z.number().optional(),
});
// the owner said something else instead: what lies from this number up to here is no part of the conversation any more
const ConversationRewound = z.object({
  type: z.literal("conversation.rewound"),
  ...place,
  fromSeq: z.number().int().positive(),
  by: Sender,
});
// its other events are gone, their numbers are not given again
const ConversationDeleted = z.object({ type: z.literal("conversation.deleted"), ...place, by: Sender });
const AccessGranted = z.object({
  type: z.literal("access.granted"),
  ...place,
  tokenId: z.string(),
  name: z.string(),
  scope: Scope,
  by: Sender,
});
const AccessRevoked = z.object({ type: z.literal("access.revoked"), ...place, tokenId: z.string(), by: Sender });
const SettingsChanged = z.object({
  type: z.literal("settings.changed"),
  ...place,
  keys: z.array(z.string()),
  by: Sender,
});

export const Event = z.discriminatedUnion("type", [
  MessageReceived,
  MessageRefused,
  TurnStarted,
  TurnResumed,
  TurnSteered,
  TurnWaiting,
  StopRequested,
  TurnFinished,
  StepFinished,
  ToolSent,
  ToolReturned,
  ApprovalAsked,
  ApprovalAnswered,
  ChangesUndone,
  ReplyWritten,
  ReplyDelivered,
  ConversationConfigured,
  ConversationCompacted,
  ConversationRewound,
  ConversationDeleted,
  AccessGranted,
  AccessRevoked,
  SettingsChanged,
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event["type"];
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;

const knownTypes: ReadonlySet<string> = new Set(Event.options.map((option) => option.shape.type.value));
const OtherEvent = z
  .looseObject({ type: z.string().regex(/^[a-z_]+\.[a-z_]+$/), ...place, turn: z.string().optional() })
  .refine(({ type }) => !knownTypes.has(type));

/**
 * An event as the log holds it, also of a kind that only its own room or another version of the program knows. Whoever folds
 * the log passes over kinds that are not listed above, so the type leaves them out.
 */
export const LoggedEvent = z.union([Event, OtherEvent]) as unknown as typeof Event;

export function parseEvent(value: unknown): Event {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  return typeof type === "string" && !isListed(type) ? LoggedEvent.parse(value) : Event.parse(value);
}

/** False: its kind belongs to another room or another version, and what its fields mean is not known here. */
export function isListed(type: string): type is EventType {
  return knownTypes.has(type);
}

/** What concerns the whole installation and no conversation is written under this key; it stands so in existing logs. */
export const installationKey = "steward--house";

// the log gives the sequence number, the time and what may be left out
type WithoutPlace<E> = E extends { type: EventType } ? Omit<E, "seq" | "atMs"> : never;
export type NewEvent = WithoutPlace<z.input<typeof Event>>;
