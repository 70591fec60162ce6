// A fake answer as OpenAI-compatible chat completion chunks, with the ways in which local servers stray from them.
import {
  argumentsText,
  type ChatOddities,
  cutIntoPieces,
  type FakeAnswer,
  type FakeRequest,
  type FakeToolCall,
  type Frame,
  usageOf,
} from "./model-answer.ts";

const finishReasons = { stop: "stop", tool_calls: "tool_calls", length: "length", refused: "content_filter" } as const;

export function chatFrames(answer: FakeAnswer, request: FakeRequest): Frame[] {
  const odd = answer.oddities ?? {};
  const calls = answer.toolCalls ?? [];
  const finish = answer.finish ?? (calls.length > 0 && !odd.stopAfterCalls ? "tool_calls" : "stop");
  const deltas: { delta: Record<string, unknown>; piece: boolean }[] = [
    { delta: { ...(odd.noRole ? {} : { role: "assistant" }), content: odd.nullContent ? null : "" }, piece: false },
    ...(answer.reasoning === undefined
      ? []
      : cutIntoPieces(answer.reasoning, 2).map((part) => ({
          delta: { [odd.reasoningField ?? "reasoning_content"]: part, ...(odd.nullContent ? { content: null } : {}) },
          piece: false,
        }))),
    ...cutIntoPieces(answer.text ?? "", answer.pieces).map((content) => ({ delta: { content }, piece: true })),
    ...calls.flatMap((call, at) => callDeltas(call, at, request.number, odd)).map((delta) => ({ delta, piece: false })),
  ];
  const chunks = [
    ...(odd.emptyChoices ? [{ choices: [] }] : []),
    ...deltas.map(({ delta }) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finishReasons[finish] }] },
    ...(odd.noUsage ? [] : [{ choices: [], usage: chatUsage(answer, request) }]),
  ];
  const pieces = [...(odd.emptyChoices ? [false] : []), ...deltas.map(({ piece }) => piece)];
  const end = odd.crlf ? "\r\n" : "\n";
  const common = { id: `chatcmpl-${request.number}`, object: "chat.completion.chunk", model: request.body.model };
  const frames = chunks.map((chunk, at) => ({
    text: `${odd.comments ? `: still here${end}${end}` : ""}data: ${JSON.stringify({ ...common, ...chunk })}${end}${end}`,
    piece: pieces[at] ?? false,
  }));
  return odd.noDone ? frames : [...frames, { text: `data: [DONE]${end}${end}`, piece: false }];
}

export function chatErrorEvent(type: string | undefined, message: string | undefined): string {
  const error = { message: message ?? "The server had an error.", type: type ?? "server_error", code: 500 };
  return `data: ${JSON.stringify({ error })}\n\n`;
}

export function openaiErrorBody(status: number, message: string, code: string | undefined): unknown {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return { error: { message, type, param: null, code: code ?? null } };
}

function callDeltas(call: FakeToolCall, at: number, number: number, odd: ChatOddities): Record<string, unknown>[] {
  const head = {
    ...(odd.callsWithoutIndex ? {} : { index: at }),
    ...(odd.callsWithoutId ? {} : { id: call.id ?? `call_${number}_${at}` }),
    type: "function",
  };
  if (odd.objectArguments) {
    return [{ tool_calls: [{ ...head, function: { name: call.name, arguments: call.arguments } }] }];
  }
  const text = argumentsText(call);
  if (odd.callsInOneChunk || odd.callsWithoutIndex) {
    return [{ tool_calls: [{ ...head, function: { name: call.name, arguments: text } }] }];
  }
  return [
    { tool_calls: [{ ...head, function: { name: call.name, arguments: "" } }] },
    ...cutIntoPieces(text, 2).map((part) => ({ tool_calls: [{ index: at, function: { arguments: part } }] })),
  ];
}

function chatUsage(answer: FakeAnswer, request: FakeRequest) {
  const usage = usageOf(answer, request);
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
  };
}
