import type { Event } from "../../../../src/contract/event.ts";

/** What the events at hand say about one another. */
export type EventFacts = {
  learn(event: Event): void;
  argumentsOf(callId: string): unknown;
  questionOf(approvalId: string): { tool: string; arguments: unknown } | undefined;
  /** Whether the changes of this tool.returned event have been taken back. */
  isUndone(seq: number): boolean;
};

export function openEventFacts(): EventFacts {
  const calls = new Map<string, unknown>();
  const questions = new Map<string, { tool: string; arguments: unknown }>();
  const undone = new Set<number>();
  return {
    learn(event) {
      if (event.type === "step.finished") {
        for (const call of event.toolCalls) calls.set(call.callId, call.arguments ?? call.malformed);
      } else if (event.type === "approval.asked") {
        questions.set(event.approvalId, { tool: event.tool, arguments: event.arguments });
        calls.set(event.callId, event.arguments);
      } else if (event.type === "changes.undone") undone.add(event.returned);
    },
    argumentsOf: (callId) => calls.get(callId),
    questionOf: (approvalId) => questions.get(approvalId),
    isUndone: (seq) => undone.has(seq),
  };
}
