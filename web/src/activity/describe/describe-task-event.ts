import type { EventOf } from "../../../../src/contract/event.ts";
import { formatDate } from "../../tasks/time-words.ts";
import {
  type ActivityLine,
  assistant,
  type EventContext,
  originWords,
  plural,
  taskPath,
  whoIs,
} from "../activity-line.ts";

export type TaskEvent = EventOf<
  "task.made" | "task.changed" | "task.ended" | "task.skipped" | "task.settled" | "heartbeat.noted"
>;

export function describeTaskEvent(event: TaskEvent, context: EventContext): ActivityLine {
  switch (event.type) {
    case "task.made":
      return describeMade(event);
    case "task.changed":
      return describeChange(event, context);
    case "task.ended":
      return { icon: "tasks", who: endedBy(event), ...named(endings[event.why], event, context), tone: "quiet" };
    case "task.skipped":
      return describeSkipped(event, context);
    case "task.settled":
      return { icon: "tasks", who: assistant, ...named(settledWords(event, context), event, context), tone: "quiet" };
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

/** Which task the sentence is about, where that is known. */
function named(
  sentence: string,
  { task }: { task: string },
  context: EventContext,
): Pick<ActivityLine, "sentence" | "subject"> {
  const text = context.titleOfTask(task);
  return text === undefined ? { sentence } : { sentence: `${sentence}:`, subject: titled(task, text) };
}

function titled(task: string, text: string): NonNullable<ActivityLine["subject"]> {
  return { text, as: "words", href: taskPath(task) };
}

function describeMade({ task, by, definition, nextAtMs, labels }: EventOf<"task.made">): ActivityLine {
  const what = definition.action.kind === "say" ? "planned a reminder:" : "planned a task:";
  const next = nextAtMs === undefined ? undefined : `first on ${formatDate(nextAtMs, Date.now())}`;
  const detail = [next, originWords(labels)].filter((part) => part !== undefined).join(", ");
  return {
    icon: "tasks",
    who: whoIs(by),
    sentence: what,
    subject: titled(task, definition.title),
    ...(detail !== "" && { detail }),
    tone: labels.length > 0 ? "warning" : "quiet",
  };
}

function describeChange(event: EventOf<"task.changed">, context: EventContext): ActivityLine {
  const { by, definition, state, nextAtMs, task } = event;
  const next = typeof nextAtMs === "number" ? { detail: `next on ${formatDate(nextAtMs, Date.now())}` } : {};
  const line = { icon: "tasks", who: whoIs(by), tone: "quiet" } as const;
  if (state === "paused") return { ...line, ...named("paused a task", event, context) };
  if (state === "active") return { ...line, ...named("let a task go on", event, context), ...next };
  if (!definition) return { ...line, ...named("planned the next time of a task", event, context), ...next };
  return { ...line, sentence: "changed a task:", subject: titled(task, definition.title), ...next };
}

const endings: Readonly<Record<EventOf<"task.ended">["why"], string>> = {
  done: "finished a task that has no time left to come",
  condition: "ended a task because what it waited for has happened",
  cancelled: "cancelled a task",
  expired: "ended a task whose time had passed",
};

function endedBy({ why, by }: EventOf<"task.ended">): string {
  return why === "cancelled" ? whoIs(by) : assistant;
}

function describeSkipped(event: EventOf<"task.skipped">, context: EventContext): ActivityLine {
  const { why, times, dueAtMs } = event;
  const often = plural(times, "time");
  const sentence =
    why === "busy"
      ? `left out ${often} of a task, because the run before was still under way`
      : `missed ${often} of a task, because Steward was not running`;
  return {
    icon: "clock",
    who: assistant,
    ...named(sentence, event, context),
    detail: `due ${formatDate(dueAtMs, Date.now())}`,
    tone: "warning",
  };
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
