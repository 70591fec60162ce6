import type { ServerResponse } from "node:http";
import type { RouteAnswer } from "../../../contract/room/route.ts";
import type { Followed } from "../../../contract/wire/client.ts";
import { unboundedSink } from "../../follow/follow-log.ts";
import { type EventStream, type EventStreams, eventFrame, followInto } from "../events/event-streams.ts";
import type { RestDeps } from "../rest-deps.ts";
import { taskSelection } from "../tasks/task-selection.ts";
import type { Asking, BegunTurn } from "./begin-turn.ts";
import type { Wish } from "./completion-request.ts";
import {
  type AnswerHead,
  completionChunk,
  openAiError,
  refuseOpenAi,
  usageChunk,
  wholeCompletion,
} from "./completion-wire.ts";
import { openTurnFold, type TurnEnd } from "./fold-turn.ts";

type Answering = Asking & BegunTurn;

/** Waits for the end of the turn. A client that goes away ends the waiting and not the turn. */
export async function answerWhole(deps: RestDeps, answering: Answering): Promise<RouteAnswer> {
  const end = await turnEnd(deps, answering);
  // nobody reads this any more
  if (!end) return { status: 200 };
  if (end.kind === "failed") return refuseOpenAi(424, failureOf(end));
  const body = wholeCompletion(headOf(answering), end.text, end.finish, end.usage);
  return { status: 200, body, headers: headersOf(answering) };
}

function turnEnd(deps: RestDeps, { caller, message, past, signal }: Answering): Promise<TurnEnd | undefined> {
  return new Promise((resolve, reject) => {
    const fold = openTurnFold(message, past);
    const broken = () => reject(new Error("What became of the turn could not be read."));
    const stop = deps.gateway.follow(caller, 0, unboundedSink(hear, broken), taskSelection(deps, message));
    const leave = () => finish(undefined);
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
    function hear(followed: Followed): void {
      const { end } = fold.take(followed);
      if (end) finish(end);
    }
    function finish(end: TurnEnd | undefined): void {
      signal.removeEventListener("abort", leave);
      stop();
      resolve(end);
    }
  });
}

/** Words as they come; a reader that is slow gets the rest from the log when it has caught up. */
export function answerInPieces(deps: RestDeps, streams: EventStreams, response: ServerResponse, answering: Answering) {
  const { caller, message, past, wish } = answering;
  const head = headOf(answering);
  const stream = streams.open(response, caller, headersOf(answering));
  const fold = openTurnFold(message, past);
  stream.send(eventFrame({ data: completionChunk(head, { role: "assistant", content: "" }) }));
  followInto(deps, stream, { caller, since: 0, selection: taskSelection(deps, message), write });

  function write(followed: Followed): void {
    const { delta, end } = fold.take(followed);
    if (delta !== "") stream.send(eventFrame({ data: completionChunk(head, { content: delta }) }));
    if (end) writeEnd(stream, head, wish, end);
  }
}

function writeEnd(stream: EventStream, head: AnswerHead, wish: Wish, end: TurnEnd): void {
  if (end.kind === "failed") stream.send(eventFrame({ data: failureOf(end) }));
  else {
    stream.send(eventFrame({ data: completionChunk(head, {}, end.finish) }));
    if (wish.includeUsage) stream.send(eventFrame({ data: usageChunk(head, end.usage) }));
  }
  stream.send("data: [DONE]\n\n");
  stream.end();
}

function failureOf(end: Extract<TurnEnd, { kind: "failed" }>) {
  return openAiError(end.message, { type: "server_error", code: end.code });
}

function headOf({ message, wish }: Answering): AnswerHead {
  return { id: `chatcmpl-${message.messageId}`, created: Math.floor(message.atMs / 1000), model: wish.model };
}

function headersOf({ message }: Answering): Record<string, string> {
  return { "x-steward-session": message.conversation, "x-steward-task": message.messageId };
}
