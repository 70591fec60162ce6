// How much of what was said is found again: every question of every conversation, by the memory and by what it is compared with.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Conversation } from "./conversations.ts";
import { type Judged, judge, mostTokens, type Result } from "./judged.ts";
import { openOwnMemory, type Ranking, readWhole, resultsOf } from "./own-memory.ts";
import { chunksOf, openPlainWords } from "./plain-words.ts";
import { type WrittenNotes, writeNotes } from "./written-notes.ts";

export const ways = ["learned", "FTS5 alone", "weights", "rrf"] as const;
export type Way = (typeof ways)[number];

export type Answered = { way: Way; conversation: string; category: number; judged: Judged; ms: number };

const mostResults = 10;
const mostUnits = 250;

export async function measureRecall(
  folder: string,
  conversations: readonly Conversation[],
  categories: ReadonlySet<number>,
): Promise<readonly Answered[]> {
  const answered: Answered[] = [];
  for (const [at, conversation] of conversations.entries()) {
    const place = { workspace: join(folder, `workspace-${at}`), home: join(folder, `home-${at}`) };
    const written = await writeNotes(place.workspace, conversation);
    const notes = { ...written, questions: written.questions.filter(({ cat }) => categories.has(cat)) };
    for (const way of ways)
      for (const { judged, ms, category } of way === "FTS5 alone"
        ? answerPlainly(notes)
        : await answer(way, notes, place))
        answered.push({ way, conversation: conversation.id, category, judged, ms });
    await Promise.all([place.workspace, place.home].map((path) => rm(path, { recursive: true })));
  }
  return answered;
}

type OneAnswer = Pick<Answered, "category" | "judged" | "ms">;

async function answer(
  ranking: Ranking,
  { questions, files }: WrittenNotes,
  place: { workspace: string; home: string },
): Promise<readonly OneAnswer[]> {
  const memory = openOwnMemory(place, ranking);
  try {
    await readWhole(memory);
    const answers: OneAnswer[] = [];
    for (const { q, cat, evidence } of questions) {
      const passages = await resultsOf(memory, q, { limit: mostResults });
      const judged = judge(passages.results, evidence, files);
      // the formulas know chunks only
      if (ranking === "learned") {
        const units = await resultsOf(memory, q, { limit: mostUnits, maxTokens: mostTokens });
        judged.within = judge(units.results, evidence, files).within;
      }
      answers.push({ category: cat, judged, ms: passages.ms });
    }
    return answers;
  } finally {
    await memory.close();
  }
}

function answerPlainly({ questions, files }: WrittenNotes): readonly OneAnswer[] {
  using plain = openPlainWords<Result>(":memory:", chunksOf(files));
  return questions.map(({ q, cat, evidence }) => {
    const startedMs = performance.now();
    const results = plain.search(q, mostResults);
    const ms = performance.now() - startedMs;
    return { category: cat, judged: judge(results, evidence, files), ms };
  });
}
