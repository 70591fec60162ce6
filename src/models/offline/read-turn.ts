import type { ModelMessage } from "../../contract/model.ts";
import type { Exchange } from "./intent.ts";

export type Turn = {
  /** What the person said last. */
  text: string;
  hasAttachments: boolean;
  /** What came back since then for our own calls, and for those of a model that fell silent. */
  own: readonly Exchange[];
  foreign: readonly Exchange[];
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
    text: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
    hasAttachments: content.some((part) => part.type !== "text"),
    own: results.filter((result) => ownCalls.has(result.callId)).map(asExchange),
    foreign: results.filter((result) => !ownCalls.has(result.callId)).map(asExchange),
  };
}

function asExchange(result: Extract<ModelMessage, { role: "tool" }>): Exchange {
  return { tool: result.tool, failed: result.failed, output: result.output };
}
