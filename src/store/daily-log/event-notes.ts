// What the log files say of the events: who did what, how it ended and how long it took; never what was said.
import type { Event, EventOf } from "../../contract/event.ts";
import type { LiveSignal } from "../../contract/wire/live-signal.ts";
import type { LogFields, LogLevel } from "./daily-log.ts";

export type WriteNote = (level: LogLevel, message: string, fields: LogFields) => void;

export type EventNotes = {
  add(events: readonly Event[]): void;
  /** Retries are shown and not kept: nobody would know of them afterwards. */
  addLive(signal: LiveSignal): void;
};

type Note = readonly [level: LogLevel, message: string, fields: LogFields];
type TurnSoFar = {
  sinceMs: number;
  steps: number;
  tools: number;
  inputTokens: number;
  outputTokens: number;
  model?: string;
};

export function openEventNotes(write: WriteNote): EventNotes {
  const turns = new Map<string, TurnSoFar>();
  return {
    add(events) {
      for (const event of events) {
        count(turns, event);
        const note = event.type === "turn.finished" ? turnNote(turns, event) : noteOf(event);
        if (!note) continue;
        const [level, message, fields] = note;
        const turn = "turn" in event && event.turn !== undefined ? { turn: event.turn } : {};
        write(level, message, { conversation: event.conversation, ...turn, ...fields });
      }
    },
    addLive(signal) {
      if (signal.type !== "live.retry") return;
      const { type: _, ...fields } = signal;
      write("warn", "model asked again", fields);
    },
  };
}

function count(turns: Map<string, TurnSoFar>, event: Event): void {
  if (event.type === "turn.started" || event.type === "turn.resumed")
    turns.set(event.turn, { sinceMs: event.atMs, steps: 0, tools: 0, inputTokens: 0, outputTokens: 0 });
  const soFar = "turn" in event && event.turn !== undefined ? turns.get(event.turn) : undefined;
  if (!soFar) return;
  if (event.type === "tool.returned") soFar.tools += 1;
  if (event.type !== "step.finished" && event.type !== "model.called") return;
  if (event.type === "step.finished") {
    soFar.steps += 1;
    soFar.model = event.model;
  }
  soFar.inputTokens += event.usage.inputTokens;
  soFar.outputTokens += event.usage.outputTokens;
}

function turnNote(turns: Map<string, TurnSoFar>, { turn, atMs, ending, detail }: EventOf<"turn.finished">): Note {
  const { sinceMs, ...counts } = turns.get(turn) ?? { sinceMs: atMs };
  turns.delete(turn);
  const level = ending === "failed" || ending === "unavailable" ? "warn" : "info";
  return [level, "turn ended", { ending, durationMs: atMs - sinceMs, ...counts, ...(detail && { detail }) }];
}

function noteOf(event: Event): Note | undefined {
  switch (event.type) {
    case "message.received": {
      const { channel, sender, text, attachments } = event;
      const size = { characters: text.length, attachments: attachments.length };
      return ["info", "message received", { channel, from: sender.kind, ...size }];
    }
    case "message.refused":
      return ["warn", "message refused", { channel: event.channel, from: event.sender.kind, reason: event.reason }];
    case "turn.started":
      return ["debug", "turn begun", {}];
    case "turn.resumed":
      return ["info", "turn taken up again", {}];
    case "turn.interrupted":
      return ["info", "turn put down for the next start", {}];
    case "turn.waiting":
      return ["info", "turn waits for an answer", { approvals: event.approvals.length }];
    case "turn.stop_requested":
      return ["info", "turn told to stop", { by: event.by.kind }];
    case "step.finished": {
      const { step, model, finish, usage, durationMs, costUsd, text, toolCalls } = event;
      const tools = toolCalls.map((call) => call.tool);
      return [
        "debug",
        "model answered",
        { step, model, finish, durationMs, ...usage, costUsd, characters: text.length, tools },
      ];
    }
    case "model.failed": {
      const { model, attempt, kind, reason } = event;
      return ["warn", "model did not answer", { model, attempt, kind, reason }];
    }
    case "model.called":
      return [
        "debug",
        "model asked by a tool",
        { tool: event.tool, model: event.model, durationMs: event.durationMs, ...event.usage },
      ];
    case "tool.sent":
      return ["debug", "tool about to act", { tool: event.tool, callId: event.callId }];
    case "tool.returned": {
      const { tool, callId, outcome, durationMs, output, changes } = event;
      const level = outcome === "unknown" ? "warn" : "info";
      return [
        level,
        "tool returned",
        { tool, callId, outcome, durationMs, characters: output.length, changes: changes.length },
      ];
    }
    case "approval.asked":
      return ["info", "approval asked", { approvalId: event.approvalId, tool: event.tool, rule: event.rule }];
    case "approval.answered":
      return [
        "info",
        "approval answered",
        { approvalId: event.approvalId, decision: event.decision, by: event.by.kind },
      ];
    case "reply.written":
      return ["debug", "reply written", { channel: event.channel, characters: event.text.length }];
    case "reply.delivered":
      return ["info", "reply delivered", { channel: event.channel, reply: event.reply }];
    default:
      return noteOfInstallation(event);
  }
}

function noteOfInstallation(event: Event): Note | undefined {
  switch (event.type) {
    case "changes.undone":
      return ["info", "changes taken back", { returned: event.returned, by: event.by.kind }];
    case "conversation.compacted":
      return [
        "info",
        "conversation shortened",
        { model: event.model, before: event.messagesBefore, after: event.messagesAfter },
      ];
    case "conversation.deleted":
      return ["info", "conversation deleted", { by: event.by.kind }];
    case "messages.forgotten":
      return ["info", "messages forgotten", { by: event.by.kind, events: event.seqs.length }];
    case "access.granted":
      return ["info", "access granted", { tokenId: event.tokenId, scope: event.scope, by: event.by.kind }];
    case "access.revoked":
      return ["info", "access revoked", { tokenId: event.tokenId, by: event.by.kind }];
    case "access.signed_in":
      return ["info", "signed in", { tokenId: event.tokenId, how: event.how, from: event.from, client: event.client }];
    case "access.refused":
      return ["warn", "not let in", { what: event.what, from: event.from, client: event.client, times: event.times }];
    case "settings.changed":
      return ["info", "settings changed", { keys: event.keys, by: event.by.kind }];
    // the others change nothing that a fault could come from
    default:
      return undefined;
  }
}
