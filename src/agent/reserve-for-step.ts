import type { ModelChoice, ModelMessage } from "../contract/model.ts";
import type { Reservation } from "../guard/budget.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import type { AgentProfile, TurnDeps } from "./turn-deps.ts";
import type { TurnState } from "./turn-state.ts";

/** Sets aside what the next call could cost at the most, by the dearest model that may answer it. */
export async function reserveForStep(
  deps: TurnDeps,
  conversation: string,
  state: TurnState,
  choices: readonly ModelChoice[],
  profile: AgentProfile,
  messages: readonly ModelMessage[],
): Promise<Reservation> {
  const turnSpentUsd = state.steps.reduce((sum, step) => sum + (step.event.costUsd ?? 0), 0);
  const systemTokens = profile.system.reduce((sum, piece) => sum + piece.text.length / 4, 0);
  const inputTokens =
    estimateTokens(messages) + systemTokens + JSON.stringify(deps.tools.map((tool) => tool.declaration)).length / 4;
  const outputTokens = deps.settings.agent.maxOutputTokens;
  const estimates = choices.map(
    ({ price }) => price && (price.input * inputTokens + price.output * outputTokens) / 1_000_000,
  );
  const unpriced = choices.find((choice) => choice.price === undefined)?.name;
  const estimateUsd = Math.max(0, ...estimates.map((estimate) => estimate ?? 0));
  return deps.budget.reserve({ conversation, turnSpentUsd, estimateUsd, unpriced });
}
