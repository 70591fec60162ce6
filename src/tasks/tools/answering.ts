import type { ToolResult } from "../../contract/tool.ts";
import { CallRefused } from "../../contract/wire/client.ts";

/** Told whose words are shown: a title may be somebody else's. */
export type TellLabels = (labels: readonly string[]) => void;

/** What was refused is told to the model in the same words, and whoever's words stand in it are known either way. */
export async function answering(work: (tell: TellLabels) => Promise<string>): Promise<ToolResult> {
  const labels = new Set<string>();
  const tell: TellLabels = (found) => {
    for (const label of found) labels.add(label);
  };
  try {
    const output = await work(tell);
    return { outcome: "done", output, labels: [...labels] };
  } catch (cause) {
    if (!(cause instanceof CallRefused)) throw cause;
    return { outcome: "failed", output: cause.message, labels: [...labels] };
  }
}
