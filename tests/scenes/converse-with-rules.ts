// One message to the built-in rules, and what comes back for each of their calls.
import { expect } from "vitest";
import type { ModelMessage } from "../../src/contract/model.ts";
import { openOfflineModel } from "../../src/models/offline/open-offline-model.ts";

export type Result = string | { failed: string };

// a Sunday
const model = openOfflineModel({ nowMs: () => Date.parse("2026-11-15T13:40:00Z"), timeZone: "Europe/Berlin" });
const everyTool = [
  ...["read", "write", "edit", "list", "bash", "web_fetch", "list_tasks", "schedule_task"],
  ...["memory_search", "remember", "forget"],
];

/** Asks, hands back one result for each call, and goes on until there is an answer. */
export async function converse(
  sentence: string,
  results: readonly Result[],
  { earlier = [], offered = everyTool }: { earlier?: readonly ModelMessage[]; offered?: readonly string[] } = {},
) {
  const asked: ModelMessage = { role: "user", content: [{ type: "text", text: sentence }], isOpen: true };
  const messages: ModelMessage[] = [...earlier, asked];
  const steps: (readonly [tool: string, args: unknown])[] = [];
  for (const result of [...results, "one call too many"]) {
    const final = await next(messages, offered);
    const [made] = final.toolCalls;
    if (!made) return { steps, text: final.text, messages: [...messages, answerOf(final)] };
    steps.push([made.tool, made.arguments]);
    const output = typeof result === "string" ? result : result.failed;

    messages.push(answerOf(final), {
      role: "tool",
      callId: made.callId,
      tool: made.tool,
      failed: typeof result !== "string",
      output,
      images: [],
    });
  }
  return expect.unreachable("the rules made more calls than expected");
}

async function next(messages: readonly ModelMessage[], offered: readonly string[]) {
  const events = await Array.fromAsync(
    model.stream({
      ...{ models: ["offline/rules"], system: [], messages, thinking: "off", maxOutputTokens: 1000 },
      tools: offered.map((name) => ({ name, description: "", inputSchema: {} })),
      signal: new AbortController().signal,
    }),
  );
  const final = events.at(-1);
  return final?.type === "final" ? final : expect.unreachable("a stream ends with a final event");
}

function answerOf({ text, toolCalls, model: name }: Awaited<ReturnType<typeof next>>): ModelMessage {
  return { role: "assistant", text, toolCalls, model: name };
}
