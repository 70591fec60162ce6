// One short question to a model that is not connected yet: in comes the choice as it stands in a form, out comes whether it answers.
import type { ModelRequest } from "../../contract/model.ts";
import type { ProviderChoice, TestedModel } from "../../contract/wire/methods/settings.ts";
import { openLanguageModels } from "../answer/language-model.ts";
import { type ModelFailure, withoutKey } from "../answer/read-failure.ts";
import { type AttemptOutcome, runAttempt } from "../answer/run-attempt.ts";
import type { CallTarget } from "../request/build-call.ts";
import { type ChosenPlace, findChosenPlace } from "./chosen-place.ts";
import type { ProviderSources } from "./provider-places.ts";

export type TestModelDeps = ProviderSources & {
  fetch: typeof fetch;
  nowMs(): number;
  redact(text: string): string;
  timeLimitMs?: number;
};

const question = "Say hello in five words.";
const usualTimeLimitMs = 30_000;
const maxOutputTokens = 64;
const maxShownLength = 500;

export async function testModel(deps: TestModelDeps, choice: ProviderChoice): Promise<TestedModel> {
  const startedMs = deps.nowMs();
  const answer = await ask(deps, choice);
  // a server may repeat the key in what it says, and a key in a form is not yet known to the redactor
  const shown = withoutKey(choice.apiKey?.trim(), answer.text);
  const text = deps.redact(shown);
  return {
    ok: answer.ok,
    text: text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text,
    durationMs: deps.nowMs() - startedMs,
  };
}

async function ask(deps: TestModelDeps, choice: ProviderChoice): Promise<{ ok: boolean; text: string }> {
  const chosen = findChosenPlace(deps, choice);
  if (!chosen.ok) return { ok: false, text: chosen.problem };
  const target = { ...chosen, name: choice.model };
  const outcome = await attempt(deps, target, "off");
  // some models refuse the wish not to think
  const last = !outcome.ok && outcome.failure.mayWorkPlain ? await attempt(deps, target, "unsaid") : outcome;
  if (!last.ok) return { ok: false, text: describe(last.failure) };
  const said = last.answer.text.trim();
  return { ok: true, text: said === "" ? "It answered, but said nothing in the few words it was allowed." : said };
}

async function attempt(
  deps: TestModelDeps,
  { place, modelId, name }: Extract<ChosenPlace, { ok: true }> & { name: string },
  thinking: CallTarget["thinking"],
): Promise<AttemptOutcome> {
  const { fetch, nowMs, timeLimitMs = usualTimeLimitMs } = deps;
  const limits = { idleMs: timeLimitMs, totalMs: timeLimitMs };
  const request: ModelRequest = {
    models: [name],
    system: [],
    messages: [{ role: "user", content: [{ type: "text", text: question }] }],
    tools: [],
    thinking: "off",
    maxOutputTokens,
    signal: AbortSignal.timeout(timeLimitMs + 1_000),
  };
  const target: CallTarget = { place, modelId, name, thinking, stateOf: () => undefined };
  const running = runAttempt({ fetch, nowMs, ...limits, languageModels: openLanguageModels() }, target, request);
  for (;;) {
    const step = await running.next();
    if (step.done) return step.value;
  }
}

const advice: Readonly<Record<ModelFailure["kind"], string>> = {
  credentials: "Check the key and the account.",
  rate_limit: "Wait a moment and try again.",
  overloaded: "Try again in a while.",
  network: "Check the address, and that the server runs.",
  bad_request: "Check the name of the model.",
  context_too_long: "Choose a model that can read more.",
  budget: "Choose a cheaper model.",
  aborted: "Try again.",
  no_model: "Connect a model.",
};

function describe(failure: ModelFailure): string {
  return `${failure.reason}. ${advice[failure.kind]}`;
}
