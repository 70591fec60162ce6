import type { ModelMessage } from "../../contract/model.ts";
import { cutMiddle } from "../outputs/cut-long-output.ts";

const leftOut = "(Left out to make room. What mattered of it is in the notes.)";

/** Leaves out the oldest pages until the rest fits; what was asked and noted stays, and of the newest page as much as there is room for. */
export function fitMessages(messages: readonly ModelMessage[], maxCharacters: number): readonly ModelMessage[] {
  let over = messages.reduce((sum, message) => sum + lengthOf(message), 0) - maxCharacters;
  if (over <= 0) return messages;
  const newest = messages.findLastIndex((message) => message.role === "tool");
  return messages.map((message, at) => {
    if (over <= 0 || message.role !== "tool" || message.output.length <= leftOut.length) return message;
    const room = Math.max(leftOut.length, message.output.length - over);
    const output = at === newest ? cutMiddle(message.output, room) : leftOut;
    over -= message.output.length - output.length;
    return { ...message, output };
  });
}

function lengthOf(message: ModelMessage): number {
  return message.role === "tool" ? message.output.length : JSON.stringify(message).length;
}
