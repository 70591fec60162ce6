import type { ModelChoice } from "../contract/model.ts";
import type { Settings } from "../contract/settings.ts";
import { isBackground } from "../contract/task/task.ts";
import type { Calendar } from "../contract/words/calendar.ts";
import type { Queryable } from "../store/database/database.ts";
import { readSpent, readTurnSpentUsd } from "../store/tables/usage.ts";

/** Money is set aside before a call is made, so that calls side by side cannot overdraw together. */
export type Budget = {
  reserve(call: {
    conversation: string;
    turn: string;
    estimateUsd: number;
    /** What this turn may cost by a wish of its own, beside the settings. */
    turnLimitUsd?: number | undefined;
    /** A model whose price nobody knows. */
    unpriced: string | undefined;
  }): Promise<Reservation>;
};
export type Reservation = { ok: true; release(): void } | { ok: false; message: string };

export type BudgetDeps = {
  database: Queryable;
  settings: Settings["budgets"];
  nowMs(): number;
  calendar: Calendar;
};

export function openBudget(deps: BudgetDeps): Budget {
  const held = new Map<symbol, { conversation: string; turn: string; usd: number }>();
  return {
    async reserve({ conversation, turn, estimateUsd, turnLimitUsd, unpriced }) {
      const isFree = Object.values(deps.settings).every((limit) => limit === null) && turnLimitUsd === undefined;
      if (isFree) return { ok: true, release: () => {} };
      if (unpriced !== undefined) {
        const message = `I stopped because of the budget: nobody knows what ${unpriced} costs. Put its price into models.prices in config.json, or remove the limits under budgets.`;
        return { ok: false, message };
      }
      const spent = await readSpent(deps.database, deps.calendar, { nowMs: deps.nowMs(), conversation });
      // each run begins afresh, and so does what it may cost
      const isRun = isBackground(conversation);
      const isCounted = deps.settings.perTurnUsd !== null || turnLimitUsd !== undefined || isRun;
      const turnSpentUsd = isCounted ? await readTurnSpentUsd(deps.database, turn) : 0;
      const all = [...held.values()];
      const here = all.filter((each) => each.conversation === conversation);
      const turnUsd = turnSpentUsd + sum(here.filter((each) => each.turn === turn));
      const conversationUsd = spent.conversationUsd + sum(here);
      const message =
        over("today", "perDayUsd", spent.todayUsd + sum(all), estimateUsd) ??
        over("in this conversation", "perConversationUsd", isRun ? turnUsd : conversationUsd, estimateUsd) ??
        over("in this turn", "perTurnUsd", turnUsd, estimateUsd) ??
        overOwn(turnLimitUsd, turnUsd, estimateUsd);
      if (message) return { ok: false, message };
      const key = Symbol("reservation");
      held.set(key, { conversation, turn, usd: estimateUsd });
      return { ok: true, release: () => void held.delete(key) };
    },
  };

  function over(where: string, key: keyof Settings["budgets"], spentUsd: number, estimateUsd: number) {
    const limit = deps.settings[key];
    if (limit === null || spentUsd + estimateUsd <= limit) return undefined;
    return `I stopped because of the budget: ${dollars(spentUsd)} of ${dollars(limit)} is spent ${where}, and the next step could cost ${dollars(estimateUsd)}. Raise budgets.${key} in config.json to go on.`;
  }
}

function overOwn(limit: number | undefined, spentUsd: number, estimateUsd: number): string | undefined {
  if (limit === undefined || spentUsd + estimateUsd <= limit) return undefined;
  return `I stopped because of the task's own budget: ${dollars(spentUsd)} of ${dollars(limit)} is spent in this run, and the next step could cost ${dollars(estimateUsd)}. Edit the task to give it more.`;
}

/** By the dearest model that may answer; the name of one whose price nobody knows. */
export function estimateCost(
  choices: readonly ModelChoice[],
  tokens: { input: number; output: number },
): { estimateUsd: number; unpriced: string | undefined } {
  const estimates = choices.map(({ price }) =>
    price ? (price.input * tokens.input + price.output * tokens.output) / 1_000_000 : 0,
  );
  const unpriced = choices.find((choice) => choice.price === undefined)?.name;
  return { estimateUsd: Math.max(0, ...estimates), unpriced };
}

function sum(values: readonly { usd: number }[]): number {
  return values.reduce((total, { usd }) => total + usd, 0);
}

function dollars(value: number): string {
  return `$${value < 0.01 ? value.toFixed(4) : value.toFixed(2)}`;
}
