import { html, nothing, type TemplateResult } from "lit";
import type { UsageRow } from "../../../src/contract/wire/method.ts";
import { formatUsd } from "../../../src/contract/words/amounts.ts";
import { type Budget, perTurnLimit, readBudgets } from "./budgets.ts";

/** The limits with how much of each is spent; without any, where to set one. */
export function renderBudgets(
  settings: Readonly<Record<string, unknown>>,
  rows: readonly UsageRow[],
  today: string,
  nameOf: (sessionKey: string) => string | undefined,
): TemplateResult | typeof nothing {
  // before the settings have come, or for somebody who may not read them, there is nothing to say
  if (!("budgets" in settings)) return nothing;
  const budgets = readBudgets(settings, rows, today);
  const perTurn = perTurnLimit(settings);
  if (budgets.length === 0 && perTurn === undefined)
    return html`<p class="unpriced">No spending limit is set. <a href="/settings/budgets">Set one</a></p>`;
  return html`<section class="card budgets" aria-label="Spending limits">
    ${budgets.map((budget) => renderBudget(budget, budget.of === undefined ? undefined : nameOf(budget.of)))}
    <p class="unpriced">
      ${perTurn === undefined ? nothing : html`One turn may cost ${formatUsd(perTurn)} at most. `}<a href="/settings/budgets">Change the limits</a>
    </p>
  </section>`;
}

function renderBudget(budget: Budget, conversation: string | undefined): TemplateResult {
  const name = conversation ? `${budget.name}: ${conversation}` : budget.name;
  return html`<div class="budget">
    <div><span>${name}</span><span>${formatUsd(budget.spentUsd)} of ${formatUsd(budget.limitUsd)}</span></div>
    <meter
      min="0"
      max=${budget.limitUsd}
      low=${budget.limitUsd * 0.75}
      high=${budget.limitUsd * 0.95}
      optimum="0"
      .value=${Math.min(budget.spentUsd, budget.limitUsd)}
      aria-label="${name}: ${formatUsd(budget.spentUsd)} of ${formatUsd(budget.limitUsd)} spent"
    ></meter>
  </div>`;
}
