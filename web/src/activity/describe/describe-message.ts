import type { EventOf } from "../../../../src/contract/event.ts";
import { visibleLine } from "../../../../src/contract/words/visible-line.ts";
import { toolWords } from "../../tool-words.ts";
import { type ActivityLine, assistant, plural, whoIs } from "../activity-line.ts";

const mostWords = 240;

export function describeMessage(event: EventOf<"message.received">): ActivityLine {
  const tried = readTrial(event);
  if (tried) {
    const { would, subject, icon } = toolWords(tried.tool, tried.arguments);
    const what = subject === undefined ? {} : { subject: { text: subject, as: "code" as const } };
    return { icon, who: whoIs(event.sender), sentence: `tried a tool by hand: ${would}`, ...what, tone: "quiet" };
  }
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
  const files = event.attachments.length > 0 ? { detail: `with ${plural(event.attachments.length, "file")}` } : {};
  return { icon: "chat", who: assistant, sentence: "answered:", ...words(event.text), ...files, tone: "quiet" };
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

function words(text: string): Pick<ActivityLine, "subject"> {
  const line = visibleLine(text, mostWords);
  return line === "" ? {} : { subject: { text: line, as: "words" } };
}
