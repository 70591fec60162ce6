import { alignColumns } from "../../../contract/words/align-columns.ts";
import { failureWords } from "../../failure-words.ts";
import type { CommandOutcome } from "../commands/command-outcome.ts";

/** Does what was typed and puts the outcome into words for a view without lists to pick from. */
export async function plainOutcome(act: () => Promise<CommandOutcome>, home: string) {
  try {
    const outcome = await act();
    return { leave: outcome.kind === "quit", failed: false, text: outcomeText(outcome) };
  } catch (error) {
    return { leave: false, failed: true, text: failureWords(error, home) };
  }
}

function outcomeText(outcome: CommandOutcome): string | undefined {
  if (outcome.kind === "text") return outcome.text;
  if (outcome.kind !== "choose") return undefined;
  const { title, command, choices } = outcome;
  const rows = choices.map((choice) => [choice.current ? "*" : " ", choice.value, choice.description]);
  return [`${title}:`, ...alignColumns(rows), `Choose with: /${command} NAME`].join("\n");
}
