// The turn: fold its events, do what they leave open, ask the model, and again, until it is over or has to wait.
import type { Event, NewEvent } from "../contract/event.ts";
import type { ModelChoice, ModelMessage, ThinkingLevel } from "../contract/model.ts";
import type { Sender } from "../contract/sender.ts";
import { isBackground } from "../contract/task/task.ts";
import { openApprovalsOfTurn } from "../store/tables/approvals.ts";
import { conversationState } from "../store/tables/conversations.ts";
import { toldBitsOf } from "../store/tasks/told-bits.ts";
import type { Segment, SegmentEnd } from "./agent-backend.ts";
import { askerOf } from "./asker.ts";
import { performCall } from "./calls/perform-call.ts";
import { type CallPlan, planCall } from "./calls/plan-call.ts";
import { afterTelling, toldSoFar } from "./calls/told-so-far.ts";
import { compactIfNeeded, historyBudget } from "./compaction.ts";
import { loadWindow, ownWords, toModelMessages } from "./conversation-window.ts";
import { append, finish, finishAnswered, finishStopped, type OpenTurn, setAside, take } from "./end-turn.ts";
import { runModelStep, type StepResult } from "./model-step.ts";
import { repeatedCall } from "./no-progress.ts";
import { recallBeside } from "./recall.ts";
import { reserveForStep } from "./reserve-for-step.ts";
import type { AgentProfile, TurnDeps } from "./turn-deps.ts";
import { type CallState, foldTurn, isUnanswered, openCalls, type TurnState } from "./turn-state.ts";

const mostCutOffs = 2;

type Run = OpenTurn & {
  /** What the model reads of the window; made once for each window. */
  history: { window: readonly Event[]; messages: readonly ModelMessage[] } | undefined;
  choices: readonly ModelChoice[];
  thinking: ThinkingLevel;
  profile: AgentProfile;
  asker: Sender;
  /** What of the memory is laid beside the message. */
  beside: string | undefined;
};

export async function runSegment(deps: TurnDeps, segment: Segment): Promise<SegmentEnd> {
  const state = foldTurn(await deps.log.ofTurn(segment.turn));
  // looked at before all else, for it may be the loading that kills
  if (state.cutOffs >= mostCutOffs && !state.finished) return setAside({ deps, segment, state, window: [] });
  const run = await openRun(deps, segment, state);
  for (;;) {
    const end = await goOn(run);
    if (end) return end;
  }
}

async function openRun(all: TurnDeps, segment: Segment, state: TurnState): Promise<Run> {
  const { conversation, turn } = segment;
  const configured = await conversationState(all.database, conversation);
  const { workspace, group } = all;
  const profile = await all.profile({ conversation, workspace, group }, configured?.agent, all.tools);
  const allowed = profile.toolNames;
  // what an agent is not offered it cannot call either
  const tools = all.tools.filter((tool) => !allowed || allowed.includes(tool.name));
  const withheld = all.tools.filter((tool) => !tools.includes(tool)).map(({ name }) => name);
  const deps = { ...all, tools, withheld };
  const choices = await deps.models.choose(configured?.model ?? profile.model);
  const window = await loadWindow(deps, conversation, configured?.compactedSeq ?? 0);
  const thinking = configured?.thinking ?? deps.settings.agent.thinking;
  const asker = await askerOf(deps, turn);
  const run: Run = {
    deps,
    segment,
    state,
    window,
    history: undefined,
    choices,
    thinking,
    profile,
    asker,
    beside: undefined,
  };
  run.beside = await recallBeside(run);
  if (state.steps.length === 0) await compact(run, false);
  return run;
}

/** One thing at a time; undefined means there is more to do. */
async function goOn(run: Run): Promise<SegmentEnd | undefined> {
  const { deps, segment, state } = run;
  if (state.finished) return "finished";
  if (state.stopRequested || segment.signal.reason === "stop") return finishStopped(run);
  if (segment.signal.aborted) return "interrupted";
  if (openCalls(state).length > 0) return runOpenCalls(run);
  const repeated = repeatedCall(state, deps.settings.agent.maxRepeats);
  if (repeated) return finish(run, "no_progress", repeatedWords(repeated));
  const steps = state.steps.length;
  if (steps >= Math.min(deps.settings.agent.maxSteps, run.profile.maxSteps ?? steps + 1))
    return finish(run, "step_limit", limitWords(steps));
  await steer(run);
  return think(run);
}

const repeatedWords = ({ tool, times }: { tool: string; times: number }) =>
  `I stopped: I called ${tool} ${times} times in the same way and got the same result each time.`;
const limitWords = (steps: number) =>
  `I stopped after ${steps} steps, which is the limit for one turn. Tell me if I should go on.`;

async function runOpenCalls(run: Run): Promise<SegmentEnd | undefined> {
  const { deps, segment } = run;
  const { turn, conversation, signal } = segment;
  const { labels = [] } = (await conversationState(deps.database, conversation)) ?? {};
  const nowMs = deps.world.nowMs();
  const toldBits = await toldBitsOf(deps.database, conversation, nowMs);
  let told = toldSoFar({ window: run.window, state: run.state, toldBits, nowMs });
  const place = { turn, conversation, asker: run.asker, labels, trustedText: ownWords(run.window), told, signal };
  const planned: { call: CallState; plan: CallPlan }[] = [];
  // one after the other, so that what one call may tell is no longer there for the next
  for (const call of openCalls(run.state)) {
    const plan = await planCall(deps, { ...place, told }, call);
    planned.push({ call, plan });
    if (plan.kind === "run") told = afterTelling(told, plan.bits ?? 0);
  }
  const asks = planned.flatMap(({ plan }) => (plan.kind === "ask" ? [plan.event] : []));
  if (asks.length > 0) await append(run, asks, true);
  await Promise.all(
    planned.map(async ({ call, plan }) => {
      const returned = await performCall(deps, place, call, plan);
      if (returned) await append(run, [returned], plan.kind !== "answer");
    }),
  );
  // answers, and a wish to stop, may have come in from outside meanwhile
  run.state = foldTurn(await deps.log.ofTurn(segment.turn));
  if (openCalls(run.state).some((call) => !isUnanswered(call)))
    return segment.signal.aborted && !run.state.stopRequested ? "interrupted" : undefined;
  return openCalls(run.state).length > 0 ? waitForAnswers(run) : undefined;
}

async function waitForAnswers(run: Run): Promise<SegmentEnd | undefined> {
  const { turn, conversation } = run.segment;
  const { events } = await run.deps.log.appendDecided(async (tx) => {
    const open = await openApprovalsOfTurn(tx, turn);
    // answered a moment ago: there is something to do, so the turn does not wait
    if (open.length === 0) return [];
    return [{ type: "turn.waiting", conversation, turn, approvals: open.map((approval) => approval.approvalId) }];
  });
  if (events.length > 0) return "waiting";
  run.state = foldTurn(await run.deps.log.ofTurn(turn));
  return undefined;
}

async function steer(run: Run): Promise<void> {
  const { conversation, turn } = run.segment;
  if ((await run.segment.takeSteering(run.deps.database)).length === 0) return;
  // looked at again in the transaction that takes them: one may be taken back in this moment
  const { events } = await run.deps.log.appendDecided(
    async (tx): Promise<readonly NewEvent[]> => {
      const messages = await run.segment.takeSteering(tx);
      return messages.length === 0 ? [] : [{ type: "turn.steered", conversation, turn, messages: [...messages] }];
    },
    { durable: false },
  );
  take(run, events);
  const messages = events.flatMap((event) => (event.type === "turn.steered" ? event.messages : []));
  const received = await run.deps.log.at(messages.filter((seq) => !run.window.some((event) => event.seq === seq)));
  run.window = [...received, ...run.window];
  run.asker = await askerOf(run.deps, turn);
}

async function think(run: Run): Promise<SegmentEnd | undefined> {
  const { deps, segment, choices, profile } = run;
  const reservation = await reserveForStep(deps, segment, choices, profile, await messagesOf(run));
  if (!reservation.ok) return finish(run, "budget", reservation.message);
  try {
    return await thinkWithin(run);
  } finally {
    reservation.release();
  }
}

async function thinkWithin(run: Run): Promise<SegmentEnd | undefined> {
  let result = await requestStep(run);
  // the window was larger than we thought: make room once and ask again
  if (result.kind === "unavailable" && result.failure.kind === "context_too_long" && (await compact(run, true)))
    result = await requestStep(run);
  switch (result.kind) {
    case "unavailable":
      // to wait helps only where there is a model to wait for
      return finish(run, result.failure.kind === "no_model" ? "failed" : "unavailable", result.failure.message);
    case "stopped":
      if (run.segment.signal.reason === "shutdown") return "interrupted";
      await append(run, [result.event], false);
      return finishStopped(run);
    case "finished":
      if (result.event.toolCalls.length > 0) {
        await append(run, [result.event], false);
        return undefined;
      }
      return finishAnswered(run, result.event);
    default:
      return result satisfies never;
  }
}

async function requestStep(run: Run): Promise<StepResult> {
  const { deps, segment, thinking, profile } = run;
  const { turn, conversation, signal } = segment;
  return runModelStep(deps, {
    ...{ turn, conversation, signal, thinking, profile },
    step: run.state.steps.length,
    models: run.choices.map((choice) => choice.name),
    messages: await messagesOf(run),
    maxOutputTokens: deps.settings.agent.maxOutputTokens,
    isUnattended: isBackground(conversation),
  });
}

async function compact(run: Run, force: boolean): Promise<boolean> {
  const { deps, segment, choices } = run;
  const first = choices[0];
  if (!first) return false;
  const budgetTokens = historyBudget(first, deps.settings.agent.maxOutputTokens);
  const messages = await messagesOf(run);
  const need = { force, budgetTokens };
  const event = await compactIfNeeded(deps, segment, { window: run.window, messages }, choices, need);
  if (!event) return false;
  const [compacted] = await append(run, [event], false);
  run.window = await loadWindow(deps, segment.conversation, compacted?.seq ?? 0);
  return true;
}

async function messagesOf(run: Run): Promise<readonly ModelMessage[]> {
  const { deps, segment, window, beside } = run;
  if (run.history?.window !== window)
    run.history = { window, messages: await toModelMessages(deps, window, segment.turn, beside) };
  return run.history.messages;
}
