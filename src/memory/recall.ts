// Recall by itself: a message comes in, the few best finds that the model does not see anyway go out.
import type { MemoryFind } from "../contract/memory/memory-place.ts";
import type { MemorySettings } from "../contract/memory/memory-settings.ts";
import type { Recall } from "../contract/memory/recall.ts";
import type { Memory } from "./memory.ts";

// they stand in every prompt, the last one in that of groups; of a longer one the middle is left out there
const inPrompts: readonly string[] = ["MEMORY.md", "USER.md"];
const inPromptsOfGroups: readonly string[] = [...inPrompts, "GLOBAL.md"];
const mostInPrompt = 20_000;
// what holds less of what is asked is noise beside it
const leastScore = 0.5;
// and what holds much less than the best
const leastOfBest = 0.7;
const mostFinds = 5;
const mostNames = 5;
const charactersInToken = 4;
const withinMs = 2_000;
// much of what is found first may stand in the prompt already
const morePerToken = 4;

export type RecallDeps = {
  memory: Memory;
  settings: MemorySettings;
  /** Of a file of this memory, in bytes. */
  sizeOf(group: string | undefined, path: string): Promise<number>;
};

export function openRecall({ memory, settings, sizeOf }: RecallDeps): Recall {
  const { enabled, maxTokens } = settings.recall;
  return {
    async prepare() {
      if (enabled) await memory.warm({});
    },
    async find({ group, conversation, question, seenFromSeq }) {
      if (!enabled) return [];
      const signal = AbortSignal.timeout(withinMs);
      // what is still to be read is for the next message
      const wish = { maxTokens: maxTokens * morePerToken, limit: 30, signal, waitMs: 0 };
      const { finds } = await memory.search({ group }, question.slice(0, 2_000), wish);
      const names = namesIn(question);
      // a note about somebody who is named is of use, whatever else the message is about
      const { finds: found } =
        names.length === 0 ? { finds: [] } : await memory.search({ group }, names.join(" "), wish);
      const whole = await inPromptOf(group);
      const isSeen = ({ path, sessionKey, toSeq = 0 }: MemoryFind) =>
        path === undefined ? sessionKey === conversation && toSeq >= seenFromSeq : whole.has(path);
      const isUseful = (find: MemoryFind) =>
        find.score >= leastScore && find.labels.length === 0 && !isAsked(find.text) && !isSeen(find);
      const best = bestOf(finds.filter(isUseful));
      const named = found.filter(
        (find) => isUseful(find) && find.path !== undefined && !best.some((other) => isSamePlace(find, other)),
      );
      return withinBudget([...best, ...named], maxTokens);
    },
    read: (group, places) => memory.read({ group }, places, AbortSignal.timeout(withinMs)),
  };

  async function inPromptOf(group: string | undefined): Promise<ReadonlySet<string>> {
    const whole = new Set<string>();
    for (const path of group === undefined ? inPrompts : inPromptsOfGroups)
      if ((await sizeOf(group, path)) <= mostInPrompt) whole.add(path);
    return whole;
  }
}

/** A question tells nothing, however alike it is. */
function isAsked(text: string): boolean {
  return /[?？]\s*$/.test(text);
}

/** Names are written with a capital letter in the middle of a sentence. */
function namesIn(question: string): readonly string[] {
  return [...new Set(question.match(/(?<=[^\s.?!…] )\p{Lu}\p{Ll}{1,40}/gu))].slice(0, mostNames);
}

function isSamePlace(one: MemoryFind, other: MemoryFind): boolean {
  return one.path === other.path && one.startLine === other.startLine;
}

function bestOf(finds: readonly MemoryFind[]): readonly MemoryFind[] {
  const least = leastOfBest * finds.reduce((most, { score }) => Math.max(most, score), 0);
  return finds.filter(({ score }) => score >= least);
}

function withinBudget(finds: readonly MemoryFind[], maxTokens: number): readonly MemoryFind[] {
  let left = maxTokens * charactersInToken;
  return finds.slice(0, mostFinds).filter(({ text }) => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  });
}
