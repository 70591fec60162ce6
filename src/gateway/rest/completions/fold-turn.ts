// What happens in a turn, folded into what a chat completion needs: text as it comes, and one end.

import type { Event, EventOf } from "../../../contract/event.ts";
import type { Usage } from "../../../contract/model.ts";
import type { Followed } from "../../../contract/wire/client.ts";
import { spellOut } from "../../../contract/words/spell-out.ts";
import type { TaskMessage } from "../../../store/tables/task-queries.ts";
import { applyToTask, type Task, taskBegun } from "../tasks/task.ts";
import type { FinishReason } from "./completion-wire.ts";
import { openGrowingText } from "./growing-text.ts";

export type TurnEnd =
  /** Waiting: nobody can go on before a person has answered; `text` asks for it. */
  | { kind: "answered" | "waiting"; text: string; finish: FinishReason; usage: Usage }
  | { kind: "failed"; message: string; code: string };

/** What lies in the log already: a wait in it is over unless one of its questions is open now. */
export type Past = { throughSeq: number; openApprovals: ReadonlySet<string> };

export function openTurnFold(message: TaskMessage, past: Past) {
  const text = openGrowingText();
  let task = taskBegun(message);
  let finish: FinishReason = "stop";
  let saidAnything = false;
  return {
    take(followed: Followed): { delta: string; end: TurnEnd | undefined } {
      const delta = text.take(followed);
      saidAnything ||= delta !== "";
      const end = "seq" in followed ? fold(followed) : undefined;
      if (end?.kind === "waiting") return { delta: saidAnything ? `\n\n${end.text}` : end.text, end };
      return { delta, end };
    },
  };

  function fold(event: Event): TurnEnd | undefined {
    task = applyToTask(task, event);
    switch (event.type) {
      case "message.refused":
        return { kind: "failed", message: event.reason, code: "refused" };
      case "message.withdrawn":
        return { kind: "failed", message: "The message was taken back before its turn.", code: "cancelled" };
      case "conversation.deleted":
        return { kind: "failed", message: "The conversation was deleted.", code: "deleted" };
      case "step.finished":
        finish = event.finish === "length" ? "length" : "stop";
        return undefined;
      case "turn.waiting":
        if (event.seq <= past.throughSeq && !event.approvals.some((id) => past.openApprovals.has(id))) return undefined;
        return { kind: "waiting", text: askInWords(task), finish: "stop", usage: task.usage };
      case "turn.finished":
        return endOf(event);
      default:
        return undefined;
    }
  }

  function endOf({ ending, detail }: EventOf<"turn.finished">): TurnEnd {
    const { answer = "", usage } = task;
    if (ending === "unavailable" || ending === "failed" || ending === "budget")
      return { kind: "failed", message: answer || detail || ending, code: ending };
    return { kind: "answered", text: answer, finish, usage };
  }
}

function askInWords({ id, waitingFor }: Task): string {
  const lines = waitingFor.map(({ display, reason, approvalId }) => {
    const why = reason === "" ? "" : `${reason}\n`;
    return `${fenced(display)}\n${why}POST /api/approvals/${approvalId} {"decision":"approved"} or {"decision":"denied"}`;
  });
  return [
    "I need your permission before I go on:",
    lines.join("\n\n"),
    `Answer in the inbox of the web page, in any other client, or as written above. I then go on by myself; GET /api/tasks/${id} has the answer.`,
  ].join("\n\n");
}

// as code, because a client that shows Markdown would hide what stands in comments and behind links
function fenced(display: string): string {
  const longest = Math.max(2, ...Array.from(display.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${spellOut(display)}\n${fence}`;
}
