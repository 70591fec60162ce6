// How fast the memory reads and answers, what it holds, and whether it holds anybody up: in a process of its own for each size,
// beside FTS5 alone over the same lines, question by question in turn.
import { fork } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pause } from "../figures.ts";
import { answerOf } from "../followers.ts";
import { memoryOf } from "../process-figures.ts";
import { ended, runNode } from "../program.ts";
import type { Conversation } from "./conversations.ts";
import { type Line, manyLines, writeManyLines } from "./many-units.ts";
import { openPlainWords, type PlainWords } from "./plain-words.ts";
import type { Asked, HeldUp, ReadWhole, SpeedRequest } from "./speed-process.ts";

export type Speed = {
  units: number;
  unitsPerSecond: number;
  plainUnitsPerSecond: number;
  askedMs: readonly number[];
  plainMs: readonly number[];
  /** The first question of a process, over an index that is there. */
  coldMs: number;
  rssMb: { before: number; read: number; asked: number };
  heldUp: { resting: HeldUp; reading: HeldUp; asked: HeldUp };
};

type Place = { program: string; home: string; workspace: string };

const root = fileURLToPath(new URL("../../..", import.meta.url));
// with what keeps the program's memory small
const runMain = join(root, "scripts", "run-main.mjs");
const questionsEach = 32;
const warmUp = 10;
const mostResults = 10;
const restMs = 2_000;
// a heap is tidied when hardly anything happens
const settleMs = 3_000;

export async function measureSpeed(
  folder: string,
  conversations: readonly Conversation[],
  sizes: readonly number[],
): Promise<readonly Speed[]> {
  // as the program runs: put together, for stripping types takes memory of its own
  const built = join(root, "dist", `bench-memory-${process.pid}`);
  try {
    const script = join(root, "scripts", "build-program.mjs");
    await runNode([script, built, "bench/measure/memory/speed-process.ts"], { home: folder });
    const measured: Speed[] = [];
    for (const size of sizes) {
      const within = join(folder, `units-${size}`);
      measured.push(await measureSize(join(built, "speed-process.js"), within, conversations, size));
      await rm(within, { recursive: true });
    }
    return measured;
  } finally {
    await rm(built, { recursive: true, force: true });
  }
}

async function measureSize(
  program: string,
  folder: string,
  conversations: readonly Conversation[],
  size: number,
): Promise<Speed> {
  const place = { program, home: join(folder, "home"), workspace: join(folder, "workspace") };
  await writeManyLines(place.workspace, manyLines(conversations, size));
  const startedMs = performance.now();
  using plain = openPlainWords(join(folder, "plain.db"), entriesOf(manyLines(conversations, size)));
  const plainUnitsPerSecond = (size / (performance.now() - startedMs)) * 1_000;
  const questions = conversations.flatMap(({ queries }) => queries.slice(0, questionsEach).map(({ q }) => q));
  const warm = await measureWarm(place, plain, questions);
  return { ...warm, plainUnitsPerSecond, coldMs: await measureCold(place, questions[0] ?? "") };
}

async function measureWarm(place: Place, plain: PlainWords<true>, questions: readonly string[]) {
  await using memory = await startMemory(place);
  await memory.say<"rested">({ kind: "rest", ms: restMs });
  const resting = await memory.heldUp();
  const before = memory.rssMb();
  const { units, seconds } = await memory.say<ReadWhole>({ kind: "read" });
  const reading = await memory.heldUp();
  await pause(settleMs);
  const read = memory.rssMb();
  const askedMs: number[] = [];
  const plainMs: number[] = [];
  for (const [at, query] of questions.entries()) {
    if (at === warmUp) await memory.heldUp();
    const { ms } = await memory.say<Asked>({ kind: "ask", query });
    const startedMs = performance.now();
    plain.search(query, mostResults);
    if (at < warmUp) continue;
    plainMs.push(performance.now() - startedMs);
    askedMs.push(ms);
  }
  const asked = await memory.heldUp();
  await pause(settleMs);
  return {
    ...{ units, unitsPerSecond: units / seconds, askedMs, plainMs },
    heldUp: { resting, reading, asked },
    rssMb: { before, read, asked: memory.rssMb() },
  };
}

async function measureCold(place: Place, query: string): Promise<number> {
  await using memory = await startMemory(place);
  return (await memory.say<Asked>({ kind: "ask", query })).ms;
}

async function startMemory({ program, home, workspace }: Place) {
  // as scripts/start.mjs has it
  const env = { ...process.env, MALLOC_ARENA_MAX: "1" };
  const child = fork(runMain, [program, home, workspace], { env });
  await answerOf<"ready">(child);
  return {
    say,
    heldUp: () => say<HeldUp>({ kind: "held up" }),
    rssMb: () => memoryOf(Number(child.pid)).rssMb,
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended(child);
    },
  };

  function say<Answer>(request: SpeedRequest): Promise<Answer> {
    child.send(request);
    return answerOf<Answer>(child);
  }
}

/** Where it stands is nothing to FTS5 alone. */
function* entriesOf(lines: Iterable<Line>): Iterable<{ text: string; entry: true }> {
  for (const { text } of lines) yield { text, entry: true };
}
