// What clients may ask: one function a method, each reading its parameters by the contract before it does anything.
import { z } from "zod";
import type { AttachmentStore } from "../contract/attachment.ts";
import { CallRefused } from "../contract/client.ts";
import { channelOf, conversationKey } from "../contract/conversation-key.ts";
import type { Sender } from "../contract/event.ts";
import { type MethodName, type MethodParams, type MethodResult, methods, type Session } from "../contract/method.ts";
import type { ModelChoice } from "../contract/model.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import type { EventLog } from "../store/event-log.ts";
import { countOpen, findSession, listOpenApprovals, listSessions, listUsage } from "../store/ledger.ts";
import { type ReceiveDeps, receiveAnswer, receiveMessage } from "./receive.ts";
import { type UndoChanges, undoNewest } from "./undo-newest.ts";

export type AgentSummary = { id: string; name: string; description: string; model?: string | undefined };

export type MethodDeps = ReceiveDeps & {
  database: Database;
  log: EventLog;
  queue: Queue;
  attachments: AttachmentStore;
  models: {
    choose(wish: string | undefined): Promise<readonly ModelChoice[]>;
    list(): Promise<readonly ModelChoice[]>;
  };
  agents(): Promise<readonly AgentSummary[]>;
  about: { version: string; home: string; mode: "chat" | "daemon"; startedAtMs: number };
  describeCommands(): Promise<string>;
  undoChanges: UndoChanges;
};

/** The caller has been let in already; it speaks as this sender. */
export type Caller = { sender: Sender };

type Methods = {
  [Name in MethodName]: (deps: MethodDeps, caller: Caller, params: MethodParams<Name>) => Promise<MethodResult<Name>>;
};

export async function callMethod(deps: MethodDeps, caller: Caller, name: string, rawParams: unknown): Promise<unknown> {
  if (!isMethod(name)) throw new CallRefused("not_found", `There is no method called ${name}.`);
  return run(name);

  async function run<Name extends MethodName>(known: Name): Promise<unknown> {
    const params = methods[known].params.safeParse(rawParams ?? {});
    if (!params.success) throw new CallRefused("invalid", `${known}: ${z.prettifyError(params.error)}`);
    return served[known](deps, caller, params.data as MethodParams<Name>);
  }
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}

const served: Methods = {
  async "health.check"(deps) {
    const { version, home, mode, startedAtMs } = deps.about;
    const [model] = await deps.models.choose(undefined);
    const uptimeMs = deps.world.nowMs() - startedAtMs;
    const counts = await countOpen(deps.database);
    return {
      status: "ok",
      version,
      home,
      mode,
      pid: process.pid,
      uptimeMs,
      model: model?.name ?? "none",
      ...counts,
      commands: await deps.describeCommands(),
      lastSeq: deps.log.lastSeq(),
    };
  },
  "agents.list": async (deps) => ({ agents: [...(await deps.agents())] }),
  async "models.list"(deps) {
    const [chosen] = await deps.models.choose(undefined);
    return { models: [...(await deps.models.list())], chosen: chosen?.name ?? "none" };
  },
  async "sessions.create"(deps, _caller, { channel, agentId }) {
    if (agentId !== undefined) await requireAgent(deps, agentId);
    const sessionKey = conversationKey(channel, deps.world.newId("s").slice(2, 14));
    await deps.log.append([
      { type: "conversation.configured", conversation: sessionKey, ...(agentId !== undefined && { agent: agentId }) },
    ]);
    return { sessionKey };
  },
  "sessions.list": async (deps) => ({ sessions: [...(await listSessions(deps.database))] }),
  async "sessions.get"(deps, _caller, { sessionKey, limit }) {
    const session = await requireSession(deps, sessionKey);
    return { session, events: [...(await deps.log.latest(sessionKey, limit))] };
  },
  async "sessions.configure"(deps, _caller, { sessionKey, title, model, thinking, agent }) {
    if (typeof agent === "string") await requireAgent(deps, agent);
    await deps.log.append([
      {
        type: "conversation.configured",
        conversation: sessionKey,
        ...(title !== undefined && { title }),
        ...(model !== undefined && { model }),
        ...(thinking !== undefined && { thinking }),
        ...(agent !== undefined && { agent }),
      },
    ]);
    return { session: await requireSession(deps, sessionKey) };
  },
  async "chat.send"(deps, caller, { sessionKey, message, attachments, idempotencyKey }) {
    if (message.trim() === "" && attachments.length === 0) throw new CallRefused("invalid", "The message is empty.");
    const refs = await Promise.all(
      attachments.map(({ name, mediaType, base64 }) =>
        deps.attachments.add({ name, mediaType, data: Buffer.from(base64, "base64") }),
      ),
    );
    const receipt = await receiveMessage(deps, {
      conversation: sessionKey,
      channel: channelOf(sessionKey),
      sender: caller.sender,
      text: message,
      attachments: refs,
      idempotencyKey,
    });
    const { messageId, accepted, seq, reason } = receipt;
    return { runId: messageId, accepted, seq, ...(reason && { reason }) };
  },
  "chat.history": async (deps, _caller, { sessionKey, limit, beforeSeq }) => ({
    events: [...(await deps.log.latest(sessionKey, limit, beforeSeq))],
  }),
  "chat.abort": async (deps, caller, { sessionKey }) => ({ ok: await deps.queue.stop(sessionKey, caller.sender) }),
  "approvals.list": async (deps) => ({ approvals: [...(await listOpenApprovals(deps.database))] }),
  async "exec.approve"(deps, caller, { approvalId, always }) {
    await receiveAnswer(deps, { approvalId, decision: "approved", by: caller.sender, always });
    return { ok: true };
  },
  async "approvals.answer"(deps, caller, { approvalIds, decision, reason }) {
    let answered = 0;
    for (const approvalId of approvalIds) {
      if (await tryAnswer(deps, { approvalId, decision, by: caller.sender, reason })) answered += 1;
    }
    return { answered };
  },
  async "exec.deny"(deps, caller, { approvalId, reason }) {
    await receiveAnswer(deps, { approvalId, decision: "denied", by: caller.sender, reason });
    return { ok: true };
  },
  "changes.undo": (deps, caller, { sessionKey }) => undoNewest(deps, caller.sender, sessionKey),
  async "usage.get"(deps, _caller, { sinceMs, sessionKey }) {
    return { rows: [...(await listUsage(deps.database, new Date(sinceMs).toISOString().slice(0, 10), sessionKey))] };
  },
};

// another client may have answered one of them a moment ago, which is no reason to leave the others
async function tryAnswer(deps: MethodDeps, answer: Parameters<typeof receiveAnswer>[1]): Promise<boolean> {
  try {
    await receiveAnswer(deps, answer);
    return true;
  } catch (cause) {
    if (cause instanceof CallRefused && cause.code !== "forbidden") return false;
    throw cause;
  }
}

async function requireSession(deps: MethodDeps, sessionKey: string): Promise<Session> {
  const session = await findSession(deps.database, sessionKey);
  if (!session)
    throw new CallRefused("not_found", `There is no session ${sessionKey}. "steward sessions" lists those there are.`);
  return session;
}

async function requireAgent(deps: MethodDeps, id: string): Promise<void> {
  const agents = await deps.agents();
  if (agents.some((agent) => agent.id === id)) return;
  throw new CallRefused(
    "not_found",
    `There is no agent ${id}. There are: ${agents.map((agent) => agent.id).join(", ")}.`,
  );
}
