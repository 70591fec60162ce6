import type { UsageRow } from "../../../src/contract/wire/method.ts";
import { shareBy, sumUp } from "./usage-figures.ts";

export type Budget = {
  name: string;
  limitUsd: number;
  spentUsd: number;
  /** Whose spending it is, when it is not everybody's. */
  of?: string;
};

/** The limits that are set, each with what has been spent against it; a limit for one turn has nothing to add up. */
export function readBudgets(
  settings: Readonly<Record<string, unknown>>,
  rows: readonly UsageRow[],
  today: string,
): Budget[] {
  const budgets = settings.budgets;
  const perDay = limitIn(budgets, "perDayUsd");
  const perConversation = limitIn(budgets, "perConversationUsd");
  const dearest = shareBy(rows, "sessionKey")[0];
  const day = sumUp(rows.filter((row) => row.day === today));
  return [
    ...(perDay === undefined ? [] : [{ name: "Today", limitUsd: perDay, spentUsd: day.costUsd }]),
    ...(perConversation === undefined || !dearest
      ? []
      : [
          {
            name: "Dearest conversation",
            limitUsd: perConversation,
            spentUsd: dearest.figures.costUsd,
            of: dearest.name,
          },
        ]),
  ];
}

export function perTurnLimit(settings: Readonly<Record<string, unknown>>): number | undefined {
  return limitIn(settings.budgets, "perTurnUsd");
}

function limitIn(budgets: unknown, name: string): number | undefined {
  if (typeof budgets !== "object" || budgets === null) return undefined;
  const limit: unknown = Reflect.get(budgets, name);
  return typeof limit === "number" && limit > 0 ? limit : undefined;
}
