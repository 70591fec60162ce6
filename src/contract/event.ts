// The nouns of the log: everything that happened, and everything a client shows is a fold over these.
import { z } from "zod";
import { AttachmentRef } from "./attachment.ts";
import { channelEvents } from "./channel/channel-events.ts";
import { event, turnEvent } from "./event-shape.ts";
import { FileChange } from "./file-change.ts";
import { memoryEvents } from "./memory/memory-events.ts";
import { FailedAttempt, ModelCall, ThinkingLevel, ToolCall, Usage } from "./model.ts";
import { Sender } from "./sender.ts";
import { RunRef, TaskDefinition } from "./task/task.ts";
import { Scope } from "./wire/access.ts";

export const ToolOutcome = z.enum(["done", "failed", "denied", "stopped", "unknown"]);
export type ToolOutcome = z.infer<typeof ToolOutcome>;

const endings = [
  "answered",
  "stopped",
  "step_limit",
  "no_progress",
  "unavailable",
  "refused",
  "budget",
  "failed",
] as const;
export const TurnEnding = z.enum(endings);
export type TurnEnding = z.infer<typeof TurnEnding>;

export const ApprovalDecision = z.enum(["approved", "denied", "expired", "withdrawn"]);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

const message = { messageId: z.string(), channel: z.string(), sender: Sender, text: z.string() };
const call = { callId: z.string(), tool: z.string() };
const labels = z.array(z.string()).default([]);
const attachments = z.array(AttachmentRef).default([]);
/** `run`: the words are the run itself, which needed no model. `ask`: it is a question of this task that waits. */
const TaskVoice = z.object({
  id: z.string(),
  title: z.string(),
  run: RunRef.optional(),
  ask: z.string().optional(),
});
const visitor = { from: z.string(), client: z.string() };
const ofSomeTurn = { turn: z.string().optional() };

export const Event = z.discriminatedUnion("type", [
  event("message.received", {
    ...message,
    attachments,
    // what came with it that its sender has not written, such as the body of a request; nobody's words to obey
    data: z.string().optional(),
    // where such words come from, and those of the conversation in which its task was made
    labels: z.array(z.string()).optional(),
    // it begins a run of a task
    run: RunRef.optional(),
    // the assistant has written these words for later, and of the places in them these are the owner's
    named: z.array(z.string()).optional(),
  }),
  // it waited for its turn and is not to be answered any more
  event("message.withdrawn", { message: z.number().int().positive(), by: Sender }),
  event("message.refused", { ...message, reason: z.string() }),
  turnEvent("turn.started", { messages: z.array(z.number()) }),
  // a new process took up a turn that another one left in the middle
  turnEvent("turn.resumed", {}),
  // a process that was told to end put it down for the next one; one that dies writes nothing
  turnEvent("turn.interrupted", {}),
  turnEvent("turn.steered", { messages: z.array(z.number()) }),
  turnEvent("turn.waiting", { approvals: z.array(z.string()) }),
  turnEvent("turn.stop_requested", { by: Sender }),
  turnEvent("turn.finished", { ending: TurnEnding, detail: z.string().optional() }),
  turnEvent("step.finished", {
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
  }),
  // claim: what the tool wrote down before acting, so that a later process can find out what became of it
  // bits: the most that others can have learnt from it, if nobody was asked and untrusted text may have chosen it
  turnEvent("tool.sent", { ...call, claim: z.unknown().optional(), bits: z.number().optional() }),
  turnEvent("tool.returned", {
    ...call,
    outcome: ToolOutcome,
    output: z.string(),
    attachments,
    durationMs: z.number().optional(),
    // where untrusted text in the output comes from, and which files now hold such text
    labels,
    // addresses that stood on the pages it read, and may be followed as they stood
    links: z.array(z.string()).optional(),
    // stamp: without labels, what the file was when its words were vouched for
    files: z
      .array(z.object({ path: z.string(), labels: z.array(z.string()), stamp: z.string().optional() }))
      .default([]),
    // what it did to files, so that a person can take it back
    changes: z.array(FileChange).default([]),
    // what it has asked a model, in a log that holds no model.called for it
    modelCalls: z.array(ModelCall).optional(),
  }),
  // a model was asked in vain; what was done about it follows
  // step: the turn's own; without one a tool has asked
  turnEvent("model.failed", { step: z.number().int().nonnegative().optional(), ...FailedAttempt.shape }),
  // a tool has asked a model on the turn's account
  turnEvent("model.called", { ...call, ...ModelCall.shape }),
  turnEvent("approval.asked", {
    approvalId: z.string(),
    ...call,
    arguments: z.unknown(),
    // hash over tool, exact arguments and working directory: what is approved is what runs
    binding: z.string(),
    display: z.string(),
    // of a command
    workingDir: z.string().optional(),
    rule: z.string(),
    reason: z.string(),
    // an "always" would not hold
    eachTime: z.literal(true).optional(),
    // what untrusted text the conversation has taken in by then
    labels,
    expiresAtMs: z.number(),
  }),
  turnEvent("approval.answered", {
    approvalId: z.string(),
    callId: z.string(),
    decision: ApprovalDecision,
    by: Sender,
    reason: z.string().optional(),
    // "always": the binding of a call that is not asked about again
    grants: z.string().optional(),
  }),
  // nobody has answered for a while, and the owner is told once more
  event("approval.reminded", { turn: z.string(), approvalId: z.string() }),
  // returned: the number of the tool.returned event whose changes were taken back
  event("changes.undone", {
    ...{ returned: z.number().int().positive(), by: Sender, output: z.string() },
    // whose words the files hold again
    files: z.array(z.object({ path: z.string(), labels })).default([]),
  }),
  event("reply.written", {
    ...ofSomeTurn,
    ...{ channel: z.string(), text: z.string(), attachments },
    // it was not said in answer to this conversation: a task speaks
    task: TaskVoice.optional(),
    // it puts this approval before the owner, which may belong to another conversation
    asks: z.string().optional(),
    // where untrusted words in it come from
    labels: z.array(z.string()).optional(),
  }),
  ...channelEvents,
  ...memoryEvents,
  event("conversation.configured", {
    // US dollars that one turn in it may cost
    budgetUsd: z.number().positive().nullable().optional(),
    title: z.string().optional(),
    model: z.string().nullable().optional(),
    thinking: ThinkingLevel.nullable().optional(),
    agent: z.string().nullable().optional(),
  }),
  event("conversation.compacted", {
    ...ofSomeTurn,
    // everything up to and including this sequence number is replaced by the summary in what the model sees
    throughSeq: z.number().int(),
    summary: z.string(),
    messagesBefore: z.number().int(),
    messagesAfter: z.number().int(),
    model: z.string(),
    usage: Usage,
    costUsd: z.number().optional(),
  }),
  // what was said before is no part of the conversation any more
  event("conversation.renewed", { by: Sender }),
  // the owner said something else instead: what lies from this number up to here is no part of the conversation any more
  event("conversation.rewound", { fromSeq: z.number().int().positive(), by: Sender }),
  // its other events are gone, their numbers are not given again
  event("conversation.deleted", { by: Sender }),
  // and so is every word of it elsewhere; digest: over what is left of it in the audit log, line by line
  // seqs: only these of its events went, as messages.forgotten says
  event("conversation.forgotten", {
    key: z.string(),
    throughSeq: z.number().int().positive(),
    seqs: z.array(z.number().int().positive()).optional(),
    lines: z.number().int().nonnegative(),
    digest: z.string(),
  }),
  event("task.made", {
    task: z.string(),
    definition: TaskDefinition,
    by: Sender,
    madeIn: z.string(),
    labels,
    nextAtMs: z.number().optional(),
    stamp: z.string().optional(),
    // as in message.received
    named: z.array(z.string()).optional(),
    // 0: made by a person, or in a conversation with one; 1: made by a run of such a task, and so on
    generation: z.number().int().nonnegative().optional(),
  }),
  // stamp: what the file that it waits for is now
  // definition, named, labels: as they are from now on; nextAtMs: null, never again; named: null, all its words are the owner's
  event("task.changed", {
    task: z.string(),
    definition: TaskDefinition.optional(),
    state: z.enum(["active", "paused"]).optional(),
    nextAtMs: z.number().nullable().optional(),
    stamp: z.string().optional(),
    named: z.array(z.string()).nullable().optional(),
    labels: z.array(z.string()).optional(),
    by: Sender,
  }),
  event("task.ended", { task: z.string(), why: z.enum(["done", "condition", "cancelled", "expired"]), by: Sender }),
  // times that passed without a run
  event("task.skipped", {
    ...RunRef.shape,
    why: z.enum(["missed", "busy"]),
    times: z.number().int().positive(),
  }),
  // run: the message that began it; to: the conversation that was told
  event("task.settled", {
    task: z.string(),
    run: z.string(),
    how: z.enum(["delivered", "quiet", "repeated", "kept", "retried"]),
    to: z.string().optional(),
  }),
  // something that the next heartbeat should know
  event("heartbeat.noted", { kind: z.enum(["command", "task", "note"]), text: z.string(), labels }),
  event("access.granted", { tokenId: z.string(), name: z.string(), scope: Scope, by: Sender }),
  event("access.revoked", { tokenId: z.string(), by: Sender }),
  // the first time in a day by this token or session from this place; never what it was shown by
  event("access.signed_in", {
    tokenId: z.string(),
    name: z.string(),
    how: z.enum(["code", "token", "session"]),
    ...visitor,
  }),
  // times: how often since the line before it that says the same; tokenId: one that was ours and has ended
  event("access.refused", {
    what: z.enum(["code", "token", "session", "locked out"]),
    ...visitor,
    times: z.number().int().positive(),
    tokenId: z.string().optional(),
  }),
  // what went wrong without anybody waiting for it
  event("trouble.met", { message: z.string(), reason: z.string(), stack: z.string().optional() }),
  event("settings.changed", { keys: z.array(z.string()), by: Sender }),
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event["type"];
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;

const knownTypes: ReadonlySet<string> = new Set(Event.options.map((option) => option.shape.type.value));
const OtherEvent = z
  .looseObject({ ...event("", {}).shape, type: z.string().regex(/^[a-z_]+\.[a-z_]+$/), turn: z.string().optional() })
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

/** Somebody is told that a command which went on in the background has ended. */
export function tellsOfProcess(event: Event): event is EventOf<"message.received"> {
  return (
    event.type === "message.received" &&
    !event.run &&
    event.sender.kind === "system" &&
    event.sender.id.startsWith("process:")
  );
}

/** What concerns the whole installation and no conversation is written under this key; it stands so in existing logs. */
export const installationKey = "steward--house";

// the log gives the sequence number, the time and what may be left out
type WithoutPlace<E> = E extends { type: EventType } ? Omit<E, "seq" | "atMs"> : never;
export type NewEvent = WithoutPlace<z.input<typeof Event>>;
