// A fake answer as OpenAI Responses server-sent events.
import {
  argumentsText,
  cutIntoPieces,
  type FakeAnswer,
  type FakeRequest,
  type Frame,
  usageOf,
} from "./model-answer.ts";

type Item = { added: Record<string, unknown>; between: Frame[]; done: Record<string, unknown> };

export function responsesFrames(answer: FakeAnswer, request: FakeRequest): Frame[] {
  const response = { id: `resp_${request.number}`, created_at: 1, model: request.body.model ?? "fake" };
  const items = itemsOf(answer, request);
  const usage = usageOf(answer, request);
  const incomplete = answer.finish === "length" ? "max_output_tokens" : undefined;
  return [
    event("response.created", { response }),
    event("response.in_progress", { response }),
    ...items.flatMap((item, output_index) => [
      event("response.output_item.added", { output_index, item: item.added }),
      ...item.between,
      event("response.output_item.done", { output_index, item: item.done }),
    ]),
    event(incomplete ? "response.incomplete" : "response.completed", {
      response: {
        ...response,
        incomplete_details: incomplete ? { reason: incomplete } : null,
        usage: {
          input_tokens: usage.input,
          output_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          input_tokens_details: { cached_tokens: usage.cacheRead },
          output_tokens_details: { reasoning_tokens: 0 },
        },
      },
    }),
  ];
}

export function responsesErrorEvent(type: string | undefined, message: string | undefined): string {
  const error = { code: type ?? "server_error", message: message ?? "The server had an error." };
  return event("response.failed", { sequence_number: 9, response: { error } }).text;
}

function itemsOf(answer: FakeAnswer, request: FakeRequest): Item[] {
  const items: Item[] = [];
  if (answer.reasoning !== undefined) items.push(reasoningItem(answer.reasoning, request.number, items.length));
  if (answer.text) items.push(messageItem(answer, answer.text, request.number, items.length));
  for (const call of answer.toolCalls ?? []) {
    const at = items.length;
    const id = `fc_${request.number}_${at}`;
    const item = { type: "function_call", id, call_id: call.id ?? `call_${request.number}_${at}`, name: call.name };
    const text = argumentsText(call);
    items.push({
      added: { ...item, arguments: "" },
      between: [
        ...cutIntoPieces(text, 2).map((delta) =>
          event("response.function_call_arguments.delta", { item_id: id, output_index: at, delta }),
        ),
        event("response.function_call_arguments.done", { item_id: id, output_index: at, arguments: text }),
      ],
      done: { ...item, arguments: text, status: "completed" },
    });
  }
  return items;
}

function reasoningItem(reasoning: string, number: number, output_index: number): Item {
  const id = `rs_${number}`;
  const place = { item_id: id, output_index, summary_index: 0 };
  return {
    added: { type: "reasoning", id, encrypted_content: null, summary: [] },
    between: [
      event("response.reasoning_summary_part.added", place),
      ...cutIntoPieces(reasoning, 2).map((delta) =>
        event("response.reasoning_summary_text.delta", { ...place, delta }),
      ),
      event("response.reasoning_summary_part.done", place),
    ],
    done: { type: "reasoning", id, encrypted_content: `encrypted-${number}`, summary: [] },
  };
}

function messageItem(answer: FakeAnswer, text: string, number: number, output_index: number): Item {
  const id = `msg_${number}`;
  const refused = answer.finish === "refused";
  const deltaType = refused ? "response.refusal.delta" : "response.output_text.delta";
  return {
    added: { type: "message", id, role: "assistant", content: [] },
    between: cutIntoPieces(text, answer.pieces).map((delta) =>
      event(deltaType, { item_id: id, output_index, content_index: 0, delta }, true),
    ),
    done: { type: "message", id, role: "assistant", content: [] },
  };
}

function event(type: string, fields: Record<string, unknown>, piece = false): Frame {
  return { text: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`, piece };
}
