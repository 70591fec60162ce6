import type { Settings } from "../contract/settings.ts";
import type { Queryable } from "../store/database/database.ts";
import { readSpent } from "../store/tables/usage.ts";

/** Money is set aside before a call is made, so that calls side by side cannot overdraw together. */
export type Budget = {
  reserve(call: {
    conversation: string;
    turnSpentUsd: number;
    estimateUsd: number;
    /** A model whose price nobody knows. */
    unpriced: string | undefined;
  }): Promise<Reservation>;
};
export type Reservation = { ok: true; release(): void } | { ok: false; message: string };

export function openBudget(deps: { database: Queryable; settings: Settings["budgets"]; nowMs(): number }): Budget {
  const held = new Map<symbol, { conversation: string; usd: number }>();
  return {
    async reserve({ conversation, turnSpentUsd, estimateUsd, unpriced }) {
      if (unpriced !== undefined && Object.values(deps.settings).some((limit) => limit !== null)) {
        return {
          ok: false,
          message: `I stopped because of the budget: nobody knows what ${unpriced} costs. Put its price into models.prices in config.json, or remove the limits under budgets.`,
        };
      }
      const day = new Date(deps.nowMs()).toISOString().slice(0, 10);
      const spent = await readSpent(deps.database, day, conversation);
      const heldHere = sum(
        [...held.values()].filter((each) => each.conversation === conversation).map((each) => each.usd),
      );
      const message =
        over("today", "perDayUsd", spent.todayUsd + sum([...held.values()].map((each) => each.usd)), estimateUsd) ??
        over("in this conversation", "perConversationUsd", spent.conversationUsd + heldHere, estimateUsd) ??
        over("in this turn", "perTurnUsd", turnSpentUsd, estimateUsd);
      if (message) return { ok: false, message };
      const key = Symbol("reservation");
      held.set(key, { conversation, usd: estimateUsd });
      return { ok: true, release: () => void held.delete(key) };
    },
  };

  function over(
    where: string,
    key: keyof Settings["budgets"],
    spentUsd: number,
    estimateUsd: number,
  ): string | undefined {
    const limit = deps.settings[key];
    if (limit === null || spentUsd + estimateUsd <= limit) return undefined;
    return `I stopped because of the budget: ${dollars(spentUsd)} of ${dollars(limit)} is spent ${where}, and the next step could cost ${dollars(estimateUsd)}. Raise budgets.${key} in config.json to go on.`;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function dollars(value: number): string {
  return `$${value < 0.01 ? value.toFixed(4) : value.toFixed(2)}`;
}
