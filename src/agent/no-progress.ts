import type { TurnState } from "./turn-state.ts";

/** The call that came back with the same result too often in a row, if there is one. */
export function repeatedCall(state: TurnState, maxRepeats: number): { tool: string; times: number } | undefined {
  const last = state.steps.at(-1);
  if (!last || last.calls.length === 0) return undefined;
  const fingerprint = fingerprintOf(last);
  let times = 0;
  for (const step of state.steps.toReversed()) {
    if (fingerprintOf(step) !== fingerprint) break;
    times += 1;
  }
  return times >= maxRepeats ? { tool: last.calls[0]?.call.tool ?? "", times } : undefined;
}

// call ids differ each time; what was asked and what came back is what counts
function fingerprintOf(step: TurnState["steps"][number]): string {
  const told = step.calls.map(({ call: { callId: _, ...asked }, returned }) => [
    asked,
    returned?.outcome,
    returned?.output,
  ]);
  return JSON.stringify(told);
}
