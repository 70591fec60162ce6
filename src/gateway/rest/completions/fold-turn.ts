// What happens in a turn, folded into what a chat completion needs: text as it comes, and one end.

import type { Event, EventOf } from "../../../contract/event.ts";
import type { Usage } from "../../../contract/model.ts";
import type { Followed } from "../../../contract/wire/client.ts";
import { addUsage, noUsage } from "../tasks/task.ts";
import type { FinishReason } from "./completion-wire.ts";
import { openGrowingText } from "./growing-text.ts";

export type TurnEnd =
  | { kind: "answered"; text: string; finish: FinishReason; usage: Usage }
  /** Nobody can go on before a person has answered; `text` asks for it. */
  | { kind: "waiting"; text: string; usage: Usage }
  | { kind: "failed"; message: string; code: string };

export type Folded = { delta: string; end?: TurnEnd };

/** What lies in the log already: a wait in it is over unless one of its questions is open now. */
export type Past = { throughSeq: number; openApprovals: ReadonlySet<string> };

export function openTurnFold(taskId: string, past: Past): { take(followed: Followed): Folded } {
  const text = openGrowingText();
  const questions = new Map<string, EventOf<"approval.asked">>();
  let usage = noUsage;
  let finish: FinishReason = "stop";
  let reply = "";
  let saidAnything = false;
  return {
    take(followed) {
      const delta = text.take(followed);
      saidAnything ||= delta !== "";
      const end = "seq" in followed ? fold(followed) : undefined;
      if (end?.kind === "waiting") return { delta: saidAnything ? `\n\n${end.text}` : end.text, end };
      return end ? { delta, end } : { delta };
    },
  };

  function fold(event: Event): TurnEnd | undefined {
    switch (event.type) {
      case "message.refused":
        return { kind: "failed", message: event.reason, code: "refused" };
      case "conversation.deleted":
        return { kind: "failed", message: "The conversation was deleted.", code: "deleted" };
      case "step.finished":
        usage = addUsage(usage, event.usage);
        finish = event.finish === "length" ? "length" : "stop";
        return undefined;
      case "approval.asked":
        questions.set(event.approvalId, event);
        return undefined;
      case "approval.answered":
        questions.delete(event.approvalId);
        return undefined;
      case "turn.waiting":
        if (event.seq <= past.throughSeq && !event.approvals.some((id) => past.openApprovals.has(id))) return undefined;
        return { kind: "waiting", text: askInWords([...questions.values()]), usage };
      case "reply.written":
        reply = event.text;
        return undefined;
      case "turn.finished":
        return endOf(event);
      default:
        return undefined;
    }
  }

  function endOf({ ending, detail }: EventOf<"turn.finished">): TurnEnd {
    if (ending === "unavailable" || ending === "failed" || ending === "budget")
      return { kind: "failed", message: reply || detail || ending, code: ending };
    return { kind: "answered", text: reply, finish, usage };
  }

  function askInWords(asked: readonly EventOf<"approval.asked">[]): string {
    const lines = asked.map(({ display, reason, approvalId }) => {
      const why = reason === "" ? "" : ` (${reason})`;
      return `- ${display}${why}\n  POST /api/approvals/${approvalId} {"decision":"approved"} or {"decision":"denied"}`;
    });
    return [
      "I need your permission before I go on:",
      lines.join("\n"),
      `Answer in the inbox of the web page, in any other client, or as written above. I then go on by myself; GET /api/tasks/${taskId} has the answer.`,
    ].join("\n\n");
  }
}
