import { type ModelRequest, noUsage, type Usage } from "../../contract/model.ts";
import type { CollectedAnswer, SaidSoFar } from "./collect-answer.ts";

const charactersPerToken = 4;

/** `inputTokens` is everything the model read, cached or not. A server that counts nothing gets an estimate by length. */
export function readUsage(answer: CollectedAnswer, request: ModelRequest): Usage {
  const { inputTokens, outputTokens } = answer.usage;
  return {
    // nothing is read for no tokens: a zero means that the server does not count
    inputTokens: count(inputTokens.total) || estimateInput(request),
    outputTokens: count(outputTokens.total) || estimateOutput(answer),
    cacheReadTokens: count(inputTokens.cacheRead) ?? 0,
    cacheWriteTokens: count(inputTokens.cacheWrite) ?? 0,
  };
}

/** Of an answer that was stopped in the middle nobody tells the count. */
export function estimateUsage(said: SaidSoFar, request: ModelRequest): Usage {
  return { ...noUsage, inputTokens: estimateInput(request), outputTokens: estimateOutput(said) };
}

function count(tokens: number | undefined): number | undefined {
  return tokens === undefined || !Number.isFinite(tokens) || tokens < 0 ? undefined : Math.round(tokens);
}

function estimateInput(request: ModelRequest): number {
  const system = request.system.reduce((sum, piece) => sum + piece.text.length, 0);
  const tools = JSON.stringify(request.tools).length;
  const messages = request.messages.reduce((sum, message) => {
    if (message.role === "tool") return sum + message.output.length;
    if (message.role === "assistant") return sum + message.text.length + JSON.stringify(message.toolCalls).length;
    return sum + message.content.reduce((all, part) => all + (part.type === "text" ? part.text.length : 0), 0);
  }, 0);
  return Math.ceil((system + tools + messages) / charactersPerToken);
}

function estimateOutput(answer: SaidSoFar): number {
  const calls = answer.toolCalls.length > 0 ? JSON.stringify(answer.toolCalls).length : 0;
  return Math.ceil((answer.text.length + answer.reasoning.length + calls) / charactersPerToken);
}
