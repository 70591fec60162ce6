// Asks Telegram for news again and again. Telegram forgets an update only when a later poll asks for those behind it, and that is
// not done before the update was taken.
import { z } from "zod";
import type { ChannelBase } from "../../contract/channel/channel.ts";
import { type BotApi, patient } from "./bot-api.ts";
import type { Intake, RawUpdate } from "./intake.ts";
import { readFault } from "./read-fault.ts";
import { allowedUpdates, readRawUpdate } from "./reading/update-shapes.ts";
import type { Timings } from "./timings.ts";

type PollDeps = {
  api: BotApi;
  intake: Intake;
  sleep: ChannelBase["sleep"];
  timings: Timings;
  nowMs(): number;
  /** A poll was answered. */
  onPoll(): void;
};

const batchSize = 100;
const Batch = z.array(z.unknown());

export async function poll(deps: PollDeps, signal: AbortSignal): Promise<void> {
  const { intake, timings } = deps;
  // the first one comes back at once, so that it is known soon whether the way is open
  let timeout = 0;
  let failures = 0;
  while (!signal.aborted) {
    const askedMs = deps.nowMs();
    const batch = await ask(deps, timeout, signal);
    deps.onPoll();
    // a server that holds no polls, or sends nothing that can be counted, must not be asked without a pause
    const isHasty = timeout > 0 && batch.length === 0 && deps.nowMs() - askedMs < timings.firstRetryMs;
    if (isHasty) await deps.sleep(timings.firstRetryMs, signal);
    timeout = timings.pollSeconds;
    intake.compare(batch, batch.length < batchSize);
    const areTaken = await settleSoon(deps, batch, signal);
    failures = areTaken ? 0 : failures + 1;
    // what failed is sent again at once, so it is asked for more and more slowly
    if (!areTaken) await deps.sleep(Math.min(10_000, timings.firstRetryMs * 2 ** Math.min(failures - 1, 10)), signal);
  }
}

async function ask({ api, intake }: PollDeps, timeout: number, signal: AbortSignal): Promise<readonly RawUpdate[]> {
  const offset = intake.offset();
  const question = {
    ...{ timeout, limit: batchSize, allowed_updates: allowedUpdates },
    ...(offset === undefined ? {} : { offset }),
  };
  const answer = await api.polls.getUpdates(question, patient(signal)).catch(async (cause: unknown) => {
    const fault = readFault(cause);
    // a webhook that was set long ago; another reader stays, whatever is done
    if (fault.kind !== "answered" || fault.status !== 409 || !/webhook/i.test(fault.words)) throw cause;
    await api.calls.deleteWebhook({}, patient(signal));
    return api.polls.getUpdates({ ...question, timeout: 0 }, patient(signal));
  });
  const updates = Batch.parse(answer).flatMap((raw) => readRawUpdate(raw) ?? []);
  return updates.toSorted((one, other) => one.id - other.id);
}

/** False: one of them must come again. One that takes long is not waited for, and goes on beside the next poll. */
async function settleSoon({ intake, sleep, timings }: PollDeps, batch: readonly RawUpdate[], signal: AbortSignal) {
  if (batch.length === 0) return true;
  const done = new AbortController();
  const late = sleep(timings.patienceMs, AbortSignal.any([signal, done.signal])).then(() => true);
  const all = Promise.all(batch.map((update) => intake.take(update))).then((taken) => taken.every(Boolean));
  const result = await Promise.race([all, late]);
  done.abort();
  return result;
}
