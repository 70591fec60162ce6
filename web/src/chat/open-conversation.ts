// One conversation while its page is open: its history is read once, everything after that is followed.

import { type Conversation, emptyConversation } from "../../../src/contract/conversation/conversation.ts";
import {
  foldConversation,
  foldEarlier,
  isLive,
  joinMidway,
} from "../../../src/contract/conversation/fold-conversation.ts";
import { addOpenApprovals } from "../../../src/contract/conversation/open-approval.ts";
import { totalSpending } from "../../../src/contract/conversation/spending.ts";
import type { Event } from "../../../src/contract/event.ts";
import type { Followed } from "../../../src/contract/wire/client.ts";
import type { OpenApproval, Session, UsageRow } from "../../../src/contract/wire/method.ts";
import { CallFailed, type GatewayLink } from "../gateway/gateway-link.ts";
import { openWatched, type Watched } from "../state/watched.ts";
import { type NewMessage, type Outbox, openOutbox } from "./outbox/outbox.ts";
import type { TabStorage, UnsentMessage } from "./outbox/stored-outbox.ts";

export type ConversationPhase = "loading" | "ready" | "missing" | "failed";
export type ConversationState = {
  phase: ConversationPhase;
  /** Why it could not be read, in words. */
  problem: string | undefined;
  conversation: Conversation;
  earlier: "none" | "some" | "loading";
};

export type OpenConversation = {
  key: string;
  state: Watched<ConversationState>;
  outbox: Outbox;
  send(message: Omit<NewMessage, "afterSeq">): void;
  loadEarlier(): Promise<void>;
  /** Tries again to read it after a failure. */
  reopen(): void;
  close(): void;
};

export type ConversationDeps = {
  link: GatewayLink;
  storage: TabStorage;
  newKey(): string;
  wait(ms: number): Promise<void>;
};

const eventsAtOnce = 200;

export function openConversation(
  deps: ConversationDeps,
  key: string,
  openApprovals: () => readonly OpenApproval[],
): OpenConversation {
  const { link } = deps;
  let beginning = emptyConversation(key);
  let events: Event[] = [];
  let meanwhile: Followed[] = [];
  const state = openWatched<ConversationState>({
    phase: "loading",
    problem: undefined,
    conversation: beginning,
    earlier: "none",
  });
  const outbox = openOutbox({ ...deps, send: (message) => sendMessage(link, key, message) }, key);
  const stopFollowing = link.follow(follow);
  void open();

  return {
    key,
    state,
    outbox,
    send: (message) => outbox.add({ ...message, afterSeq: state.value.conversation.lastSeq }),
    loadEarlier,
    reopen: () => void open(),
    close: stopFollowing,
  };

  function set(change: Partial<ConversationState>): void {
    state.set({ ...state.value, ...change });
  }

  async function open(): Promise<void> {
    set({ phase: "loading", problem: undefined });
    try {
      const { session, events: latest } = await link.call("sessions.get", { sessionKey: key, maxEvents: eventsAtOnce });
      const { rows } = await link.call("usage.get", { sessionKey: key });
      begin(session, latest, rows);
    } catch (cause) {
      await openAfter(cause);
    }
  }

  async function openAfter(cause: unknown): Promise<void> {
    const code = cause instanceof CallFailed ? cause.code : "failed";
    if (code === "not_found") return set({ phase: "missing" });
    if (code !== "lost")
      return set({ phase: "failed", problem: cause instanceof Error ? cause.message : String(cause) });
    await deps.wait(500);
    await open();
  }

  function begin(session: Session, latest: readonly Event[], rows: readonly UsageRow[]): void {
    beginning = {
      ...emptyConversation(key),
      title: session.title,
      modelWish: session.model,
      thinking: session.thinking,
      spending: totalSpending(rows),
      spendingThrough: link.lastSeq,
    };
    events = [...latest];
    const read = joinMidway(foldConversation(beginning, latest));
    const told = meanwhile;
    meanwhile = [];
    for (const event of latest) shownInOutbox(event);
    set({
      phase: "ready",
      conversation: addOpenApprovals(read, openApprovals()),
      earlier: latest.length < eventsAtOnce ? "none" : "some",
    });
    for (const followed of told) follow(followed);
  }

  function follow(followed: Followed): void {
    if (followed.conversation !== key) return;
    if (state.value.phase !== "ready") {
      meanwhile.push(followed);
      return;
    }
    const { conversation } = state.value;
    if (!isLive(followed) && followed.seq > conversation.lastSeq) events.push(followed);
    const next = foldConversation(conversation, [followed]);
    if (next !== conversation) set({ conversation: next });
    if (!isLive(followed)) shownInOutbox(followed);
  }

  function shownInOutbox(event: Event): void {
    if (event.type === "message.received" || event.type === "message.refused") outbox.shown(event);
  }

  async function loadEarlier(): Promise<void> {
    const [first] = events;
    if (!first || state.value.earlier !== "some") return;
    set({ earlier: "loading" });
    try {
      const asked = { sessionKey: key, maxEvents: eventsAtOnce, beforeSeq: first.seq };
      const { events: earlier } = await link.call("chat.history", asked);
      events = [...earlier, ...events];
      set({
        conversation: foldEarlier(state.value.conversation, beginning, events),
        earlier: earlier.length < eventsAtOnce ? "none" : "some",
      });
    } catch (cause) {
      set({ earlier: "some" });
      throw cause;
    }
  }
}

async function sendMessage(link: GatewayLink, sessionKey: string, message: UnsentMessage) {
  const { key: idempotencyKey, text, uploads, replaces } = message;
  return await link.call("chat.send", {
    sessionKey,
    message: text,
    attachments: uploads.map(({ name, mediaType, base64 }) => ({ name, mediaType, base64 })),
    idempotencyKey,
    ...(replaces !== undefined && { replaces }),
  });
}
