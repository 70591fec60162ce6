import { questionIn, runWords } from "../../../../src/contract/conversation/task-words.ts";
import type { EventOf } from "../../../../src/contract/event.ts";
import type { RunRef } from "../../../../src/contract/task/task.ts";
import { visibleLine } from "../../../../src/contract/words/visible-line.ts";
import { toolWords } from "../../tool-words.ts";
import { withoutMarks } from "../../words.ts";
import { type ActivityLine, assistant, plural, taskPath, whoIs } from "../activity-line.ts";

const mostWords = 240;

type TaskVoice = NonNullable<EventOf<"reply.written">["task"]>;

export function describeMessage(event: EventOf<"message.received">): ActivityLine {
  const tried = readTrial(event);
  if (tried) {
    const { would, subject, icon } = toolWords(tried.tool, tried.arguments);
    const what = subject === undefined ? {} : { subject: { text: subject, as: "code" as const } };
    return { icon, who: whoIs(event.sender), sentence: `tried a tool by hand: ${would}`, ...what, tone: "quiet" };
  }
  if (event.run) return describeRun(event, event.run);
  const from = channelWords(event.channel);
  const files = event.attachments.length > 0 ? `with ${plural(event.attachments.length, "file")}` : undefined;
  const detail = [from, files].filter((part) => part !== undefined).join(", ");
  // what Steward tells itself, such as a command that has ended, comes in the same way
  const verb = event.sender.kind === "system" ? "noted:" : event.text.trim().endsWith("?") ? "asked:" : "wrote:";
  return {
    icon: "chat",
    who: whoIs(event.sender),
    sentence: event.text.trim() === "" ? "sent something" : verb,
    ...words(event.text),
    ...(detail !== "" && { detail }),
    tone: "quiet",
  };
}

function describeRun(event: EventOf<"message.received">, run: RunRef): ActivityLine {
  const isHeartbeat = run.cause === "heartbeat";
  const sentence = isHeartbeat ? "looked around by itself (heartbeat)" : "began a run of a task:";
  const detail = isHeartbeat ? {} : { detail: runWords(run).replace(/^Task · /, "") };
  return {
    icon: "tasks",
    who: assistant,
    sentence,
    ...(isHeartbeat ? {} : words(event.text, taskPath(run.task))),
    ...detail,
    tone: "quiet",
  };
}

// the Tools page tries a tool by a message that is exactly one call
function readTrial(event: EventOf<"message.received">): { tool: string; arguments: unknown } | undefined {
  if (!event.conversation.startsWith("web--try-")) return undefined;
  try {
    const call: unknown = JSON.parse(event.text);
    const tool: unknown = typeof call === "object" && call !== null ? Reflect.get(call, "tool") : undefined;
    return typeof tool === "string" ? { tool, arguments: Reflect.get(call as object, "arguments") } : undefined;
  } catch {
    // somebody wrote plain words into that conversation: they are shown as such
    return undefined;
  }
}

export function describeRefusal(event: EventOf<"message.refused">): ActivityLine {
  return {
    icon: "shield",
    who: whoIs(event.sender),
    sentence: "wrote and was not let in:",
    ...words(event.text),
    detail: event.reason,
    tone: "warning",
  };
}

export function describeReply(event: EventOf<"reply.written">): ActivityLine {
  if (event.task) return describeVoice(event, event.task);
  const files = event.attachments.length > 0 ? { detail: `with ${plural(event.attachments.length, "file")}` } : {};
  return { icon: "chat", who: assistant, sentence: "answered:", ...words(event.text), ...files, tone: "quiet" };
}

function describeVoice(event: EventOf<"reply.written">, task: TaskVoice): ActivityLine {
  const sentence = task.ask ? "asked you for a task:" : task.run ? "reminded you:" : "told you of a task:";
  const icon = task.run ? "bell" : "tasks";
  const text = withoutMarks(task.ask ? questionIn(event.text) : event.text);
  // one that was named after its own words is not told them twice
  const detail = text.startsWith(task.title.replace(/…$/, "")) ? {} : { detail: task.title };
  return { icon, who: assistant, sentence, ...words(text, taskPath(task.id)), ...detail, tone: "quiet" };
}

export function describeDelivery(event: EventOf<"reply.delivered">): ActivityLine {
  const by = channelWords(event.channel);
  return { icon: "send", who: assistant, sentence: `delivered the answer${by ? ` ${by}` : ""}`, tone: "quiet" };
}

/** "by Telegram"; nothing for the window in which it is read. */
function channelWords(channel: string): string | undefined {
  if (channel === "web") return undefined;
  const name = channelNames[channel] ?? `${channel.charAt(0).toUpperCase()}${channel.slice(1)}`;
  return channel === "terminal" ? `in the ${name}` : `by ${name}`;
}

const channelNames: Readonly<Record<string, string>> = {
  terminal: "terminal",
  http: "a program",
  api: "a program",
  hook: "a webhook",
  ntfy: "ntfy",
  email: "mail",
};

function words(text: string, href?: string): Pick<ActivityLine, "subject"> {
  const line = visibleLine(text, mostWords);
  return line === "" ? {} : { subject: { text: line, as: "words", ...(href !== undefined && { href }) } };
}
