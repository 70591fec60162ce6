// The words of the fake model server: what a test asks it to answer, and what it kept of each request.

export type Protocol = "anthropic" | "responses" | "chat";

export type FakeToolCall = {
  id?: string;
  name: string;
  /** An object is sent as JSON; a string goes out as it is, so that malformed JSON can be played. */
  arguments: unknown;
};

export type FakeUsage = { input: number; output: number; cacheRead?: number; cacheWrite?: number };

/** How local servers stray from the protocol; only chat completions know these. */
export type ChatOddities = {
  callsWithoutIndex?: boolean;
  callsWithoutId?: boolean;
  callsInOneChunk?: boolean;
  objectArguments?: boolean;
  reasoningField?: "reasoning" | "reasoning_content";
  noUsage?: boolean;
  noDone?: boolean;
  crlf?: boolean;
  stopAfterCalls?: boolean;
  emptyChoices?: boolean;
  nullContent?: boolean;
  noRole?: boolean;
  comments?: boolean;
};

export type FakeFault =
  | { kind: "status"; status: number; retryAfter?: string; message?: string; code?: string }
  // the remaining faults strike after this many pieces of text; 0: after the first frame of the stream
  | { kind: "error event"; afterPieces: number; errorType?: string; message?: string }
  | { kind: "drop"; afterPieces: number }
  | { kind: "end"; afterPieces: number }
  | { kind: "garbled line"; afterPieces: number }
  | { kind: "hang"; afterPieces: number }
  // no answer at all, not even headers
  | { kind: "silence" };

export type FakeAnswer = {
  text?: string;
  reasoning?: string;
  toolCalls?: readonly FakeToolCall[];
  usage?: FakeUsage;
  finish?: "stop" | "tool_calls" | "length" | "refused";
  /** In how many pieces the text is sent; one per word unless told. */
  pieces?: number;
  /** Waits before the first byte. */
  delayMs?: number;
  /** Waits after every piece of text. */
  delayPerPieceMs?: number;
  fault?: FakeFault;
  oddities?: ChatOddities;
};

export type FakeRequest = {
  number: number;
  atMs: number;
  protocol: Protocol;
  path: string;
  headers: Record<string, string | undefined>;
  body: Record<string, unknown>;
  /** The text of the last message a person wrote. */
  lastUserText: string;
  /** The tool outputs that stand after the last assistant message. */
  toolOutputs: readonly string[];
  /** True when the client closed the connection before the answer was complete. */
  closedByClient: boolean;
};

export type Frame = { text: string; piece: boolean };

export function cutIntoPieces(text: string, pieces: number | undefined): string[] {
  if (text === "") return [];
  if (pieces === undefined) return text.match(/\s*\S+\s*/g) ?? [text];
  const size = Math.max(1, Math.ceil(text.length / pieces));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

export function argumentsText(call: FakeToolCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}

export function usageOf(answer: FakeAnswer, request: FakeRequest): Required<FakeUsage> {
  const estimate = { input: Math.ceil(JSON.stringify(request.body).length / 4), output: estimateOutput(answer) };
  return { cacheRead: 0, cacheWrite: 0, ...(answer.usage ?? estimate) };
}

function estimateOutput(answer: FakeAnswer): number {
  const calls = answer.toolCalls?.map(argumentsText).join("") ?? "";
  return Math.max(1, Math.ceil(((answer.text ?? "").length + (answer.reasoning ?? "").length + calls.length) / 4));
}
