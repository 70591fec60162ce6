// One request to one model: its text comes out as it arrives, the outcome is what the generator returns; it never throws.
import type { ModelRequest } from "../../contract/model.ts";
import { buildCall, type CallTarget } from "../request/build-call.ts";
import {
  type AnswerCollector,
  type CollectedAnswer,
  openAnswerCollector,
  type SaidSoFar,
  type ShownEvent,
} from "./collect-answer.ts";
import { type Deadline, openDeadline } from "./deadline.ts";
import type { LanguageModels, StreamPart } from "./language-model.ts";
import { brokenOff, type ModelFailure, readFailure } from "./read-failure.ts";
import { watchFetch } from "./watch-fetch.ts";

export type AttemptDeps = {
  fetch: typeof fetch;
  languageModels: LanguageModels;
  nowMs(): number;
  idleMs: number;
  totalMs: number;
};
/** `showed`: something of this attempt is on a screen. */
export type AttemptOutcome = { showed: boolean } & (
  | { ok: true; answer: CollectedAnswer }
  | { ok: false; failure: ModelFailure; soFar: SaidSoFar }
);

export async function* runAttempt(
  deps: AttemptDeps,
  target: CallTarget,
  request: ModelRequest,
): AsyncGenerator<ShownEvent, AttemptOutcome> {
  const deadline = openDeadline(request.signal, deps);
  const collector = openAnswerCollector(target.name, callIdsOf(request));
  const attempt: Attempt = { deps, deadline, target, collector };
  let failed: { thrown: unknown } | undefined;
  let isRead = false;
  try {
    yield* showStream(attempt, await openStream(attempt, request));
    failed = collector.error();
    isRead = !failed && !deadline.endedBy();
  } catch (thrown) {
    failed = { thrown };
  } finally {
    deadline.close(!isRead);
  }
  const failure = endedEarly(attempt) ?? (failed && readFailure(target.place, failed.thrown, deps.nowMs()));
  const answer = failure ? undefined : collector.answer();
  const showed = collector.showed();
  if (answer) return { ok: true, answer, showed };
  const cutOff = "the connection closed in the middle of it";
  return { ok: false, failure: failure ?? brokenOff(target.place, cutOff), soFar: collector.soFar(), showed };
}

export const aborted: ModelFailure = { kind: "aborted", reason: "stopped", message: "The request was stopped." };

type Attempt = { deps: AttemptDeps; deadline: Deadline; target: CallTarget; collector: AnswerCollector };

async function openStream({ deps, deadline, target }: Attempt, request: ModelRequest) {
  const mendsChat = target.place.kind === "openai-compatible";
  const fetch = watchFetch(deps.fetch, { heard: deadline.heard, mendsChat });
  const call = buildCall(target, request);
  return deps.languageModels.stream(target, fetch, { ...call, abortSignal: deadline.signal });
}

async function* showStream(attempt: Attempt, stream: ReadableStream<StreamPart>): AsyncGenerator<ShownEvent> {
  const { deadline, collector } = attempt;
  const reader = stream.getReader();
  // the abort reaches us through several piped streams; cancelling here ends the wait at once
  const onAbort = () => void reader.cancel().catch(ignoreClosed);
  if (deadline.signal.aborted) onAbort();
  deadline.signal.addEventListener("abort", onAbort, { once: true });
  while (!collector.error()) {
    const { done, value } = await reader.read();
    if (done || deadline.endedBy()) return;
    const event = collector.add(value);
    if (event) yield event;
  }
}

function endedEarly({ deps, deadline, target }: Attempt): ModelFailure | undefined {
  switch (deadline.endedBy()) {
    case "abort":
      return aborted;
    case "silence":
      return brokenOff(target.place, `nothing came for ${deps.idleMs / 1000} seconds`);
    case "length":
      return brokenOff(target.place, `it took longer than ${deps.totalMs / 1000} seconds`);
    default:
      return undefined;
  }
}

// ids must differ from all earlier ones of the conversation, since approvals and results are found by them
function callIdsOf(request: ModelRequest): Set<string> {
  const ids = request.messages.flatMap((message) =>
    message.role === "assistant" ? message.toolCalls.map((call) => call.callId) : [],
  );
  return new Set(ids);
}

function ignoreClosed(): void {
  // the stream had failed before it was cancelled, and its failure is reported by the read that met it
}
