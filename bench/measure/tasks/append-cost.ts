// What one more event costs in logs of growing length, one append in each of them in turn.
import { median, steadyMs } from "../figures.ts";
import { type LongLog, openLongLog } from "../long-log.ts";

const appends = 300;
const unmeasured = 500;

/** The median of an append in milliseconds, by the number of events in the log. */
export async function measureAppends(folder: string, sizes: readonly number[]): Promise<ReadonlyMap<number, number>> {
  await using stack = new AsyncDisposableStack();
  const logs: LongLog[] = [];
  for (const events of sizes) {
    const beganMs = steadyMs();
    logs.push(stack.use(await openLongLog(folder, events)));
    console.log(`a log of ${events} events was made in ${((steadyMs() - beganMs) / 1_000).toFixed(1)} s`);
  }
  // the database writes ahead into a file that grows at first and is then used again; only the second state lasts
  for (const long of logs) for (let at = 0; at < unmeasured; at++) await append(long, -at - 1);
  const times = new Map<number, number[]>(sizes.map((events) => [events, []]));
  for (let at = 0; at < appends; at++)
    // each log comes first as often as the others
    for (const [place] of logs.entries()) {
      const long = logs[(place + at) % logs.length] as LongLog;
      const beganMs = steadyMs();
      await append(long, at);
      times.get(long.events)?.push(steadyMs() - beganMs);
    }
  return new Map([...times].map(([events, all]) => [events, median(all)]));
}

function append({ log }: LongLog, at: number): Promise<unknown> {
  const usage = { inputTokens: 1_000, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const place = { conversation: "terminal--other", turn: `turn_of_the_bench_${at}`, step: 0 };
  const text = "Nothing has been heard of it since then, and nobody has asked.";
  return log.append(
    [{ type: "step.finished", ...place, model: "fake/fake-model", toolCalls: [], finish: "stop", usage, text }],
    { durable: false },
  );
}
