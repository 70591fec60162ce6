import type { ModelMessage } from "../../contract/model.ts";
import type { Exchange, Said } from "./intent.ts";

export type Turn = {
  /** What the person said last. */
  text: string;
  hasAttachments: boolean;
  /** What came back since then for our own calls, and for those of a model that fell silent. */
  own: readonly Exchange[];
  foreign: readonly Exchange[];
  /** What was said before it. */
  earlier: readonly Said[];
};

/** The turn as it stands, read from the conversation alone: nothing is kept between two requests. */
export function readTurn(messages: readonly ModelMessage[], ownName: string): Turn {
  const start = messages.findLastIndex((message) => message.role === "user");
  const asked = messages[start];
  const content = asked?.role === "user" ? asked.content : [];
  const since = messages.slice(start + 1);
  const ownCalls = new Set(
    since.flatMap((message) =>
      message.role === "assistant" && message.model === ownName ? message.toolCalls.map((made) => made.callId) : [],
    ),
  );
  const results = since.filter((message) => message.role === "tool");
  return {
    // what came along with the words is no sentence
    text: withoutSpeaker(textOf(content.slice(0, 1))),
    hasAttachments: content.some((part) => part.type !== "text"),
    own: results.filter((result) => ownCalls.has(result.callId)).map(asExchange),
    foreign: results.filter((result) => !ownCalls.has(result.callId)).map(asExchange),
    earlier: messages.slice(0, Math.max(0, start)).flatMap((message) => saidIn(message, ownName)),
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
