// Models of one protocol wired to the fake server, with a clock that does not wait: the scene most model tests begin with.
import type { FailedAttempt, ModelEvent, ModelProvider, ModelRequest } from "../../../src/contract/model.ts";
import { Settings } from "../../../src/contract/settings.ts";
import { openModels } from "../../../src/models/open-models.ts";
import {
  type FakeModelServer,
  type FakeModelServerOptions,
  startFakeModelServer,
} from "../../fakes/model/fake-model-server.ts";
import type { Protocol } from "../../fakes/model/model-answer.ts";

export const protocols: readonly Protocol[] = ["anthropic", "responses", "chat"];
export const modelOf: Record<Protocol, string> = {
  anthropic: "anthropic/claude-sonnet-5-5",
  responses: "openai/gpt-6.1-sol",
  chat: "ollama/qwen3:8b",
};

export type ModelScene = {
  server: FakeModelServer;
  models: ModelProvider;
  /** Milliseconds that the models asked to wait between attempts; nothing really waited. */
  waits: number[];
  /** What was asked in vain, beside what `ask` answers with. */
  failures: FailedAttempt[];
  /** Requests that the offline model got. */
  offlineRequests: ModelRequest[];
  ask(request?: Partial<ModelRequest>): Promise<ModelEvent[]>;
  close(): Promise<void>;
};

export type SceneOptions = {
  answers: FakeModelServerOptions["answers"];
  protocol?: Protocol;
  settings?: Record<string, unknown>;
  nowMs?: () => number;
  /** Really waits between attempts. */
  waits?: boolean;
};

export async function openModelScene(options: SceneOptions): Promise<ModelScene> {
  const server = await startFakeModelServer({ answers: options.answers });
  const waits: number[] = [];
  const failures: FailedAttempt[] = [];
  const offlineRequests: ModelRequest[] = [];
  const models = openModels({
    settings: Settings.parse({ models: { probeLocal: false, ...options.settings } }),
    environment: { ANTHROPIC_BASE_URL: server.url, OPENAI_BASE_URL: `${server.url}/v1` },
    storedKeys: { anthropic: "key-anthropic", openai: "key-openai" },
    localPorts: { ollama: server.port, lmstudio: server.port, llamacpp: server.port },
    offline: offlineModel(offlineRequests),
    fetch,
    async sleep(ms, signal) {
      waits.push(ms);
      if (options.waits) await new Promise((resolve) => wakeAfter(ms, signal, resolve));
    },
    nowMs: options.nowMs ?? Date.now,
    random: () => 1,
  });
  return {
    server,
    models,
    waits,
    failures,
    offlineRequests,
    ask: (request) => collect(models.stream(makeRequest(options.protocol ?? "anthropic", request)), failures),
    close: () => server.close(),
  };
}

export function makeRequest(protocol: Protocol, request: Partial<ModelRequest> = {}): ModelRequest {
  return {
    models: [modelOf[protocol]],
    system: [{ text: "You help.", stable: true }],
    messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
    tools: [],
    thinking: "off",
    maxOutputTokens: 1000,
    signal: new AbortController().signal,
    ...request,
  };
}

/** Everything but the failed attempts, each of which is followed by what is done about it. */
export async function collect(
  events: AsyncIterable<ModelEvent>,
  failures: FailedAttempt[] = [],
): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) {
    if (event.type === "failed") failures.push(event);
    else all.push(event);
  }
  return all;
}

export function finalOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: "final" }> {
  const last = events.at(-1);
  if (last?.type !== "final") throw new Error(`no final answer: ${JSON.stringify(last)}`);
  return last;
}

/** What a person sees of the text: a reset takes back what was shown. */
export function screenText(events: readonly ModelEvent[]): string {
  return events.reduce((text, event) => {
    if (event.type === "text_reset") return "";
    return event.type === "text" ? text + event.delta : text;
  }, "");
}

function offlineModel(requests: ModelRequest[]) {
  return {
    name: "offline/rules",
    async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
      requests.push(request);
      yield { type: "text", delta: "I am the offline model." };
      yield {
        type: "final",
        model: "offline/rules",
        text: "I am the offline model.",
        toolCalls: [],
        finish: "stop",
        usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      };
    },
  };
}

function wakeAfter(ms: number, signal: AbortSignal, wake: (value: unknown) => void): void {
  const timer = setTimeout(wake, ms);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    wake(undefined);
  });
}
