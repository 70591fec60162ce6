// OpenAI's shapes of an answer, whole and in pieces, and of an error.
import { z } from "zod";
import type { Usage } from "../../../contract/model.ts";
import type { RouteAnswer } from "../../../contract/room/route.ts";

const FinishReason = z.enum(["stop", "length"]);
export type FinishReason = z.infer<typeof FinishReason>;

const CompletionUsage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number() }),
});
const AnswerHead = z.object({ id: z.string(), created: z.number(), model: z.string() });
export type AnswerHead = z.infer<typeof AnswerHead>;

export const Completion = z.object({
  ...AnswerHead.shape,
  object: z.literal("chat.completion"),
  choices: z.array(
    z.object({
      index: z.literal(0),
      message: z.object({ role: z.literal("assistant"), content: z.string(), refusal: z.null() }),
      logprobs: z.null(),
      finish_reason: FinishReason,
    }),
  ),
  usage: CompletionUsage,
});

export const OpenAiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});
export type OpenAiError = z.infer<typeof OpenAiError>;

type Delta = { role?: "assistant"; content?: string };

export function wholeCompletion(head: AnswerHead, text: string, finish: FinishReason, usage: Usage) {
  const message = { role: "assistant" as const, content: text, refusal: null };
  return {
    ...head,
    object: "chat.completion" as const,
    choices: [{ index: 0 as const, message, logprobs: null, finish_reason: finish }],
    usage: usageOf(usage),
  } satisfies z.infer<typeof Completion>;
}

export function completionChunk(head: AnswerHead, delta: Delta, finish: FinishReason | null = null) {
  const choice = { index: 0, delta, logprobs: null, finish_reason: finish };
  return { ...head, object: "chat.completion.chunk", choices: [choice] };
}

export function usageChunk(head: AnswerHead, usage: Usage) {
  return { ...head, object: "chat.completion.chunk", choices: [], usage: usageOf(usage) };
}

export function openAiError(
  message: string,
  about: { type: string; param?: string | null; code?: string },
): OpenAiError {
  return { error: { message, type: about.type, param: about.param ?? null, code: about.code ?? null } };
}

export function refuseOpenAi(status: number, error: OpenAiError): RouteAnswer {
  // a client that tries again by itself would have everything done a second time
  return { status, body: error, headers: { "x-should-retry": "false" } };
}

function usageOf(usage: Usage): z.infer<typeof CompletionUsage> {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens },
  };
}
