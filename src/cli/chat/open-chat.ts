// A conversation kept open: what a person does goes in by these functions, what there is to see comes out as state.

import type { NoticeTone } from "../../contract/conversation/conversation.ts";
import { joinMidway } from "../../contract/conversation/fold-conversation.ts";
import { reasonOf } from "../../contract/failure.ts";
import { CallRefused, type Followed } from "../../contract/wire/client.ts";
import type { MethodInput } from "../../contract/wire/method.ts";
import type { World } from "../../contract/world.ts";
import { addOutgoing, addRemark, type ChatState, dropOutgoing, markSent, noteConnection } from "./chat-state.ts";
import { type ConnectionDeps, openConnection } from "./connection.ts";
import { foldFollowed } from "./fold-chat.ts";
import { loadChat } from "./load-chat.ts";

export type ChatDeps = ConnectionDeps & { world: World };
type SentMessage = MethodInput<"chat.send">;
export type Chat = Awaited<ReturnType<typeof openChat>>;

const maxSendTries = 8;

export async function openChat(deps: ChatDeps, conversation: string) {
  const connection = await openConnection(deps);
  const watchers = new Set<() => void>();
  let state = await loadOrClose();
  let heldBack: Followed[] | undefined;
  let sending = Promise.resolve();
  let closed = false;

  connection.follow({
    since: () => state.followedThrough,
    followed: (followed) => (heldBack ? heldBack.push(followed) : change(foldFollowed(state, followed))),
    lost: () => change(noteConnection(state, "The connection was lost; trying again.")),
    restored: () => change(noteConnection(joinMidway(state), "Connected again.")),
  });

  return {
    state: () => state,
    /** Called after every change; returns how to stop. */
    watch(listener: () => void): () => void {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    /** Shows the message as on its way and sends it, in order, again after a lost connection, and never twice. */
    send(message: string, attachments: SentMessage["attachments"] = []): void {
      const key = deps.world.newId("send");
      const sessionKey = state.key;
      change(addOutgoing(state, key, message));
      sending = sending.then(() => deliver({ sessionKey, message, attachments, idempotencyKey: key }));
    },
    notice: (tone: NoticeTone, text: string) => change(addRemark(state, tone, text)),
    switchTo,
    call: connection.call,
    gone: connection.gone,
    async close(): Promise<void> {
      closed = true;
      await connection.close();
    },
  };

  function change(next: ChatState): void {
    if (next === state) return;
    state = next;
    for (const listener of watchers) listener();
  }

  async function loadOrClose(): Promise<ChatState> {
    try {
      return await loadChat(connection.call, conversation);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async function deliver(message: SentMessage & { idempotencyKey: string }): Promise<void> {
    const key = message.idempotencyKey;
    for (let tries = 0; !closed; tries++) {
      try {
        const sent = await connection.call("chat.send", message);
        return change(markSent(state, key, sent.seq));
      } catch (error) {
        // trouble inside the gateway may pass; the key makes sure that trying again does no harm
        const refused = error instanceof CallRefused && error.code !== "failed";
        if (refused || tries === maxSendTries - 1) {
          const text = `Your message was not sent. ${reasonOf(error)}`;
          return change(addRemark(dropOutgoing(state, key), "error", text));
        }
        await deps.pause(Math.min(2000, 100 * 2 ** tries));
      }
    }
  }

  // what is followed while the other conversation is read belongs to it as well
  async function switchTo(next: string): Promise<void> {
    heldBack = [];
    try {
      const loaded = await loadChat(connection.call, next);
      change(heldBack.reduce(foldFollowed, { ...loaded, outgoing: state.outgoing, notices: state.notices }));
    } catch (error) {
      change(heldBack.reduce(foldFollowed, state));
      throw error;
    } finally {
      heldBack = undefined;
    }
  }
}
