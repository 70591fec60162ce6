import type { ModelEvent, ModelProvider, ModelRequest } from "../contract/model.ts";

type Note = (message: string, fields: Readonly<Record<string, unknown>>) => void;

/** The same models; what each request holds and how long its answer takes is told, never its words. */
export function noteRequests<Provider extends ModelProvider>(
  deps: { note: Note; nowMs(): number },
  models: Provider,
): Provider {
  return { ...models, stream: (request) => watch(request) };

  async function* watch(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const sinceMs = deps.nowMs();
    let firstMs: number | undefined;
    deps.note("model request", sizesOf(request));
    for await (const event of models.stream(request)) {
      if (event.type === "text" || event.type === "reasoning") firstMs ??= deps.nowMs() - sinceMs;
      if (event.type === "final" || event.type === "unavailable") {
        const { kind, message } = event.type === "unavailable" ? event : { kind: undefined, message: undefined };
        deps.note("model request ended", {
          end: event.type,
          kind,
          message,
          firstMs,
          durationMs: deps.nowMs() - sinceMs,
        });
      }
      yield event;
    }
  }
}

function sizesOf({ models, system, messages, tools, thinking, maxOutputTokens }: ModelRequest) {
  const systemCharacters = system.reduce((sum, { text }) => sum + text.length, 0);
  const characters = messages.reduce((sum, message) => sum + lengthOf(message), 0);
  const sizes = { systemCharacters, messages: messages.length, characters, tools: tools.length };
  return { models, ...sizes, thinking, maxOutputTokens };
}

function lengthOf(message: ModelRequest["messages"][number]): number {
  if (message.role === "tool") return message.output.length;
  if (message.role === "assistant") return message.text.length;
  return message.content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : part.data.length), 0);
}
