import type { MethodResult } from "../../../src/contract/wire/method.ts";

export type ChainVerdict = MethodResult<"audit.verify">;

export function verdictWords(verdict: ChainVerdict): string {
  const lines = verdict.lines === 1 ? "one line" : `${verdict.lines.toLocaleString("en-US")} lines`;
  if (verdict.ok && verdict.lines === 0) return "Nothing has been written down yet, so there is nothing to check.";
  if (verdict.ok)
    return `All ${lines} of the record are as they were written: none was changed, removed or added afterwards.`;
  const count = verdict.problems.length === 1 ? "one place" : `${verdict.problems.length} places`;
  return `The record is not as it was written: something is wrong in ${count} of ${lines}.`;
}
