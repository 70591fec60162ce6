/**
 * What the memory finds again, how fast, and what it costs, beside SQLite's FTS5 alone:
 *
 *   npm run bench:memory -- --data FILE [--convs 0-4] [--categories 1,2,3,4] [--units 10000,100000] [--recall | --speed]
 *
 * FILE holds conversations with questions, and where the answers stand. A million units take a while, so they are measured when named.
 */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { Failure } from "../src/contract/failure.ts";
import { benchFolder } from "./measure/folder.ts";
import { readConversations } from "./measure/memory/conversations.ts";
import { measureRecall } from "./measure/memory/recall.ts";
import { printRecall } from "./measure/memory/recall-table.ts";
import { measureSpeed } from "./measure/memory/speed.ts";
import { printSpeed } from "./measure/memory/speed-table.ts";

try {
  await run(readArguments());
} catch (cause) {
  if (!(cause instanceof Failure)) throw cause;
  console.error(cause.message);
  process.exitCode = 1;
}

type Wanted = ReturnType<typeof readArguments>;

async function run({ data, convs: [first, last], categories, sizes, isRecall, isSpeed }: Wanted): Promise<void> {
  const conversations = (await readConversations(data)).slice(first, last + 1);
  if (conversations.length === 0) throw new Failure(`--convs: ${data} has no conversation ${first}.`);
  await using folder = await benchFolder();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      rmSync(folder.path, { recursive: true, force: true });
      process.exit(1);
    });
  const answered = isRecall ? await measureRecall(folder.path, conversations, categories) : [];
  const measured = isSpeed ? await measureSpeed(folder.path, conversations, sizes) : [];
  if (isRecall) printRecall(answered);
  if (isSpeed) printSpeed(measured);
}

function readArguments() {
  const values = parseValues();
  if (values.data === undefined) throw new Failure("Say where the conversations lie: --data FILE");
  const [first = 0, last = first] = values.convs ? numbers("convs", values.convs, "-") : [0, Number.MAX_SAFE_INTEGER];
  return {
    data: values.data,
    convs: [first, last] as const,
    categories: new Set(numbers("categories", values.categories, ",")),
    sizes: numbers("units", values.units, ","),
    isRecall: !values.speed || values.recall,
    isSpeed: !values.recall || values.speed,
  };
}

function parseValues() {
  try {
    return parseArgs({
      options: {
        data: { type: "string" },
        convs: { type: "string" },
        categories: { type: "string", default: "1,2,3,4" },
        units: { type: "string", default: "10000,100000" },
        recall: { type: "boolean", default: false },
        speed: { type: "boolean", default: false },
      },
    }).values;
  } catch (cause) {
    throw new Failure(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function numbers(option: string, value: string, between: string): readonly number[] {
  const found = value.split(between).map(Number);
  if (found.every((number) => Number.isInteger(number) && number >= 0)) return found;
  throw new Failure(`--${option} ${value} is not what is expected: whole numbers with “${between}” between them.`);
}
