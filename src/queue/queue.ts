// One turn at a time in a conversation, several conversations side by side; stop, steer, resume.

import { setTimeout as pause } from "node:timers/promises";
import type { AgentBackend, SegmentEnd } from "../agent/agent-backend.ts";
import { foldTurn } from "../agent/turn-state.ts";
import { channelOf } from "../contract/conversation-key.ts";
import { reasonOf } from "../contract/failure.ts";
import type { Sender } from "../contract/sender.ts";
import type { Settings } from "../contract/settings.ts";
import type { World } from "../contract/world.ts";
import type { Database } from "../store/database/database.ts";
import { StorageFailure } from "../store/database/storage-failure.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { openApprovalsOfTurn } from "../store/tables/approvals.ts";
import {
  messagesTogether,
  type OpenTurn,
  openTurnOf,
  runningTurns,
  unfinishedConversations,
  waitingMessages,
  waitingTurns,
} from "../store/tables/open-work.ts";
import { openTrials } from "./trials.ts";

export type Queue = {
  /** Something about this conversation has changed: see what there is to do. */
  wake(conversation: string): void;
  /** Stops the turn under way; false when there is none. */
  stop(conversation: string, by: Sender): Promise<boolean>;
  /** Takes up whatever an earlier process left unfinished; nothing is worked on before. */
  resume(): Promise<void>;
  /** Lets turns finish for a while, then cuts the rest off where a later process can go on. */
  close(graceMs: number): Promise<void>;
};

export type QueueDeps = {
  world: World;
  log: EventLog;
  database: Database;
  backend: AgentBackend;
  settings: Settings["queue"];
  onTrouble(message: string, cause: unknown): void;
  retryAfterMs: number;
};

type Lane = { again: boolean; running: Promise<void>; controller: AbortController };

export function openQueue(deps: QueueDeps): Queue {
  const { log, database } = deps;
  const lanes = new Map<string, Lane>();
  const slots = openSlots(deps.settings.concurrency);
  const retries = new Set<NodeJS.Timeout>();
  // turns that this process has begun or taken up; any other open turn was left by an earlier one
  const started = new Set<string>();
  const onTrial = openTrials(log);
  let open = false;
  let closing = false;

  return {
    wake,
    async stop(conversation, by) {
      const turn = await openTurnOf(database, conversation);
      if (!turn) return false;
      await log.append([{ type: "turn.stop_requested", conversation, turn: turn.turn, by }]);
      lanes.get(conversation)?.controller.abort("stop");
      wake(conversation);
      return true;
    },
    async resume() {
      open = true;
      // nobody was at work on these when the earlier process ended
      for (const { turn } of await waitingTurns(database)) started.add(turn);
      for (const conversation of await unfinishedConversations(database)) wake(conversation);
    },
    async close(graceMs) {
      closing = true;
      for (const timer of retries) clearTimeout(timer);
      const all = Promise.all([...lanes.values()].map((lane) => lane.running));
      await Promise.race([all, pause(graceMs, undefined, { ref: false })]);
      for (const lane of lanes.values()) lane.controller.abort("shutdown");
      await Promise.race([all, pause(graceMs, undefined, { ref: false })]);
      await putDown();
    },
  };

  function wake(conversation: string): void {
    // what comes in before that is found by `resume`
    if (!open || closing) return;
    const lane = lanes.get(conversation);
    if (lane) {
      lane.again = true;
      return;
    }
    const fresh: Lane = { again: false, running: Promise.resolve(), controller: new AbortController() };
    lanes.set(conversation, fresh);
    fresh.running = slots.run(() => workLane(conversation, fresh));
  }

  async function workLane(conversation: string, lane: Lane): Promise<void> {
    try {
      do {
        lane.again = false;
        while (!closing && (await workOnce(conversation, lane))) lane.controller = new AbortController();
      } while (lane.again && !closing);
    } catch (cause) {
      await giveUpTurn(conversation, cause);
    } finally {
      lanes.delete(conversation);
    }
    if (lane.again) wake(conversation);
  }

  /** Runs one segment; false when there is nothing to do now. */
  async function workOnce(conversation: string, lane: Lane): Promise<boolean> {
    const turn = await nextTurn(conversation);
    if (!turn) return false;
    const end: SegmentEnd = await deps.backend.runSegment({
      turn: turn.turn,
      conversation,
      channel: channelOf(conversation),
      signal: lane.controller.signal,
      takeSteering: async (db) => (deps.settings.whenBusy === "steer" ? messagesTogether(db, conversation, true) : []),
    });
    if (end === "finished") started.delete(turn.turn);
    return end === "finished" || (end === "waiting" && (await waitingMessages(database, conversation)).length > 0);
  }

  async function nextTurn(conversation: string): Promise<Pick<OpenTurn, "turn"> | undefined> {
    const open = await openTurnOf(database, conversation);
    if (!open) return startTurn(conversation);
    if (open.state === "waiting" && !(await withdrawQuestions(open))) return undefined;
    if (!started.has(open.turn)) await takeUp(open);
    return closing ? undefined : open;
  }

  /** Noted on disk before anything is done for it, so that a turn which ends this process too is known for it. */
  async function takeUp({ turn, conversation }: OpenTurn): Promise<void> {
    const begin = async (durable: boolean) => {
      if (closing) return;
      started.add(turn);
      await log.append([{ type: "turn.resumed", conversation, turn }], { durable });
    };
    if (foldTurn(await log.ofTurn(turn)).isUnderWay) await onTrial(turn, () => begin(true));
    else await begin(false);
  }

  /** Told to end, this process leaves its turns where the next one goes on; one that dies cannot say so. */
  async function putDown(): Promise<void> {
    try {
      await log.appendDecided(async (tx) =>
        (await runningTurns(tx))
          .filter(({ turn }) => started.has(turn))
          .map(({ turn, conversation }) => ({ type: "turn.interrupted", conversation, turn })),
      );
    } catch (cause) {
      deps.onTrouble("It could not be written down which turns wait for the next start.", cause);
    }
  }

  /** Undefined: there is nothing to answer, or it was taken back in this moment. */
  async function startTurn(conversation: string): Promise<Pick<OpenTurn, "turn"> | undefined> {
    const turn = deps.world.newId("turn");
    started.add(turn);
    const { events } = await log.appendDecided(
      async (tx) => {
        const messages = await messagesTogether(tx, conversation);
        // one message a turn, unless those behind it may steer it anyway
        const taken = deps.settings.whenBusy === "steer" ? messages : messages.slice(0, 1);
        return taken.length > 0 ? [{ type: "turn.started", conversation, turn, messages: [...taken] }] : [];
      },
      { durable: false },
    );
    if (events.length > 0) return { turn };
    started.delete(turn);
    return undefined;
  }

  // the owner who writes something else instead of answering has answered: no, listen to this first
  async function withdrawQuestions({ turn, conversation }: OpenTurn): Promise<boolean> {
    const spoken = (await log.at(await waitingMessages(database, conversation))).find(
      (event) => event.type === "message.received" && event.sender.kind === "owner" && event.run === undefined,
    );
    if (spoken?.type !== "message.received") return false;
    await log.appendDecided(async (tx) =>
      (await openApprovalsOfTurn(tx, turn)).map(({ approvalId, callId }) => {
        const by = spoken.sender;
        return { type: "approval.answered", conversation, turn, approvalId, callId, decision: "withdrawn", by };
      }),
    );
    return true;
  }

  async function giveUpTurn(conversation: string, cause: unknown): Promise<void> {
    deps.onTrouble(`A turn of ${conversation} broke off.`, cause);
    try {
      const open = await openTurnOf(database, conversation);
      if (!open || cause instanceof StorageFailure) return retryLater(conversation);
      const text =
        "Something went wrong inside Steward while it worked on this. The log has the details. Tell me if I should try again.";
      const { turn } = open;
      await log.append([
        { type: "reply.written", conversation, turn, channel: channelOf(conversation), text, attachments: [] },
        { type: "turn.finished", conversation, turn, ending: "failed", detail: reasonOf(cause) },
      ]);
    } catch (second) {
      deps.onTrouble("The failure could not be recorded either; it will be tried again.", second);
      retryLater(conversation);
    }
  }

  function retryLater(conversation: string): void {
    if (closing) return;
    const timer = setTimeout(() => {
      retries.delete(timer);
      wake(conversation);
    }, deps.retryAfterMs);
    retries.add(timer);
  }
}

/** At most so many run at once; the others wait in the order they came. */
type Slots = { run<Result>(work: () => Promise<Result>): Promise<Result> };

function openSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
