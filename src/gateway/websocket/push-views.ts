// In: events of the log and live signals, as one client follows them. Out: the five push events of the contract.

import type { EventOf } from "../../contract/event.ts";
import type { Followed } from "../../contract/wire/client.ts";
import type { LiveSignal } from "../../contract/wire/live-signal.ts";
import type { PushEvent } from "../../contract/wire/push-event.ts";
import type { Run, RunEnd, Runs } from "./runs.ts";

/** What clients that stand at the same place are told, made once for all of them. */
export type SharedViews = {
  runs: Runs;
  steps: WeakMap<Followed, { before: string; after: string; told: PushEvent }>;
  whole: WeakMap<Followed, readonly PushEvent[]>;
};

export type PushViewsDeps = {
  shared: SharedViews;
  tell(event: PushEvent): void;
  onTrouble(cause: unknown): void;
};

/** What this client has been shown of a turn. */
type Shown = { text: string; step: number; isStale: boolean };

type LiveText = Extract<LiveSignal, { type: "live.text" }>;

const couldNotFinish = "I could not finish this.";

export function openPushViews(deps: PushViewsDeps) {
  const { shared } = deps;
  const shownOf = new Map<string, Shown>();
  const queue: Followed[] = [];
  let isWorking = false;
  let worked = Promise.resolve();
  return {
    take(followed: Followed): void {
      queue.push(followed);
      if (!isWorking) work();
    },
    /** How much waits for a look-up before it can be told. */
    waiting: () => queue.length,
    /** Resolves when everything taken has been told. */
    async settled(): Promise<void> {
      while (isWorking) await worked;
    },
  };

  // what needs a look-up holds back what comes after it, so that the order stays
  function work(): void {
    isWorking = false;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const later = view(next);
      if (!later) continue;
      isWorking = true;
      worked = later.catch(deps.onTrouble).then(work);
      return;
    }
  }

  function view(followed: Followed): Promise<void> | undefined {
    switch (followed.type) {
      case "live.text":
        return withRun(followed, (run) => showPiece(run, followed));
      case "live.text_reset":
        // the new attempt may begin with the same words; only its first piece shows what must be taken back
        markStale(followed.turn);
        return undefined;
      case "live.tool_progress":
        return withRun(followed, (run) => tellWhole(followed, () => [progress(run, followed)]));
      case "reply.written":
        return showReply(followed);
      case "turn.finished":
        return shared.runs.endOf(followed).then((end) => {
          shownOf.delete(followed.turn);
          tellWhole(followed, () => end.runIds.map((runId) => ending(runId, followed, end)));
        });
      case "approval.asked":
        return tellWhole(followed, () => [approvalRequest(followed)]);
      case "message.refused":
        return tellWhole(followed, () => [refusal(followed)]);
      default:
        return undefined;
    }
  }

  function withRun(place: { turn: string; conversation: string }, tell: (run: Run) => void): Promise<void> | undefined {
    const known = shared.runs.known(place.turn);
    if (!known) return shared.runs.find(place.turn, place.conversation).then(tell);
    tell(known);
    return undefined;
  }

  function showPiece(run: Run, signal: LiveText): void {
    const shown = shownIn(signal.turn);
    if (shown.step !== signal.step) markStale(signal.turn);
    shown.step = signal.step;
    if (shown.isStale) showInstead(run, shown, signal.delta);
    else goOn(run, shown, signal);
  }

  function goOn(run: Run, shown: Shown, signal: LiveText): void {
    const known = shared.steps.get(signal);
    const { text: before } = shown;
    const step =
      known?.before === before ? known : { before, after: before + signal.delta, told: piece(run, signal.delta) };
    shared.steps.set(signal, step);
    shown.text = step.after;
    deps.tell(step.told);
  }

  function showReply({ turn, conversation, text }: EventOf<"reply.written">): Promise<void> | undefined {
    if (turn === undefined) return undefined;
    return withRun({ turn, conversation }, (run) => showInstead(run, shownIn(turn), text));
  }

  /** Only what is missing, if the words so far were right; otherwise all of it again. */
  function showInstead(run: Run, shown: Shown, text: string): void {
    shown.isStale = false;
    const isGoingOn = text.startsWith(shown.text);
    if (!isGoingOn) deps.tell({ event: "chat.delta", data: { ...run, text: "", reset: true } });
    const missing = isGoingOn ? text.slice(shown.text.length) : text;
    shown.text = text;
    if (missing !== "") deps.tell(piece(run, missing));
  }

  function markStale(turn: string): void {
    const shown = shownOf.get(turn);
    if (shown && shown.text !== "") shown.isStale = true;
  }

  function shownIn(turn: string): Shown {
    const shown = shownOf.get(turn) ?? { text: "", step: 0, isStale: false };
    shownOf.set(turn, shown);
    return shown;
  }

  function tellWhole(from: Followed, make: () => readonly PushEvent[]): undefined {
    const events = shared.whole.get(from) ?? make();
    shared.whole.set(from, events);
    for (const event of events) deps.tell(event);
  }
}

function piece(run: Run, text: string): PushEvent {
  return { event: "chat.delta", data: { ...run, text } };
}

function progress(run: Run, signal: Extract<LiveSignal, { type: "live.tool_progress" }>): PushEvent {
  return { event: "tool.progress", data: { ...run, tool: signal.tool, message: signal.text } };
}

function ending(runId: string, finished: EventOf<"turn.finished">, end: RunEnd): PushEvent {
  const sessionKey = finished.conversation;
  const wentWell = finished.ending === "answered" || finished.ending === "stopped";
  if (wentWell) return { event: "chat.final", data: { runId, sessionKey, usage: end.usage } };
  // the detail of the ending may name what only the log should say; the reply was written for a person
  return { event: "chat.error", data: { runId, sessionKey, message: end.reply ?? couldNotFinish } };
}

function approvalRequest(asked: EventOf<"approval.asked">): PushEvent {
  const { approvalId, conversation, tool, display, reason, labels, expiresAtMs, workingDir } = asked;
  const details = { arguments: asked.arguments, ...(workingDir && { workingDir }), reason, labels, expiresAtMs };
  return {
    event: "exec.approval_request",
    data: { approvalId, sessionKey: conversation, toolName: tool, summary: display, details },
  };
}

function refusal(refused: EventOf<"message.refused">): PushEvent {
  return {
    event: "chat.error",
    data: { runId: refused.messageId, sessionKey: refused.conversation, message: refused.reason },
  };
}
