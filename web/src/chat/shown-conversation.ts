// The conversation on the page: one that is open, or one that begins with its first message.
import type { App } from "../app/app.ts";
import type { Choice } from "./composer/pickers.ts";
import { browserFrames, openFrameBatch } from "./frame-batch.ts";
import { type OpenConversation, openConversation } from "./open-conversation.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { UnsentMessage } from "./outbox/stored-outbox.ts";
import { openStart } from "./start-conversation.ts";

export type ShownConversation = {
  /** Undefined while it has not begun. */
  readonly current: OpenConversation | undefined;
  /** Also of a conversation that has not begun. */
  readonly outbox: Outbox | undefined;
  open(key: string): OpenConversation;
  openNew(): void;
  leave(): void;
};

export type ShownConversationDeps = {
  app(): App;
  /** For a conversation that has not begun. */
  choice(): Choice;
  /** It has begun under this key. */
  started(key: string): void;
  draw(): void;
};

// thirty times a second reads as steady writing and leaves the machine time for everything else
const drawEveryMs = 30;

export function openShownConversation(deps: ShownConversationDeps): ShownConversation {
  let current: OpenConversation | undefined;
  let start: Outbox | undefined;
  let stops: readonly (() => void)[] = [];
  return {
    get current() {
      return current;
    },
    get outbox() {
      return current?.outbox ?? start;
    },
    open,
    openNew,
    leave,
  };

  function open(key: string): OpenConversation {
    leave();
    const conversation = openConversation(world(), key, () => deps.app().approvals.value);
    const batch = openFrameBatch(browserFrames, drawEveryMs, deps.draw);
    stops = [
      conversation.state.subscribe(batch.mark),
      conversation.outbox.messages.subscribe(batch.mark),
      batch.close,
      conversation.close,
    ];
    current = conversation;
    deps.draw();
    return conversation;
  }

  function openNew(): void {
    leave();
    start = openStart(world(), { choice: deps.choice, started });
    stops = [start.messages.subscribe(deps.draw)];
    deps.draw();
  }

  function started(key: string, message: UnsentMessage): void {
    const isShown = current?.key === key;
    const conversation = isShown && current ? current : open(key);
    conversation.outbox.adopt(message);
    deps.started(key);
    if (!isShown) deps.app().go(`/chat/${key}`);
  }

  function leave(): void {
    for (const stop of stops) stop();
    stops = [];
    current = undefined;
    start = undefined;
  }

  function world() {
    return {
      link: deps.app().link,
      storage: sessionStorage,
      newKey: randomKey,
      wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    };
  }
}

/** Names a message for good; randomUUID is kept from pages that come over plain HTTP from another machine. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}
