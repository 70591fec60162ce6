// Asks the models of a request one after the other, each several times, until one answers.
import type { ModelCall, ModelEvent, ModelRequest, ModelTrouble, Usage } from "../../contract/model.ts";
import type { Settings } from "../../contract/settings.ts";
import { splitModelName } from "../choice/model-name.ts";
import { costUsdOf, priceOf } from "../choice/prices.ts";
import type { ProviderPlace } from "../choice/provider-places.ts";
import type { CallTarget } from "../request/build-call.ts";
import { type ProviderState, type RefusedStates, readState } from "../request/provider-state.ts";
import type { CollectedAnswer } from "./collect-answer.ts";
import { brokenOff, type ModelFailure, missingKey, unknownProvider, unusableKey } from "./read-failure.ts";
import { estimateUsage, readUsage } from "./read-usage.ts";
import { backoffMs } from "./retry-delay.ts";
import { type AttemptDeps, type AttemptOutcome, aborted, runAttempt } from "./run-attempt.ts";

export type OfflineModel = { name: string; stream(request: ModelRequest): AsyncIterable<ModelEvent> };

export type AnswerDeps = AttemptDeps & {
  settings: Settings["models"];
  places: ReadonlyMap<string, ProviderPlace>;
  offline: OfflineModel;
  refusedStates: RefusedStates;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  random(): number;
};

type Shown = {
  /** Whether anything of the present step is on the screen that a new attempt has to take back. */
  something: boolean;
  /** What the attempt that was stopped in the middle has taken. */
  spent?: ModelCall | undefined;
};

// what another model, or a rule on this machine, can help with; a bad or too long request would be the same there
const helpsToFallBack = new Set<ModelTrouble>(["network", "overloaded", "rate_limit", "credentials"]);
const helpsToWait = new Set<ModelTrouble>(["network", "overloaded", "rate_limit"]);

export async function* streamAnswer(deps: AnswerDeps, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const shown: Shown = { something: false };
  const failures: ModelFailure[] = [];
  const names = request.models.filter((name) => name !== deps.offline.name);
  for (const [at, name] of names.entries()) {
    const failure = request.signal.aborted ? aborted : yield* askModel(deps, request, name, shown);
    if (!failure) return;
    failures.push(failure);
    const next = names[at + 1];
    if (failure.kind === "aborted" || failure.kind === "context_too_long" || !next) break;
    yield* announce(shown, { attempt: 1, delayMs: 0, reason: failure.reason, model: next });
  }
  const hopeless = failures.findLast((failure) => request.isUnattended || !helpsToFallBack.has(failure.kind));
  const { spent } = shown;
  if (hopeless) yield { type: "unavailable", kind: hopeless.kind, message: hopeless.message, ...(spent && { spent }) };
  else yield* answerOffline(deps, request, failures, shown);
}

/** Undefined when the model has answered; else why it has not. */
async function* askModel(
  deps: AnswerDeps,
  request: ModelRequest,
  name: string,
  shown: Shown,
): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  const found = findPlace(deps, name);
  if (!found.ok) {
    yield failed(name, 1, found.failure);
    return found.failure;
  }
  const maxAttempts = deps.settings.maxAttempts;
  let isPlain = false;
  let wasEmpty = false;
  for (let attempt = 1; ; attempt += 1) {
    const sentStates: ProviderState[] = [];
    const target = aim(deps, request, { name, ...found }, isPlain, sentStates);
    const outcome = yield* runAttempt(deps, target, request);
    shown.something ||= outcome.showed;
    if (outcome.ok && (wasEmpty || attempt >= maxAttempts || !isEmpty(outcome.answer))) {
      yield* finish(deps, request, target, outcome.answer);
      return undefined;
    }
    const failure = outcome.ok ? brokenOff(target.place, "it was empty") : outcome.failure;
    wasEmpty ||= outcome.ok;
    if (failure.kind === "aborted") {
      shown.spent = spentOn(deps, request, target, outcome);
      return failure;
    }
    yield failed(name, attempt, failure);
    const again = { attempt: attempt + 1, reason: failure.reason, model: name };
    if (failure.mayWorkPlain && !isPlain) {
      isPlain = true;
      deps.refusedStates.add(sentStates);
      yield* announce(shown, { ...again, delayMs: 0 });
      continue;
    }
    if (!helpsToWait.has(failure.kind) || attempt >= maxAttempts) return failure;
    const delayMs = failure.retryAfterMs ?? backoffMs(attempt, deps.random());
    yield* announce(shown, { ...again, delayMs });
    if (await wasStoppedDuring(deps, delayMs, request.signal)) return aborted;
  }
}

type Found = { ok: true; place: ProviderPlace; modelId: string } | { ok: false; failure: ModelFailure };

function findPlace(deps: AnswerDeps, name: string): Found {
  const parts = splitModelName(name);
  const place = parts && deps.places.get(parts.provider);
  if (!parts || !place) {
    return { ok: false, failure: unknownProvider(name, [...deps.places.keys(), deps.offline.name]) };
  }
  if (place.needsKey && !place.key) return { ok: false, failure: missingKey(place) };
  if (place.key && /[^\x21-\x7e]/.test(place.key)) return { ok: false, failure: unusableKey(place) };
  return { ok: true, place, modelId: parts.model };
}

function aim(
  deps: AnswerDeps,
  request: ModelRequest,
  model: { name: string; place: ProviderPlace; modelId: string },
  isPlain: boolean,
  sentStates: ProviderState[],
): CallTarget {
  return {
    ...model,
    thinking: isPlain ? "unsaid" : request.thinking,
    stateOf(message) {
      const state = readState(message.providerState, model.name);
      if (!state || isPlain || deps.refusedStates.has(state)) return undefined;
      sentStates.push(state);
      return state;
    },
  };
}

function spentOn(deps: AnswerDeps, request: ModelRequest, target: CallTarget, outcome: AttemptOutcome) {
  return outcome.ok || !outcome.showed ? undefined : spend(deps, target, estimateUsage(outcome.soFar, request));
}

function failed(model: string, attempt: number, { kind, reason, message }: ModelFailure): ModelEvent {
  return { type: "failed", model, attempt, kind, reason, message };
}

type Retry = Omit<Extract<ModelEvent, { type: "retry" }>, "type">;

function* announce(shown: Shown, retry: Retry): Generator<ModelEvent> {
  if (shown.something) yield { type: "text_reset" };
  shown.something = false;
  yield { type: "retry", ...retry };
}

function isEmpty(answer: CollectedAnswer): boolean {
  return answer.finish === "stop" && answer.text.trim() === "";
}

async function wasStoppedDuring(deps: AnswerDeps, delayMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await deps.sleep(delayMs, signal);
  } catch (cause) {
    // a sleep may end by throwing when its signal fires; anything else is a fault of ours
    if (!signal.aborted) throw cause;
  }
  return signal.aborted;
}

function* finish(
  deps: AnswerDeps,
  request: ModelRequest,
  target: CallTarget,
  answer: CollectedAnswer,
): Generator<ModelEvent> {
  const spent = spend(deps, target, readUsage(answer, request));
  // only now is it certain that no new attempt will take the calls back
  for (const call of answer.toolCalls) yield { type: "tool_call", call };
  yield { type: "final", ...answer, reasoning: answer.reasoning || undefined, ...spent };
}

function spend(deps: AnswerDeps, { name: model, place }: CallTarget, usage: Usage): ModelCall {
  return { model, usage, costUsd: costUsdOf(priceOf(deps.settings.prices, model, place.isLocal), usage) };
}

async function* answerOffline(
  deps: AnswerDeps,
  request: ModelRequest,
  failures: readonly ModelFailure[],
  shown: Shown,
): AsyncGenerator<ModelEvent> {
  const last = failures.at(-1);
  if (last) yield* announce(shown, { attempt: 1, delayMs: 0, reason: last.message, model: deps.offline.name });
  for await (const event of deps.offline.stream(request)) {
    yield event.type === "final" ? { ...event, costUsd: event.costUsd ?? 0 } : event;
  }
}
