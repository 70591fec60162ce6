// What any client may ask of the gateway: one table, read by the server that answers and by the clients that call.
import { z } from "zod";
import { ConversationKey } from "../conversation-key.ts";
import { LoggedEvent } from "../event.ts";
import { ModelName, ThinkingLevel, Usage } from "../model.ts";
import { accessMethods } from "./methods/access.ts";
import { activityMethods } from "./methods/activity.ts";
import { changeMethods } from "./methods/changes.ts";
import { channelMethods } from "./methods/channels.ts";
import { defineMethods, Empty, Ok } from "./methods/define-methods.ts";
import { heartbeatMethods } from "./methods/heartbeat.ts";
import { memoryMethods } from "./methods/memory.ts";
import { noteMethods } from "./methods/notes.ts";
import { pushMethods } from "./methods/push.ts";
import { settingsMethods } from "./methods/settings.ts";
import { skillMethods } from "./methods/skills.ts";
import { taskMethods } from "./methods/tasks.ts";
import { toolMethods } from "./methods/tools.ts";

export const Session = z.object({
  sessionKey: z.string(),
  title: z.string(),
  messages: z.number(),
  lastAtMs: z.number(),
  lastSeq: z.number(),
  model: z.string().optional(),
  thinking: ThinkingLevel.optional(),
  agent: z.string().optional(),
  state: z.enum(["idle", "working", "waiting"]),
});
export type Session = z.infer<typeof Session>;

export const OpenApproval = z.object({
  approvalId: z.string(),
  sessionKey: z.string(),
  turn: z.string(),
  tool: z.string(),
  display: z.string(),
  reason: z.string(),
  labels: z.array(z.string()).default([]),
  askedAtMs: z.number(),
  expiresAtMs: z.number(),
  /** The folder a command would run in. */
  workingDir: z.string().optional(),
  /** It is asked about every time: an "always" would not hold. */
  eachTime: z.literal(true).optional(),
});
export type OpenApproval = z.infer<typeof OpenApproval>;
const OpenApprovals = z.object({ approvals: z.array(OpenApproval) });

export const UsageRow = z.object({
  day: z.string(),
  model: z.string(),
  sessionKey: z.string(),
  calls: z.number(),
  usage: Usage,
  costUsd: z.number(),
  /** Calls whose price is not known. */
  unpriced: z.number(),
  /** Milliseconds that models took to answer, summed over the calls. */
  durationMs: z.number(),
});
export type UsageRow = z.infer<typeof UsageRow>;

const Model = z.object({
  name: z.string(),
  contextTokens: z.number(),
  maxOutputTokens: z.number(),
  source: z.string(),
});
const Agent = z.object({ id: z.string(), name: z.string(), description: z.string(), model: z.string().optional() });
/** What was said, without the steps between: a view of the events for simple clients. */
export const ChatMessage = z.object({
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  seq: z.number(),
  atMs: z.number(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;
const UploadedAttachment = z.strictObject({
  name: z.string().min(1).max(255),
  mediaType: z.string().max(200),
  base64: z.base64(),
});

const howMuch = {
  /** Messages, the newest; their events come along, as far as there is room. */
  limit: z.number().int().min(1).max(1000).default(100),
  /** For clients that fold the events themselves: so many of them, and the messages among them. */
  maxEvents: z.number().int().min(1).max(1000).optional(),
};

export const conversationMethods = defineMethods({
  "health.check": {
    scopes: ["read", "approve", "task"],
    params: Empty,
    result: z.object({
      status: z.literal("ok"),
      version: z.string(),
      pid: z.number(),
      uptimeMs: z.number(),
      /** The same in seconds. */
      uptime: z.number(),
      home: z.string(),
      mode: z.enum(["chat", "daemon"]),
      model: z.string(),
      conversations: z.number(),
      working: z.number(),
      waitingApprovals: z.number(),
      /** What commands run in, or why they are off. */
      commands: z.string(),
      /** Where the web page is, or why it is not served. */
      page: z.string(),
      lastSeq: z.number(),
    }),
  },
  "agents.list": { scopes: ["read"], params: Empty, result: z.object({ agents: z.array(Agent) }) },
  "models.list": { scopes: ["read"], params: Empty, result: z.object({ models: z.array(Model), chosen: z.string() }) },
  "sessions.create": {
    scopes: [],
    params: z.strictObject({
      /** Without one: the terminal for a program on this machine, the API for whoever shows a token. */
      channel: z.enum(["terminal", "web", "api"]).optional(),
      agentId: z.string().optional(),
      idempotencyKey: z.string().min(1).max(200).optional(),
    }),
    result: z.object({ sessionKey: z.string() }),
  },
  "sessions.list": { scopes: ["read"], params: Empty, result: z.object({ sessions: z.array(Session) }) },
  "sessions.get": {
    scopes: ["read", "task"],
    params: z.strictObject({ sessionKey: ConversationKey, ...howMuch }),
    result: z.object({ session: Session, messages: z.array(ChatMessage), events: z.array(LoggedEvent) }),
  },
  "sessions.configure": {
    scopes: [],
    params: z.strictObject({
      sessionKey: ConversationKey,
      title: z.string().min(1).max(200).optional(),
      model: ModelName.nullable().optional(),
      thinking: ThinkingLevel.nullable().optional(),
      agent: z.string().nullable().optional(),
    }),
    result: z.object({ session: Session }),
  },
  /** Begins anew in the same place: what was said before is kept, and no longer read by the model. */
  "sessions.renew": { scopes: [], params: z.strictObject({ sessionKey: ConversationKey }), result: Ok },
  /** Takes the conversation out of the list and its words out of the database and the transcripts, for good. */
  "sessions.delete": { scopes: [], params: z.strictObject({ sessionKey: ConversationKey }), result: Ok },
  "sessions.rename": {
    scopes: [],
    params: z.strictObject({ sessionKey: ConversationKey, title: z.string().trim().min(1).max(200) }),
    result: z.object({ session: Session }),
  },
  "chat.send": {
    scopes: ["task"],
    params: z.strictObject({
      sessionKey: ConversationKey,
      message: z.string().max(1_000_000),
      /** The number of an earlier message that this one takes the place of: what came after it is set aside. */
      replaces: z.number().int().positive().optional(),
      attachments: z.array(UploadedAttachment).max(20).default([]),
      /** The same key again is the same message: it is not handled twice, also after a restart. */
      idempotencyKey: z.string().min(1).max(200).optional(),
    }),
    result: z.object({ runId: z.string(), accepted: z.boolean(), seq: z.number(), reason: z.string().optional() }),
  },
  "chat.history": {
    scopes: ["read", "task"],
    params: z.strictObject({
      sessionKey: ConversationKey,
      ...howMuch,
      beforeSeq: z.number().int().positive().optional(),
    }),
    result: z.object({ messages: z.array(ChatMessage), events: z.array(LoggedEvent) }),
  },
  "chat.abort": {
    scopes: ["task"],
    params: z.union([
      z.strictObject({ sessionKey: ConversationKey }),
      z.strictObject({ runId: z.string().max(200), sessionKey: ConversationKey.optional() }),
    ]),
    result: Ok,
  },
  "approvals.list": { scopes: ["read", "approve"], params: Empty, result: OpenApprovals },
  "exec.approve": {
    scopes: ["approve"],
    params: z.strictObject({ approvalId: z.string(), always: z.boolean().default(false) }),
    result: Ok,
  },
  /** One decision for several questions; those that are no longer open are left out of the count. */
  "approvals.answer": {
    scopes: ["approve"],
    params: z.strictObject({
      approvalIds: z.array(z.string()).min(1).max(100),
      decision: z.enum(["approved", "denied"]),
      reason: z.string().max(2000).optional(),
    }),
    result: z.object({ answered: z.number() }),
  },
  "exec.deny": {
    scopes: ["approve"],
    params: z.strictObject({ approvalId: z.string(), reason: z.string().max(2000).optional() }),
    result: Ok,
  },
  "usage.get": {
    scopes: ["read"],
    params: z.strictObject({
      sinceMs: z.number().int().min(0).max(253_402_300_799_999).default(0),
      sessionKey: ConversationKey.optional(),
    }),
    // days are counted in this time zone, the owner's
    result: z.object({ rows: z.array(UsageRow), timeZone: z.string() }),
  },
});

/** Everything that may be asked. Another room's methods are one file and one line here. */
export const methods = {
  ...conversationMethods,
  ...accessMethods,
  ...settingsMethods,
  ...toolMethods,
  ...activityMethods,
  ...pushMethods,
  ...changeMethods,
  ...channelMethods,
  ...skillMethods,
  ...taskMethods,
  ...heartbeatMethods,
  ...memoryMethods,
  ...noteMethods,
};

export type MethodName = keyof typeof methods;
/** What a caller writes; defaults may be left out. */
export type MethodInput<Name extends MethodName> = z.input<(typeof methods)[Name]["params"]>;
export type MethodResult<Name extends MethodName> = z.output<(typeof methods)[Name]["result"]>;
