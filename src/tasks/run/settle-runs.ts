// A run is over: its answer goes where the task says, once, and what comes after it is known.
import { channelOf } from "../../contract/conversation-key.ts";
import type { EventOf, NewEvent } from "../../contract/event.ts";
import { heartbeatTask, type RunRef, taskConversation, tidyTask } from "../../contract/task/task.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import { deliveredRuns, findTask, type StoredRun, type StoredTask, unsettledRuns } from "../../store/tasks/tasks.ts";
import { scheduler } from "../task-deps.ts";
import { findTarget } from "./delivery.ts";
import { forwardReply, isSentByRun } from "./forward-words.ts";
import { planJob } from "./jobs.ts";
import { isQuiet } from "./run-words.ts";
import { type SettleDeps, type Speaker, speakerOf } from "./speaker.ts";

type How = EventOf<"task.settled">["how"];
const mostLookedAt = 1_000;
const metMark = /[\s*_`]*CONDITION_MET[\s*_`.]*$/;
const retryAfterMs = [10 * 60_000, 60 * 60_000, 6 * 3_600_000];

export async function settleRuns(deps: SettleDeps): Promise<void> {
  const failures: unknown[] = [];
  for (const run of await unsettledRuns(deps.database)) await settle(deps, run).catch((cause) => failures.push(cause));
  // one that cannot be settled keeps no other waiting
  if (failures.length > 0) throw new AggregateError(failures, "Not every run could be settled.");
}

async function settle(deps: SettleDeps, run: StoredRun): Promise<void> {
  const speaker = await speakerOf(deps, run.task);
  // what it has sent comes before its answer, also if nobody came to hand it on
  if (speaker) for (const sent of await sentBy(deps, run, speaker)) await forwardReply(deps, sent);
  const retry = speaker && (await retryOf(deps, run, speaker));
  if (retry) await planJob(deps.engine, { kind: "retry", run: retry.run }, retry.atMs);
  const outcome: Outcome =
    speaker && !retry ? await outcomeOf(deps, run, speaker) : { how: retry ? "retried" : "kept" };
  const conversation = speaker?.conversation ?? taskConversation(run.task);
  const to = "to" in outcome ? { to: outcome.to } : {};
  const settled: NewEvent = {
    type: "task.settled",
    conversation,
    task: run.task,
    run: run.id,
    how: outcome.how,
    ...to,
  };
  await deps.log.appendDecided(
    async (tx) => {
      const told = "reply" in outcome ? [outcome.reply] : [];
      const why = retry ? undefined : whyOver(await findTask(tx, run.task), run, outcome);
      const end: readonly NewEvent[] = why
        ? [{ type: "task.ended", conversation, task: run.task, why, by: scheduler }]
        : [];
      return [...told, settled, ...end];
    },
    { idempotencyKey: `settled:${run.id}` },
  );
}

/** Its condition holds, or there is no time left; one that was given a new time meanwhile goes on. */
function whyOver(
  task: StoredTask | undefined,
  run: StoredRun,
  outcome: Outcome,
): EventOf<"task.ended">["why"] | undefined {
  if (!task || task.state === "ended") return undefined;
  if (outcome.isMet) return "condition";
  const { trigger } = task.definition;
  if (trigger.kind !== "once" || run.cause !== "schedule" || task.nextAtMs !== undefined) return undefined;
  return run.state === "stopped" ? "cancelled" : "done";
}

async function sentBy(
  deps: SettleDeps,
  run: StoredRun,
  { conversation }: Speaker,
): Promise<readonly EventOf<"reply.written">[]> {
  return (await deps.log.latest(conversation, mostLookedAt, undefined, run.beganSeq)).filter(isSentByRun);
}

/** No model answered: the task is not to blame, and is tried again while there is a point in it. */
async function retryOf(
  deps: SettleDeps,
  run: StoredRun,
  { id }: Speaker,
): Promise<{ run: RunRef; atMs: number } | undefined> {
  const waitMs = retryAfterMs[run.attempt - 1];
  if (run.ending !== "unavailable" || waitMs === undefined || id === heartbeatTask || id === tidyTask) return undefined;
  if ((await findTask(deps.database, id))?.state === "ended") return undefined;
  const [began] = await deps.log.at([run.beganSeq]);
  if (began?.type !== "message.received" || !began.run) return undefined;
  const { nextAtMs: _, ...ref } = began.run;
  return { run: { ...ref, attempt: run.attempt + 1 }, atMs: deps.world.nowMs() + waitMs };
}

type Outcome = { isMet?: boolean } & (
  | { how: Exclude<How, "delivered"> }
  | { how: "delivered"; to: string; reply: NewEvent }
);

async function outcomeOf(deps: SettleDeps, run: StoredRun, speaker: Speaker): Promise<Outcome> {
  const { title, deliverTo } = speaker.definition;
  const answer = await answerOf(deps, run);
  const { text, isMet } = readAnswer(speaker, run, deps.redact(wordsOf(run, answer)));
  if (run.state === "stopped" || deliverTo === "none") return { how: "kept", isMet };
  if (run.state === "done" && isQuiet(text)) return { how: "quiet", isMet };
  if (await wasSaid(deps, speaker, run, text)) return { how: "repeated", isMet };
  const to = await findTarget(deps, speaker);
  const { labels = [] } = (await conversationState(deps.database, speaker.conversation)) ?? {};
  const said = { conversation: to, channel: channelOf(to), text, attachments: answer?.attachments ?? [] };
  const reply: NewEvent = { type: "reply.written", ...said, task: { id: speaker.id, title }, labels: [...labels] };
  return { how: "delivered", to, reply, isMet };
}

/** A run whose condition holds says so by a mark, which needs no tool and so no question. */
function readAnswer({ definition }: Speaker, { state }: StoredRun, words: string): { text: string; isMet: boolean } {
  const isMet = definition.until !== undefined && state === "done" && metMark.test(words);
  if (!isMet) return { text: words, isMet };
  return { text: words.replace(metMark, "").trim() || `This holds now: ${definition.until}`, isMet };
}

async function answerOf(deps: SettleDeps, run: StoredRun): Promise<EventOf<"reply.written"> | undefined> {
  const [event] = run.answerSeq === undefined ? [] : await deps.log.at([run.answerSeq]);
  return event?.type === "reply.written" ? event : undefined;
}

function wordsOf({ state, error }: StoredRun, answer: { text: string } | undefined): string {
  return state === "done" ? (answer?.text ?? "") : `This could not be done: ${error ?? "it broke off"}`;
}

const dayMs = 86_400_000;

/** Wherever it was: an owner who has moved on to another place has heard it too. That something cannot be done is said once a day. */
async function wasSaid(deps: SettleDeps, { id, quietForMs }: Speaker, run: StoredRun, text: string): Promise<boolean> {
  const forMs = run.state === "failed" && run.cause === "schedule" ? Math.max(dayMs, quietForMs) : quietForMs;
  if (forMs === 0) return false;
  for (const earlier of await deliveredRuns(deps.database, id, deps.world.nowMs() - forMs))
    if (sameWords(deps.redact(wordsOf(earlier, await answerOf(deps, earlier))), text)) return true;
  return false;
}

function sameWords(one: string, other: string): boolean {
  const [first, second] = [one, other].map((words) => words.trim().replaceAll(/\s+/g, " "));
  return first === second;
}
