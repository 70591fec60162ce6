// What clients ask about conversations: who is there, what was said, say something, stop, answer a question.
import type { AttachmentStore } from "../../contract/attachment.ts";
import { channelOf, conversationKey } from "../../contract/conversation-key.ts";
import { installationKey } from "../../contract/event.ts";
import type { ModelChoice } from "../../contract/model.ts";
import type { Sender } from "../../contract/sender.ts";
import type { Caller } from "../../contract/wire/caller.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { conversationMethods, Session } from "../../contract/wire/method.ts";
import type { Served } from "../../contract/wire/methods/define-methods.ts";
import { requireAgent } from "../../contract/wire/require-agent.ts";
import { openCalendar } from "../../contract/words/calendar.ts";
import type { Queue } from "../../queue/queue.ts";
import type { Database } from "../../store/database/database.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import { listOpenApprovals } from "../../store/tables/approvals.ts";
import { findSession, listSessions } from "../../store/tables/conversations.ts";
import {
  conversationOfMessage,
  countOpen,
  findWaiting,
  openTurnOf,
  waitingMessages,
} from "../../store/tables/open-work.ts";
import { listUsage } from "../../store/tables/usage.ts";
import { readHistory } from "../read-history.ts";
import { type ReceiveDeps, receiveAnswer, receiveMessage } from "../receive.ts";
import { withdrawMessage } from "../withdraw-message.ts";

export type AgentSummary = { id: string; name: string; description: string; model?: string | undefined };

export type ConversationDeps = ReceiveDeps & {
  database: Database;
  log: EventLog;
  queue: Queue;
  attachments: AttachmentStore;
  models: {
    choose(wish: string | undefined): Promise<readonly ModelChoice[]>;
    list(): Promise<readonly ModelChoice[]>;
  };
  agents(): Promise<readonly AgentSummary[]>;
  timeZone: string;
  about: { version: string; home: string; mode: "chat" | "daemon"; startedAtMs: number };
  /** A line in words for each part of the program that has one. */
  status(): Promise<Readonly<Record<string, string>>>;
};

type Conversations = Served<typeof conversationMethods>;

export function serveConversations(deps: ConversationDeps): Conversations {
  return { ...serveStatus(deps), ...serveSessions(deps), ...serveChat(deps), ...serveApprovals(deps) };
}

function serveStatus(deps: ConversationDeps) {
  const calendar = openCalendar(deps.timeZone);
  return {
    async "health.check"() {
      const { version, home, mode, startedAtMs } = deps.about;
      const [model] = await deps.models.choose(undefined);
      const counts = await countOpen(deps.database);
      const uptimeMs = deps.world.nowMs() - startedAtMs;
      return {
        status: "ok",
        version,
        home,
        mode,
        pid: process.pid,
        uptimeMs,
        uptime: Math.floor(uptimeMs / 1000),
        model: model?.name ?? "none",
        ...counts,
        commands: "This Steward runs no commands.",
        page: "This Steward serves no web page.",
        ...(await deps.status()),
        lastSeq: deps.log.lastSeq(),
      };
    },
    "agents.list": async () => ({ agents: [...(await deps.agents())] }),
    async "models.list"() {
      const [chosen] = await deps.models.choose(undefined);
      return { models: [...(await deps.models.list())], chosen: chosen?.name ?? "none" };
    },
    "usage.get": async (_caller, { sinceMs, sessionKey }) => ({
      rows: [...(await listUsage(deps.database, calendar, { sinceMs, conversation: sessionKey }))],
      timeZone: deps.timeZone,
    }),
  } satisfies Partial<Conversations>;
}

function serveSessions(deps: ConversationDeps) {
  return {
    async "sessions.create"(caller, { channel = usualChannel(caller), agentId, idempotencyKey }) {
      if (agentId !== undefined) await requireAgent(deps.agents, agentId);
      const sessionKey = conversationKey(channel, deps.world.newId("s").slice(2, 14));
      const agent = agentId !== undefined && { agent: agentId };
      const { events } = await deps.log.append(
        [{ type: "conversation.configured", conversation: sessionKey, ...agent }],
        { idempotencyKey: idempotencyKey && `session:${idempotencyKey}` },
      );
      return { sessionKey: events[0]?.conversation ?? sessionKey };
    },
    "sessions.list": async () => ({ sessions: [...(await listSessions(deps.database))] }),
    async "sessions.get"(_caller, { sessionKey, ...howMuch }) {
      const session = await requireSession(deps, sessionKey);
      return { session, ...(await readHistory(deps.log, sessionKey, howMuch)) };
    },
    async "sessions.configure"(_caller, { sessionKey, ...changes }) {
      refuseReserved(sessionKey);
      if (typeof changes.agent === "string") await requireAgent(deps.agents, changes.agent);
      await deps.log.append([{ type: "conversation.configured", conversation: sessionKey, ...changes }]);
      return { session: await requireSession(deps, sessionKey) };
    },
    async "sessions.rename"(_caller, { sessionKey, title }) {
      await requireSession(deps, sessionKey);
      await deps.log.append([{ type: "conversation.configured", conversation: sessionKey, title }]);
      return { session: await requireSession(deps, sessionKey) };
    },
    async "sessions.renew"(caller, { sessionKey }) {
      await requireSession(deps, sessionKey);
      await deps.log.appendDecided(async (tx) => {
        if (await openTurnOf(tx, sessionKey))
          throw new CallRefused("conflict", "Something is still going on in this conversation. Stop it first.");
        return [{ type: "conversation.renewed", conversation: sessionKey, by: caller.sender }];
      });
      return { ok: true };
    },
    async "sessions.delete"(caller, { sessionKey }) {
      await requireSession(deps, sessionKey);
      await deleteConversation(deps.log, caller.sender, sessionKey);
      return { ok: true };
    },
  } satisfies Partial<Conversations>;
}

// a browser says that it is one
function usualChannel({ tokenId }: Caller): "terminal" | "api" {
  return tokenId === undefined ? "terminal" : "api";
}

/** The words go, the numbers stay: usage, order and the chain of the audit log are as they were. */
async function deleteConversation(log: EventLog, by: Sender, conversation: string): Promise<void> {
  if (by.kind !== "owner") throw new CallRefused("forbidden", "Only the owner may delete a conversation.");
  await log.appendDecided(async (tx) => {
    const isBusy = (await openTurnOf(tx, conversation)) || (await waitingMessages(tx, conversation)).length > 0;
    if (isBusy) throw new CallRefused("conflict", "Something is still going on in this conversation. Stop it first.");
    return [{ type: "conversation.deleted", conversation, by }];
  });
}

function serveChat(deps: ConversationDeps) {
  return {
    async "chat.send"(caller, { sessionKey, message, attachments, replaces, idempotencyKey }) {
      refuseReserved(sessionKey);
      if (message.trim() === "" && attachments.length === 0) throw new CallRefused("invalid", "The message is empty.");
      const refs = await Promise.all(
        attachments.map(({ name, mediaType, base64 }) =>
          deps.attachments.add({ name, mediaType, data: Buffer.from(base64, "base64") }),
        ),
      );
      const place = { conversation: sessionKey, channel: channelOf(sessionKey), sender: caller.sender };
      const said = { text: message, attachments: refs, replaces, idempotencyKey };
      const { messageId, accepted, seq, reason } = await receiveMessage(deps, { ...place, ...said });
      return { runId: messageId, accepted, seq, ...(reason && { reason }) };
    },
    "chat.history": async (_caller, { sessionKey, ...howMuch }) => readHistory(deps.log, sessionKey, howMuch),
    async "chat.abort"(caller, params) {
      const conversation =
        "runId" in params ? await conversationOfMessage(deps.database, deps.log, params.runId) : params.sessionKey;
      if (conversation === undefined) return { ok: false };
      if (caller.scope === "task" && conversation !== caller.conversation)
        throw new CallRefused("forbidden", "That run belongs to another conversation.");
      // stopping by its place would stop the turn that it waits for
      const waiting = "runId" in params ? await findWaiting(deps.database, params.runId) : undefined;
      if (waiting && (await withdrawMessage(deps, waiting, caller.sender))) return { ok: true };
      return { ok: await deps.queue.stop(conversation, caller.sender) };
    },
  } satisfies Partial<Conversations>;
}

function serveApprovals(deps: ConversationDeps) {
  return {
    "approvals.list": async () => ({ approvals: [...(await listOpenApprovals(deps.database))] }),
    async "exec.approve"(caller, { approvalId, always }) {
      await receiveAnswer(deps, { approvalId, decision: "approved", by: caller.sender, always });
      return { ok: true };
    },
    async "approvals.answer"(caller, { approvalIds, decision, reason }) {
      let answered = 0;
      for (const approvalId of approvalIds) {
        try {
          await receiveAnswer(deps, { approvalId, decision, reason, by: caller.sender });
          answered += 1;
        } catch (cause) {
          // another client may have answered one of them a moment ago, which is no reason to leave the others
          if (!(cause instanceof CallRefused) || cause.code === "forbidden") throw cause;
        }
      }
      return { answered };
    },
    async "exec.deny"(caller, { approvalId, reason }) {
      await receiveAnswer(deps, { approvalId, decision: "denied", by: caller.sender, reason });
      return { ok: true };
    },
  } satisfies Partial<Conversations>;
}

// what belongs to no conversation is written under a key that nobody can talk in
function refuseReserved(sessionKey: string): void {
  if (channelOf(sessionKey) === channelOf(installationKey))
    throw new CallRefused("invalid", `${sessionKey} is not a conversation.`);
}

async function requireSession(deps: ConversationDeps, sessionKey: string): Promise<Session> {
  const session = await findSession(deps.database, sessionKey);
  if (!session)
    throw new CallRefused("not_found", `There is no session ${sessionKey}. "steward sessions" lists those there are.`);
  return session;
}
