// What a chat shows while a turn goes on: that somebody is typing, what is being done, the words as they come, and a way to stop it.
import type { Address } from "../../contract/channel/address.ts";
import { SendFailure } from "../../contract/channel/outgoing-message.ts";
import { channelOf } from "../../contract/conversation-key.ts";
import type { Event } from "../../contract/event.ts";
import { reasonOf } from "../../contract/failure.ts";
import type { LiveSignal } from "../../contract/wire/live-signal.ts";
import type { ChannelsDeps, OpenChannel, OpenChannels } from "../channels-deps.ts";
import { isHeard } from "../intake/people.ts";
import { stopButton } from "../questions/presses.ts";
import { type Draft, openDraft } from "./draft-words.ts";

export type Drafts = {
  /** The message that shows the turn, if the answer may take its place; nothing changes it any more. */
  takeOver(turn: string | undefined): Promise<string | undefined>;
  /** The answer is there: what showed the turn is removed, unless the answer stands in its place. */
  clear(turn: string): void;
  /** While a turn goes on there: sets a sign to a message that has to wait for it, so that its sender knows that it was seen. */
  goingOn(conversation: string): ((ref: string) => void) | undefined;
  /** The platform asks for patience in this chat: nothing is shown there until then. */
  holdBack(conversation: string, forMs: number): void;
  /** Removes what an earlier process has left, as far as it is quickly done. */
  sweep(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

type Shown = Draft & {
  conversation: string;
  turn: string;
  address: Address;
  details: Readonly<Record<string, string>>;
  open: OpenChannel;
  ref: string | undefined;
  shownAtMs: number;
  startedAtMs: number;
  notBeforeMs: number;
  isOver: boolean;
  /** The answer has its place, or is about to. */
  isReplaced: boolean;
  editEveryMs: number;
  working: Promise<void>;
  timer: NodeJS.Timeout;
};

const tickMs = 500;
const typingEveryMs = 4_000;
const progressAfterMs = 5_000;
const wordsAfterMs = 1_500;
const fewestCharacters = 40;
/** A phone that has rung long ago should ring again for the answer. */
const oldAfterMs = 60_000;
const sendMs = 15_000;
const seenSign = "👀";

export function openDrafts(deps: ChannelsDeps, channels: OpenChannels): Drafts {
  const turns = new Map<string, Shown>();
  const removing = new Set<Promise<void>>();
  const closing = new AbortController();
  const openedAtMs = deps.world.nowMs();
  // the answer stands in their place, which may not be noted yet
  const replaced = new Map<string, string>();
  const within = () => AbortSignal.any([closing.signal, AbortSignal.timeout(sendMs)]);
  const stops = [deps.store.log.subscribe((events) => events.forEach(followEvent)), deps.live.subscribe(followLive)];
  return {
    async takeOver(turn) {
      const shown = turn === undefined ? undefined : turns.get(turn);
      if (!shown) return turn === undefined ? undefined : (replaced.get(turn) ?? leftBehind(turn));
      end(shown);
      await shown.working;
      // decided once: whoever asks again gets the same answer
      shown.isReplaced ||= shown.ref !== undefined && deps.world.nowMs() - shown.shownAtMs <= oldAfterMs;
      return shown.isReplaced ? shown.ref : undefined;
    },
    clear: remove,
    goingOn(conversation) {
      const shown = [...turns.values()].find((one) => one.conversation === conversation && !one.isOver);
      return shown && ((ref) => void markSeen(shown, ref));
    },
    holdBack(conversation, forMs) {
      const untilMs = deps.world.nowMs() + forMs;
      for (const shown of turns.values())
        if (shown.conversation === conversation) shown.notBeforeMs = Math.max(shown.notBeforeMs, untilMs);
    },
    async sweep(signal) {
      for (const { conversation, turn, ref } of await deps.ledger.drafts()) {
        if (signal.aborted) return;
        const chat = await deps.ledger.chat(conversation);
        const open = channels.get(channelOf(conversation));
        if (!open || !chat) continue;
        await takeAway({ open, conversation, turn, ref, address: chat.address }, signal);
      }
    },
    async close() {
      for (const stop of stops) stop();
      closing.abort();
      for (const shown of turns.values()) end(shown);
      await Promise.all([...[...turns.values()].map(({ working }) => working), ...removing]);
    },
  };

  function followEvent(event: Event): void {
    const goesOn = event.type === "turn.started" || event.type === "turn.resumed" || event.type === "approval.answered";
    if (goesOn) void begin(event.conversation, event.turn);
    // a question stands in its place
    if (event.type === "turn.waiting") drop(event.turn);
    if (event.type === "turn.finished") leaveLater(event.turn);
    if (event.type === "reply.delivered" && event.turn !== undefined) replaced.delete(event.turn);
    if (event.type === "step.finished") turns.get(event.turn)?.finishStep(event);
    if (event.type === "tool.sent") turns.get(event.turn)?.beginTool(event.tool);
  }

  function followLive(signal: LiveSignal): void {
    turns.get(signal.turn)?.addLive(signal);
  }

  /** What an earlier process has shown, and perhaps replaced already. */
  async function leftBehind(turn: string): Promise<string | undefined> {
    return (await deps.ledger.drafts()).find((left) => left.turn === turn && left.atMs < openedAtMs)?.ref;
  }

  async function begin(conversation: string, turn: string): Promise<void> {
    const open = channels.get(channelOf(conversation));
    if (!open || turns.has(turn)) return;
    try {
      const chat = await deps.ledger.chat(conversation);
      const isOver = (await deps.ledger.turnIn(conversation)) !== turn;
      if (!chat || isOver || turns.has(turn) || !(await isHeard(deps, chat))) return;
      const { address, details } = chat;
      const now = deps.world.nowMs();
      const shown: Shown = {
        ...openDraft(),
        ...{ conversation, turn, address, details, open, ref: undefined, shownAtMs: now, startedAtMs: now },
        ...{ notBeforeMs: 0, isOver: false, isReplaced: false, working: Promise.resolve() },
        editEveryMs: editPace(open, chat.isDirect),
        timer: setInterval(() => tick(shown), tickMs),
      };
      shown.timer.unref();
      turns.set(turn, shown);
      keepTyping(shown);
    } catch (cause) {
      deps.trouble("A chat cannot show what is being done.", cause);
    }
  }

  function keepTyping(shown: Shown): void {
    const { channel } = shown.open;
    if (!channel.typing) return;
    const type = () => {
      if (shown.isOver) return clearInterval(timer);
      channel
        .typing?.(shown.address, within())
        // nobody misses it
        .catch((cause) => deps.note("typing was not shown", { reason: reasonOf(cause) }));
    };
    const timer = setInterval(type, typingEveryMs);
    timer.unref();
    type();
  }

  async function markSeen({ open, address }: Shown, ref: string): Promise<void> {
    try {
      await open.channel.react?.(address, ref, seenSign, within());
    } catch (cause) {
      // some chats allow no reactions; the message is answered all the same
      deps.note("a message was not marked as seen", { channel: open.definition.name, reason: reasonOf(cause) });
    }
  }

  function tick(shown: Shown): void {
    const now = deps.world.nowMs();
    if (shown.isOver || shown.isBusy || now < shown.notBeforeMs || !shown.open.channel.edit) return;
    const elapsedMs = now - shown.startedAtMs;
    const hasWords = shown.length() >= fewestCharacters && elapsedMs >= wordsAfterMs;
    if (shown.ref === undefined && !hasWords && elapsedMs < progressAfterMs) return;
    const words = shown.words(elapsedMs);
    if (words === shown.shownWords) return;
    shown.isBusy = true;
    shown.working = show(shown, words).finally(() => {
      shown.isBusy = false;
    });
  }

  async function show(shown: Shown, words: string): Promise<void> {
    const { channel, definition } = shown.open;
    const [piece] = channel.render(words);
    const { conversation, turn, address, details } = shown;
    const message = { key: `draft.${turn}`, piece, buttons: stopButton(turn), details };
    const signal = within();
    shown.notBeforeMs = deps.world.nowMs() + shown.editEveryMs;
    try {
      const chat = await deps.ledger.chat(conversation);
      if (!chat || !(await isHeard(deps, chat))) return drop(turn);
      if (shown.ref === undefined) {
        const { ref } = await channel.send(address, message, signal);
        shown.ref = ref;
        shown.shownAtMs = deps.world.nowMs();
        await deps.store.log.append([{ type: "draft.shown", conversation, turn, ref }], { durable: false });
      } else await channel.edit?.(address, shown.ref, message, signal);
      shown.shownWords = words;
    } catch (cause) {
      // the answer itself is what counts; this only tells how far it is
      deps.note("a draft was not shown", { channel: definition.name, reason: reasonOf(cause) });
      const waitMs = (cause instanceof SendFailure && cause.retryAfterMs) || 5_000;
      shown.notBeforeMs = deps.world.nowMs() + waitMs;
    }
  }

  function end(shown: Shown): void {
    shown.isOver = true;
    clearInterval(shown.timer);
  }

  function drop(turn: string): void {
    if (turns.get(turn)?.isReplaced !== true) remove(turn);
  }

  /** The answer waits for none of this: what cannot be removed now is removed by the next start. */
  function remove(turn: string): void {
    const shown = turns.get(turn);
    if (!shown) return;
    end(shown);
    turns.delete(turn);
    if (shown.isReplaced) return void replaced.set(turn, shown.ref ?? "");
    const removed = shown.working.then(() => (shown.ref === undefined ? undefined : takeAway(shown)));
    const kept = removed
      .catch((cause) => deps.trouble("What a chat showed of a turn could not be cleared.", cause))
      .finally(() => removing.delete(kept));
    removing.add(kept);
  }

  /** The reply takes its place; without one there is nothing to wait for. */
  function leaveLater(turn: string): void {
    const shown = turns.get(turn);
    if (!shown) return;
    end(shown);
    setTimeout(() => drop(turn), oldAfterMs).unref();
  }

  type Left = Pick<Shown, "open" | "conversation" | "turn" | "address"> & { ref: string | undefined };

  /** That it is gone is noted only when it is, so that the next start tries again. */
  async function takeAway({ open, conversation, turn, address, ref }: Left, signal?: AbortSignal): Promise<void> {
    const { channel, definition } = open;
    try {
      const whileOpen = AbortSignal.any([within(), ...(signal ? [signal] : [])]);
      if (ref !== undefined) await channel.remove?.(address, ref, whileOpen);
      await deps.store.log.append([{ type: "draft.cleared", conversation, turn }], { durable: false });
    } catch (cause) {
      deps.note("a draft stays in a chat", { channel: definition.name, reason: reasonOf(cause) });
    }
  }
}

function editPace({ definition }: OpenChannel, isDirect: boolean): number {
  const { editEveryMs, editInGroupsEveryMs = editEveryMs } = definition.capabilities;
  return isDirect ? editEveryMs : editInGroupsEveryMs;
}
