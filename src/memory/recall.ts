// Recall by itself: a message comes in, the few best finds that the model does not see anyway go out.
import type { MemoryFind } from "../contract/memory/memory-place.ts";
import type { MemorySettings } from "../contract/memory/memory-settings.ts";
import type { Recall } from "../contract/memory/recall.ts";
import type { Memory } from "./memory.ts";

// they stand in every prompt, the last one in that of groups
const inPrompt: ReadonlySet<string> = new Set(["MEMORY.md", "USER.md", "GLOBAL.md"]);
// what holds less of what is asked is noise beside it
const leastScore = 0.5;
const charactersInToken = 4;
const withinMs = 1_000;
// much of what is found first may stand in the prompt already
const morePerToken = 4;

export function openRecall(memory: Memory, settings: MemorySettings): Recall {
  const { enabled, maxTokens } = settings.recall;
  return {
    async find({ group, conversation, question, seenFromSeq }) {
      if (!enabled) return [];
      const signal = AbortSignal.timeout(withinMs);
      const wish = { maxTokens: maxTokens * morePerToken, limit: 30, signal };
      const { finds } = await memory.search({ group }, question.slice(0, 2_000), wish);
      const isSeen = ({ path, sessionKey, toSeq = 0 }: MemoryFind) =>
        path === undefined ? sessionKey === conversation && toSeq >= seenFromSeq : inPrompt.has(path);
      const isUseful = ({ score, labels, text }: MemoryFind) =>
        score >= leastScore && labels.length === 0 && !isAsked(text);
      const useful = finds.filter((find) => isUseful(find) && !isSeen(find));
      return withinBudget(useful, maxTokens);
    },
    read: (group, places) => memory.read({ group }, places),
  };
}

/** A question tells nothing, however alike it is. */
function isAsked(text: string): boolean {
  return /[?？]\s*$/.test(text);
}

function withinBudget(finds: readonly MemoryFind[], maxTokens: number): readonly MemoryFind[] {
  let left = maxTokens * charactersInToken;
  return finds.filter(({ text }) => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  });
}
