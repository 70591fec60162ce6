// A fake answer as Anthropic Messages server-sent events.
import {
  argumentsText,
  cutIntoPieces,
  type FakeAnswer,
  type FakeRequest,
  type Frame,
  usageOf,
} from "./model-answer.ts";

const stopReasons = { stop: "end_turn", tool_calls: "tool_use", length: "max_tokens", refused: "refusal" } as const;

export function anthropicFrames(answer: FakeAnswer, request: FakeRequest): Frame[] {
  const usage = usageOf(answer, request);
  const calls = answer.toolCalls ?? [];
  const blocks = [
    ...(answer.reasoning === undefined ? [] : [reasoningBlock(answer.reasoning, request.number)]),
    ...(answer.text ? [textBlock(answer.text, answer.pieces)] : []),
    ...calls.map((call, at) => ({
      start: { type: "tool_use", id: call.id ?? `toolu_${request.number}_${at}`, name: call.name, input: {} },
      deltas: cutIntoPieces(argumentsText(call), 2).map((part) => ({
        delta: { type: "input_json_delta", partial_json: part },
        piece: false,
      })),
    })),
  ];
  const finish = answer.finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  return [
    event("message_start", { message: messageStart(request, usage) }),
    event("ping", {}),
    ...blocks.flatMap((block, index) => [
      event("content_block_start", { index, content_block: block.start }),
      ...block.deltas.map(({ delta, piece }) => event("content_block_delta", { index, delta }, piece)),
      event("content_block_stop", { index }),
    ]),
    event("message_delta", {
      delta: { stop_reason: stopReasons[finish], stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    event("message_stop", {}),
  ];
}

export function anthropicErrorEvent(type: string | undefined, message: string | undefined): string {
  return event("error", { error: { type: type ?? "overloaded_error", message: message ?? "Overloaded" } }).text;
}

export function anthropicErrorBody(status: number, message: string): unknown {
  const types: Record<number, string> = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
  };
  return { type: "error", error: { type: types[status] ?? "api_error", message } };
}

function messageStart(request: FakeRequest, usage: ReturnType<typeof usageOf>) {
  return {
    id: `msg_${request.number}`,
    type: "message",
    role: "assistant",
    model: request.body.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      output_tokens: 1,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite,
    },
  };
}

function textBlock(text: string, pieces: number | undefined) {
  return {
    start: { type: "text", text: "" },
    deltas: cutIntoPieces(text, pieces).map((part) => ({ delta: { type: "text_delta", text: part }, piece: true })),
  };
}

function reasoningBlock(reasoning: string, number: number) {
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...cutIntoPieces(reasoning, 2).map((part) => ({
        delta: { type: "thinking_delta", thinking: part },
        piece: false,
      })),
      { delta: { type: "signature_delta", signature: `signature-${number}` }, piece: false },
    ],
  };
}

function event(type: string, fields: Record<string, unknown>, piece = false): Frame {
  return { text: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`, piece };
}
