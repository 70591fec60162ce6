// Comes in: a person's message that is exactly one tool call as JSON. Goes out: that call and nothing else, once.
import { z } from "zod";
import type { ModelChoice, ModelEvent, ModelMessage, ModelRequest } from "../../contract/model.ts";
import { directModel } from "../../contract/wire/methods/tools.ts";
import type { World } from "../../contract/world.ts";
import { freeAnswer, stopped } from "../free-answer.ts";

/** Trying a tool is a conversation with this model, so the guard, the approvals and the log are the usual ones. */
export const directChoice: ModelChoice = {
  name: directModel,
  contextTokens: 1_000_000,
  maxOutputTokens: 100_000,
  price: { input: 0, output: 0 },
  source: "built in",
};

const DirectCall = z.strictObject({ tool: z.string().min(1), arguments: z.record(z.string(), z.unknown()) });
type DirectCall = z.infer<typeof DirectCall>;

export async function* streamDirect(deps: Pick<World, "newId">, request: ModelRequest): AsyncGenerator<ModelEvent> {
  if (request.signal.aborted) return yield stopped;
  const since = sinceLastAnswer(request.messages);
  const next = nextCall(since);
  const text = next ? "" : wordsFor(since);
  const call = next && { callId: deps.newId("call"), ...next };
  yield call ? { type: "tool_call", call } : { type: "text", delta: text };
  yield freeAnswer(directChoice.name, text, call ? [call] : []);
}

/** What the last finished answer left open; everything before it is over. */
function sinceLastAnswer(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const ended = messages.findLastIndex((message) => message.role === "assistant" && message.toolCalls.length === 0);
  return messages.slice(ended + 1);
}

// a second message may come in while the first is at work: each is called once, in the order they came
function nextCall(messages: readonly ModelMessage[]): DirectCall | undefined {
  const asked = messages.flatMap((message) => readCall(message) ?? []);
  const made = messages.filter((message) => message.role === "assistant" && message.toolCalls.length > 0);
  return asked[made.length];
}

function readCall(message: ModelMessage): DirectCall | undefined {
  if (message.role !== "user") return undefined;
  const [only, ...others] = message.content;
  if (only?.type !== "text" || others.length > 0) return undefined;
  try {
    return DirectCall.safeParse(JSON.parse(only.text)).data;
  } catch {
    // plain words are no call, and nothing is done about them
    return undefined;
  }
}

function wordsFor(messages: readonly ModelMessage[]): string {
  const result = messages.findLast((message) => message.role === "tool");
  if (result?.role !== "tool")
    return "Nothing was done. This conversation only tries single tools; the Tools page writes its messages.";
  if (!result.failed) return "Done.";
  return result.output.startsWith("Not done:") ? "It was denied." : "It failed.";
}
