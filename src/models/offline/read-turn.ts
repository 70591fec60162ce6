import type { ModelMessage } from "../../contract/model.ts";
import type { Exchange, Said } from "./intent.ts";

/** One message that is to be answered. */
export type Asked = {
  text: string;
  hasAttachments: boolean;
  /** What was said before it. */
  earlier: readonly Said[];
};

export type Turn = {
  /** In the order in which they came; at least one. */
  asked: readonly Asked[];
  /** What came back since then for our own calls, and for those of a model that fell silent. */
  own: readonly Exchange[];
  foreign: readonly Exchange[];
};

/** The turn as it stands, read from the conversation alone: nothing is kept between two requests. */
export function readTurn(messages: readonly ModelMessage[], ownName: string): Turn {
  const open = messages.flatMap((message, index) => (message.role === "user" && message.isOpen ? [index] : []));
  const starts = open.length > 0 ? open : [messages.findLastIndex((message) => message.role === "user")];
  const since = messages.slice((starts[0] ?? 0) + 1);
  const ownCalls = new Set(
    since.flatMap((message) =>
      message.role === "assistant" && message.model === ownName ? message.toolCalls.map((made) => made.callId) : [],
    ),
  );
  const results = since.filter((message) => message.role === "tool");
  return {
    asked: starts.map((start) => readAsked(messages, start, ownName)),
    own: results.filter((result) => ownCalls.has(result.callId)).map(asExchange),
    foreign: results.filter((result) => !ownCalls.has(result.callId)).map(asExchange),
  };
}

function readAsked(messages: readonly ModelMessage[], start: number, ownName: string): Asked {
  const message = messages[start];
  const content = message?.role === "user" ? message.content : [];
  return {
    // what came along with the words is no sentence
    text: withoutSpeaker(textOf(content.slice(0, 1))),
    hasAttachments: content.some((part) => part.type !== "text"),
    earlier: messages.slice(0, Math.max(0, start)).flatMap((each) => saidIn(each, ownName)),
  };
}

function textOf(content: Extract<ModelMessage, { role: "user" }>["content"]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function saidIn(message: ModelMessage, ownName: string): readonly Said[] {
  switch (message.role) {
    case "user":
      return [{ by: "person", text: withoutSpeaker(textOf(message.content)) }];
    case "tool":
      return [{ by: "tool", ...asExchange(message) }];
    case "assistant": {
      const [, title = "", words = ""] = /^\[from the task “(.*?)”\] (.*)$/s.exec(message.text) ?? [];
      if (message.model === "steward" && words !== "") return [{ by: "task", title, text: words }];
      return message.text === "" ? [] : [{ by: "assistant", text: message.text, isOwn: message.model === ownName }];
    }
    default:
      return message satisfies never;
  }
}

function asExchange(result: Extract<ModelMessage, { role: "tool" }>): Exchange {
  return { tool: result.tool, failed: result.failed, output: result.output };
}

/** In a group each message begins with when it was said and by whom. */
function withoutSpeaker(text: string): string {
  return text.replace(/^\[\d{1,2} \p{L}{3,9},? \d{2}:\d{2}\] [^:\n]{1,60}: /u, "");
}
