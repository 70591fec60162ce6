// A gateway in memory that keeps the contract: parameters are read by the real schemas, events are numbered and followed
// without gaps, the same idempotency key is the same message. What the assistant does is scripted by the test.
import type { z } from "zod";
import type { Event, NewEvent } from "../../../src/contract/event.ts";
import { messagesIn } from "../../../src/contract/wire/chat-messages.ts";
import type { Followed, GatewayClient } from "../../../src/contract/wire/client.ts";
import { CallRefused } from "../../../src/contract/wire/client.ts";
import type { LiveSignal } from "../../../src/contract/wire/live-signal.ts";
import type { MethodName, MethodResult, OpenApproval, Session, UsageRow } from "../../../src/contract/wire/method.ts";
import { methods } from "../../../src/contract/wire/method.ts";

export type FakeMessage = { seq: number; text: string; conversation: string };
export type FakeGateway = {
  connect(): Promise<GatewayClient>;
  events: Event[];
  /** Every call that reached the gateway, in order. */
  calls: { name: MethodName; params: unknown }[];
  append(event: NewEvent): Event;
  signal(signal: LiveSignal): void;
  /** Writes what an assistant does with a message; by default it says it back. */
  script(whatHappens: (message: FakeMessage) => void | Promise<void>): void;
  /** A whole turn that answers with one text, streamed in two pieces. */
  answer(message: FakeMessage, text: string): void;
  askApproval(message: FakeMessage, approval: { approvalId: string; display: string; reason?: string }): void;
  onAnswer(
    whatHappens: (approvalId: string, decision: "approved" | "denied", reason: string | undefined) => void,
  ): void;
  usage: UsageRow[];
  mode: "chat" | "daemon";
  sessions: Session[];
  refuse(name: MethodName, refusal: CallRefused): void;
  /** Every client is cut off, as when the daemon ends. */
  dropConnections(): void;
  /** The next chat.send is lost on the way there, or its answer on the way back. */
  loseNextSend(when: "before" | "after"): void;
  failConnects(count: number): void;
  connections: number;
};

const owner = { kind: "owner", id: "owner" } as const;

export function startFakeGateway(options: { nowMs?: () => number } = {}): FakeGateway {
  const followers = new Set<(followed: Followed) => void>();
  const open = new Set<() => void>();
  const sends = new Map<string, MethodResult<"chat.send">>();
  const refusals = new Map<MethodName, CallRefused>();
  let whatHappens: (message: FakeMessage) => void | Promise<void> = (message) => gateway.answer(message, message.text);
  let whenAnswered: Parameters<FakeGateway["onAnswer"]>[0] = () => undefined;
  let losing: "before" | "after" | undefined;
  let failing = 0;
  let turns = 0;

  const gateway: FakeGateway = {
    connect,
    events: [],
    calls: [],
    usage: [],
    mode: "daemon",
    sessions: [],
    connections: 0,
    append(event) {
      const seq = gateway.events.length + 1;
      const placed = { ...event, seq, atMs: options.nowMs?.() ?? 1000 * seq } as Event;
      gateway.events.push(placed);
      for (const follower of followers) follower(placed);
      return placed;
    },
    signal(signal) {
      for (const follower of followers) follower(signal);
    },
    script: (next) => {
      whatHappens = next;
    },
    onAnswer: (next) => {
      whenAnswered = next;
    },
    answer(message, text) {
      const turn = startTurn(message);
      const place = { conversation: message.conversation, turn };
      gateway.signal({ ...place, type: "live.text", step: 0, delta: text.slice(0, text.length / 2) });
      gateway.signal({ ...place, type: "live.text", step: 0, delta: text.slice(text.length / 2) });
      gateway.append(finishedStep(place, 0, text));
      gateway.append({ ...place, type: "reply.written", channel: "terminal", text, attachments: [] });
      gateway.append({ ...place, type: "turn.finished", ending: "answered" });
    },
    askApproval(message, { approvalId, display, reason = "it changes something" }) {
      const turn = startTurn(message);
      const place = { conversation: message.conversation, turn };
      const call = { callId: `call-${approvalId}`, tool: "shell", arguments: { command: display } };
      gateway.append({ ...finishedStep(place, 0, ""), toolCalls: [call], finish: "tool_calls" } as NewEvent);
      gateway.append({
        ...place,
        ...call,
        type: "approval.asked",
        approvalId,
        binding: "b",
        display,
        rule: "r",
        reason,
        expiresAtMs: 9e12,
      });
      gateway.append({ ...place, type: "turn.waiting", approvals: [approvalId] });
    },
    refuse: (name, refusal) => refusals.set(name, refusal),
    dropConnections() {
      for (const close of [...open]) close();
    },
    loseNextSend: (when) => {
      losing = when;
    },
    failConnects: (count) => {
      failing = count;
    },
  };
  async function connect(): Promise<GatewayClient> {
    if (failing > 0) {
      failing--;
      throw new Error("nobody answers");
    }
    gateway.connections++;
    const closed = Promise.withResolvers<void>();
    const mine = new Set<(followed: Followed) => void>();
    let alive = true;
    open.add(close);
    return {
      async call(name, params) {
        if (!alive) throw new Error("socket closed");
        return answerCall(name, params, close) as Promise<MethodResult<typeof name>>;
      },
      follow(since, listener) {
        for (const event of gateway.events.filter((event) => event.seq > since)) listener(event);
        mine.add(listener);
        followers.add(listener);
        return () => followers.delete(listener);
      },
      closed: closed.promise,
      close: async () => close(),
    };

    function close(): void {
      alive = false;
      open.delete(close);
      for (const listener of mine) followers.delete(listener);
      closed.resolve();
    }
  }

  async function answerCall(name: MethodName, raw: unknown, cutOff: () => void): Promise<unknown> {
    await Promise.resolve();
    const read = methods[name].params.safeParse(raw);
    if (!read.success) throw new CallRefused("invalid", `${name}: ${read.error.message}`);
    const lost = name === "chat.send" ? losing : undefined;
    if (lost) losing = undefined;
    if (lost === "before") {
      cutOff();
      throw new Error("socket closed");
    }
    gateway.calls.push({ name, params: raw });
    const refusal = refusals.get(name);
    if (refusal) throw refusal;
    const answer = answers[name];
    if (!answer) throw new CallRefused("not_found", `This gateway does not know ${name}.`);
    const result = answer(read.data as never);
    if (lost === "after") {
      cutOff();
      throw new Error("socket closed");
    }
    return result;
  }

  function startTurn(message: FakeMessage): string {
    const turn = `turn-${++turns}`;
    gateway.append({ type: "turn.started", conversation: message.conversation, turn, messages: [message.seq] });
    return turn;
  }

  const answers: { [Name in MethodName]?: (params: z.output<(typeof methods)[Name]["params"]>) => MethodResult<Name> } =
    {
      "health.check": () => ({
        status: "ok",
        version: "0.1.0",
        pid: 7,
        uptimeMs: 61_000,
        uptime: 61,
        home: "/home/ann/.steward",
        mode: gateway.mode,
        model: "offline/rules",
        conversations: 1,
        working: 0,
        waitingApprovals: openApprovals().length,
        commands: "bwrap",
        page: "http://127.0.0.1:18789",
        lastSeq: gateway.events.length,
      }),
      "access.createCode": () => ({ code: "abc", url: "http://127.0.0.1:18789/#code=abc", expiresAtMs: 600_000 }),
      "agents.list": () => ({ agents: [{ id: "main", name: "Steward", description: "The usual one" }] }),
      "models.list": () => ({
        models: ["offline/rules", "anthropic/claude-sonnet-4-5"].map((name) => ({
          name,
          contextTokens: 200_000,
          maxOutputTokens: 8192,
          source: "built in",
        })),
        chosen: "offline/rules",
      }),
      "sessions.create": () => ({ sessionKey: "terminal--fresh" }),
      "sessions.list": () => ({ sessions: gateway.sessions }),
      "sessions.get": ({ sessionKey, limit }) => {
        const events = gateway.events.filter((event) => event.conversation === sessionKey);
        if (events.length === 0) throw new CallRefused("not_found", `There is no conversation ${sessionKey}.`);
        return { session: sessionOf(sessionKey), messages: messagesIn(events), events: events.slice(-limit) };
      },
      "sessions.configure": ({ sessionKey, ...changes }) => {
        gateway.append({ type: "conversation.configured", conversation: sessionKey, ...changes } as NewEvent);
        return { session: sessionOf(sessionKey) };
      },
      "chat.send": (params) => {
        const known = params.idempotencyKey === undefined ? undefined : sends.get(params.idempotencyKey);
        if (known) return known;
        const { sessionKey: conversation, message: text } = params;
        const event = gateway.append({
          type: "message.received",
          conversation,
          messageId: params.idempotencyKey ?? "m",
          channel: "terminal",
          sender: owner,
          text,
          attachments: [],
        });
        const result = { runId: "run", accepted: true, seq: event.seq };
        if (params.idempotencyKey) sends.set(params.idempotencyKey, result);
        queueMicrotask(() => void whatHappens({ seq: event.seq, text, conversation }));
        return result;
      },
      "chat.history": ({ sessionKey }) => {
        const events = gateway.events.filter((event) => event.conversation === sessionKey);
        return { messages: messagesIn(events), events };
      },
      "chat.abort": ({ sessionKey: conversation = "terminal--default" }) => {
        const turn = `turn-${turns}`;
        gateway.append({ type: "turn.stop_requested", conversation, turn, by: owner });
        gateway.append({ type: "turn.finished", conversation, turn, ending: "stopped" });
        return { ok: true };
      },
      "approvals.list": () => ({ approvals: openApprovals() }),
      "exec.approve": ({ approvalId }) => decide(approvalId, "approved", undefined),
      "approvals.answer": ({ approvalIds, decision, reason }) => {
        for (const approvalId of approvalIds) decide(approvalId, decision, reason);
        return { answered: approvalIds.length };
      },
      "exec.deny": ({ approvalId, reason }) => decide(approvalId, "denied", reason),
      "changes.undo": () => ({ undone: true, output: "“a.txt” is as it was before." }),
      "usage.get": () => ({ rows: gateway.usage, timeZone: "UTC" }),
    };
  return gateway;

  function decide(approvalId: string, decision: "approved" | "denied", reason: string | undefined): { ok: boolean } {
    const asked = gateway.events.find((event) => event.type === "approval.asked" && event.approvalId === approvalId);
    if (asked?.type !== "approval.asked" || !openApprovals().some((approval) => approval.approvalId === approvalId))
      throw new CallRefused("not_found", `No open approval has the id ${approvalId}. List them: steward approvals`);
    const { conversation, turn, callId } = asked;
    gateway.append({
      type: "approval.answered",
      conversation,
      turn,
      approvalId,
      callId,
      decision,
      by: owner,
      ...(reason === undefined ? {} : { reason }),
    });
    queueMicrotask(() => whenAnswered(approvalId, decision, reason));
    return { ok: true };
  }

  function openApprovals(): OpenApproval[] {
    const answered = new Set(
      gateway.events.flatMap((event) => (event.type === "approval.answered" ? [event.approvalId] : [])),
    );
    return gateway.events.flatMap((event) =>
      event.type === "approval.asked" && !answered.has(event.approvalId)
        ? [{ ...event, sessionKey: event.conversation, askedAtMs: event.atMs }]
        : [],
    );
  }

  function sessionOf(sessionKey: string): Session {
    const known = gateway.sessions.find((session) => session.sessionKey === sessionKey);
    return known ?? { sessionKey, title: "", messages: 1, lastAtMs: 0, lastSeq: gateway.events.length, state: "idle" };
  }
}

export function finishedStep(place: { conversation: string; turn: string }, step: number, text: string): NewEvent {
  return {
    ...place,
    type: "step.finished",
    step,
    model: "offline/rules",
    text,
    toolCalls: [],
    finish: "stop",
    usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
    costUsd: 0.001,
  };
}
