import type { EventOf } from "../../../../src/contract/event.ts";
import { formatDateTime } from "../../words.ts";
import { type ActivityLine, assistant, type EventContext, originWords, plural, whoIs } from "../activity-line.ts";

export type TaskEvent = EventOf<
  "task.made" | "task.changed" | "task.ended" | "task.skipped" | "task.settled" | "heartbeat.noted"
>;

export function describeTaskEvent(event: TaskEvent, context: EventContext): ActivityLine {
  switch (event.type) {
    case "task.made":
      return describeMade(event);
    case "task.changed":
      return describeChange(event);
    case "task.ended":
      return { icon: "tasks", who: endedBy(event), sentence: endings[event.why], tone: "quiet" };
    case "task.skipped":
      return describeSkipped(event);
    case "task.settled":
      return { icon: "tasks", who: assistant, sentence: settledWords(event, context), tone: "quiet" };
    case "heartbeat.noted":
      return {
        icon: "activity",
        who: assistant,
        sentence: "noted for the next heartbeat:",
        subject: { text: event.text, as: "words" },
        tone: "quiet",
      };
    default:
      return event satisfies never;
  }
}

function describeMade({ by, definition, nextAtMs, labels }: EventOf<"task.made">): ActivityLine {
  const what = definition.action.kind === "say" ? "planned a reminder:" : "planned a task:";
  const next = nextAtMs === undefined ? undefined : `first on ${formatDateTime(nextAtMs)}`;
  const detail = [next, originWords(labels)].filter((part) => part !== undefined).join(", ");
  return {
    icon: "tasks",
    who: whoIs(by),
    sentence: what,
    subject: { text: definition.title, as: "words" },
    ...(detail !== "" && { detail }),
    tone: labels.length > 0 ? "warning" : "quiet",
  };
}

function describeChange({ by, definition, state, nextAtMs }: EventOf<"task.changed">): ActivityLine {
  const subject = definition ? { subject: { text: definition.title, as: "words" as const } } : {};
  const next = typeof nextAtMs === "number" ? { detail: `next on ${formatDateTime(nextAtMs)}` } : {};
  const line = { icon: "tasks", who: whoIs(by), ...subject, tone: "quiet" } as const;
  if (state === "paused") return { ...line, sentence: "paused a task" };
  if (state === "active") return { ...line, sentence: "let a task go on", ...next };
  return { ...line, sentence: definition ? "changed a task:" : "planned the next time of a task", ...next };
}

const endings: Readonly<Record<EventOf<"task.ended">["why"], string>> = {
  done: "finished a task: it had no time left to come",
  condition: "ended a task because what it waited for has happened",
  cancelled: "cancelled a task",
  expired: "ended a task whose time had passed",
};

function endedBy({ why, by }: EventOf<"task.ended">): string {
  return why === "cancelled" ? whoIs(by) : assistant;
}

function describeSkipped({ why, times, dueAtMs }: EventOf<"task.skipped">): ActivityLine {
  const often = plural(times, "time");
  const sentence =
    why === "busy"
      ? `left out ${often} of a task, because the run before was still under way`
      : `missed ${often} of a task, because Steward was not running`;
  return { icon: "clock", who: assistant, sentence, detail: `due ${formatDateTime(dueAtMs)}`, tone: "warning" };
}

function settledWords({ how, to = "" }: EventOf<"task.settled">, context: EventContext): string {
  switch (how) {
    case "delivered":
      return to === ""
        ? "told what a task has found"
        : `told what a task has found in ${context.nameOfConversation(to) ?? to}`;
    case "quiet":
      return "had nothing to tell of a task";
    case "repeated":
      return "did not tell the same words of a task twice";
    case "kept":
      return "kept the answer of a task with the task";
    case "retried":
      return "will try a task again that did not work";
    default:
      return how satisfies never;
  }
}
