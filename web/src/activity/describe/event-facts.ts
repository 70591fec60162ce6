import type { Event } from "../../../../src/contract/event.ts";

/** What the events at hand say about one another. */
export type EventFacts = {
  learn(event: Event): void;
  argumentsOf(callId: string): unknown;
  questionOf(approvalId: string): { tool: string; arguments: unknown } | undefined;
  titleOfTask(id: string): string | undefined;
  /** What the list of tasks says; what an event has said since is newer. */
  learnTitles(tasks: readonly { id: string; title: string }[]): void;
  /** Whether the changes of this tool.returned event have been taken back. */
  isUndone(seq: number): boolean;
};

export function openEventFacts(): EventFacts {
  const calls = new Map<string, unknown>();
  const questions = new Map<string, { tool: string; arguments: unknown }>();
  const titles = new Map<string, string>();
  const titledAt = new Map<string, number>();
  const undone = new Set<number>();
  return {
    learn(event) {
      if (event.type === "step.finished") {
        for (const call of event.toolCalls) calls.set(call.callId, call.arguments ?? call.malformed);
      } else if (event.type === "approval.asked") {
        questions.set(event.approvalId, { tool: event.tool, arguments: event.arguments });
        calls.set(event.callId, event.arguments);
      } else if (event.type === "changes.undone") undone.add(event.returned);
      // an old name does not replace a newer one, whatever order they come in
      const title = titleIn(event);
      if (title && event.seq >= (titledAt.get(title.id) ?? 0)) {
        titles.set(title.id, title.title);
        titledAt.set(title.id, event.seq);
      }
    },
    titleOfTask: (id) => titles.get(id),
    learnTitles(tasks) {
      for (const { id, title } of tasks) if (!titles.has(id)) titles.set(id, title);
    },
    argumentsOf: (callId) => calls.get(callId),
    questionOf: (approvalId) => questions.get(approvalId),
    isUndone: (seq) => undone.has(seq),
  };
}

function titleIn(event: Event): { id: string; title: string } | undefined {
  if (event.type === "reply.written") return event.task;
  if (event.type !== "task.made" && event.type !== "task.changed") return undefined;
  return event.definition && { id: event.task, title: event.definition.title };
}
