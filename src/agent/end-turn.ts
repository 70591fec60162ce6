// How a turn ends, however it ends: nothing that was under way is left without a result, and whoever waits is told.
import type { Event, NewEvent, TurnEnding } from "../contract/event.ts";
import type { Sender } from "../contract/sender.ts";
import { openApprovalsOfTurn } from "../store/tables/approvals.ts";
import type { Segment, SegmentEnd } from "./agent-backend.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { applyToTurn, openCalls, type TurnState } from "./turn-state.ts";

/** What is needed to end a turn, without anything loaded for it. */
export type OpenTurn = { deps: TurnDeps; segment: Segment; state: TurnState; window: readonly Event[] };

const refusedWords =
  "The model would not answer this: it goes against its provider's rules. Say it differently, or choose another model.";
const cutOffWords = (tools: readonly string[]) =>
  `I was cut off twice at the same place (${tools.length > 0 ? `while ${tools.join(" and ")} ran` : "before the next answer"}) and have set this aside. Nothing was lost: say "go on" and I try again.`;

export async function finishAnswered(
  run: OpenTurn,
  step: Extract<NewEvent, { type: "step.finished" }>,
): Promise<SegmentEnd> {
  const isRefused = step.finish === "refused";
  const text = step.text.trim() === "" ? emptyAnswer(step.finish) : step.text;
  const end = isRefused ? { ...finished(run, "refused"), detail: refusedWords } : finished(run, "answered");
  await append(run, [step, reply(run, text), end], true);
  return "finished";
}

/** Without a look at anything but its own events, because whatever it is about has ended two processes. */
export async function setAside(ending: OpenTurn): Promise<SegmentEnd> {
  const tools = new Set(openCalls(ending.state).map(({ call }) => call.tool));
  const withdrawn = await withdrawQuestions(ending, { kind: "system", id: "set aside" });
  return finish(ending, "failed", cutOffWords([...tools]), withdrawn);
}

async function withdrawQuestions({ deps, segment }: OpenTurn, by: Sender): Promise<readonly NewEvent[]> {
  const { conversation, turn } = segment;
  const open = await openApprovalsOfTurn(deps.database, turn);
  return open.map(({ approvalId, callId }) => {
    return { type: "approval.answered", conversation, turn, approvalId, callId, decision: "withdrawn", by };
  });
}

export async function finishStopped(run: OpenTurn & { asker: Sender }): Promise<SegmentEnd> {
  const withdrawn = await withdrawQuestions(run, run.asker);
  const last = run.state.steps.at(-1)?.event;
  const partial = last?.finish === "stopped" && last.text !== "" ? `${last.text}\n\n` : "";
  const told = [reply(run, `${partial}(Stopped.)`), finished(run, "stopped")];
  await append(run, [...withdrawn, ...stoppedCalls(run), ...told], true);
  return "finished";
}

// whatever was under way gets a result, so that no call stands alone in the history
function stoppedCalls(run: OpenTurn): readonly NewEvent[] {
  const { conversation, turn } = run.segment;
  return openCalls(run.state).map(({ call, sent }) => ({
    type: "tool.returned",
    conversation,
    turn,
    callId: call.callId,
    tool: call.tool,
    outcome: sent ? "unknown" : "stopped",
    output: sent ? "Stopped while it ran; it is not known how far it got." : "Stopped before it began.",
    attachments: [],
  }));
}

export async function finish(
  run: OpenTurn,
  ending: TurnEnding,
  text: string,
  before: readonly NewEvent[] = [],
): Promise<SegmentEnd> {
  await append(
    run,
    [...before, ...stoppedCalls(run), reply(run, text), { ...finished(run, ending), detail: masked(run, text) }],
    true,
  );
  return "finished";
}

function reply(run: OpenTurn, text: string): NewEvent {
  const { conversation, turn, channel } = run.segment;
  return { type: "reply.written", conversation, turn, channel, text: masked(run, text), attachments: [] };
}

function masked({ deps }: OpenTurn, text: string): string {
  return deps.redactor.redact(text);
}

function finished(run: OpenTurn, ending: TurnEnding): Extract<NewEvent, { type: "turn.finished" }> {
  return { type: "turn.finished", conversation: run.segment.conversation, turn: run.segment.turn, ending };
}

export async function append(run: OpenTurn, fresh: readonly NewEvent[], durable: boolean): Promise<readonly Event[]> {
  const { events } = await run.deps.log.append(fresh, { durable });
  take(run, events);
  return events;
}

export function take(run: OpenTurn, events: readonly Event[]): void {
  run.window = [...run.window, ...events];
  run.state = events.reduce(applyToTurn, run.state);
}

function emptyAnswer(finish: string): string {
  if (finish === "length")
    return "The answer was cut off before it began: the limit on its length is too low for this model. Raise agent.maxOutputTokens.";
  if (finish === "refused") return refusedWords;
  return "The model gave an empty answer. Try saying it differently.";
}
