import type { ModelChoice, ModelMessage } from "../contract/model.ts";
import { estimateCost, type Reservation } from "../guard/budget.ts";
import { conversationState } from "../store/tables/conversations.ts";
import { estimateTokens, estimateToolTokens } from "./estimate-tokens.ts";
import type { AgentProfile, TurnDeps } from "./turn-deps.ts";

/** Sets aside what the next call could cost at the most. */
export async function reserveForStep(
  deps: TurnDeps,
  { conversation, turn }: { conversation: string; turn: string },
  choices: readonly ModelChoice[],
  profile: AgentProfile,
  messages: readonly ModelMessage[],
): Promise<Reservation> {
  const systemTokens = profile.system.reduce((sum, piece) => sum + piece.text.length / 4, 0);
  const toolTokens = estimateToolTokens(deps.tools.map((tool) => tool.declaration));
  const input = estimateTokens(messages) + systemTokens + toolTokens;
  const cost = estimateCost(choices, { input, output: deps.settings.agent.maxOutputTokens });
  const { budgetUsd: turnLimitUsd } = (await conversationState(deps.database, conversation)) ?? {};
  return deps.budget.reserve({ conversation, turn, ...cost, turnLimitUsd });
}
