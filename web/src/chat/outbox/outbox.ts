// A person's messages on their way to the gateway: sent in order, again after every break, until each is acknowledged.
import type { EventOf } from "../../../../src/contract/event.ts";
import { CallFailed } from "../../gateway/gateway-link.ts";
import { openWatched, type Watched } from "../../state/watched.ts";
import { readUnsent, storeUnsent, type TabStorage, type UnsentMessage } from "./stored-outbox.ts";
import type { Upload } from "./upload.ts";

export type Outgoing = UnsentMessage & {
  state: "sending" | "failed";
  problem: string | undefined;
  /** Known once the gateway has answered. */
  seq: number | undefined;
};
export type NewMessage = { text: string; uploads: readonly Upload[]; replaces?: number | undefined; afterSeq: number };
export type Receipt = { accepted: boolean; seq: number; reason?: string | undefined };

export type OutboxDeps = {
  send(message: UnsentMessage): Promise<Receipt>;
  storage: TabStorage;
  newKey(): string;
  wait(ms: number): Promise<void>;
};

export type Outbox = {
  messages: Watched<readonly Outgoing[]>;
  add(message: NewMessage): void;
  /** Takes over a message that was written elsewhere, with its key. */
  adopt(message: UnsentMessage): void;
  retry(key: string): void;
  /** Takes a message that failed out again, so that its words can be changed. */
  withdraw(key: string): Outgoing | undefined;
  /** An event of this conversation has been shown. */
  shown(event: EventOf<"message.received"> | EventOf<"message.refused">): void;
};

const firstWaitMs = 500;
const longestWaitMs = 15_000;

export function openOutbox(deps: OutboxDeps, sessionKey: string): Outbox {
  const messages = openWatched<readonly Outgoing[]>(readUnsent(deps.storage, sessionKey).map(recovered));
  const shownSeqs = new Set<number>();
  let isSending = false;
  void sendAll();

  return {
    messages,
    add: ({ text, uploads, replaces, afterSeq }) =>
      put({ key: deps.newKey(), text, uploads, replaces, afterSeq, lostUploads: 0 }),
    adopt: put,
    retry(key) {
      // what was refused once is refused again under the same key
      change(key, (message) => ({
        ...message,
        ...(message.seq === undefined ? {} : { key: deps.newKey(), seq: undefined }),
        state: "sending",
        problem: undefined,
      }));
      void sendAll();
    },
    withdraw(key) {
      const message = messages.value.find((one) => one.key === key && one.state === "failed");
      if (message) set(messages.value.filter((one) => one !== message));
      return message;
    },
    shown(event) {
      shownSeqs.add(event.seq);
      const own = messages.value.find((message) => message.seq === event.seq && message.state === "sending");
      if (own) set(messages.value.filter((message) => message !== own));
    },
  };

  function put(message: UnsentMessage): void {
    if (messages.value.some((known) => known.key === message.key)) return;
    set([...messages.value, recovered(message)]);
    void sendAll();
  }

  async function sendAll(): Promise<void> {
    if (isSending) return;
    isSending = true;
    for (let next = nextUnsent(); next; next = nextUnsent()) await sendOne(next);
    isSending = false;
  }

  function nextUnsent(): Outgoing | undefined {
    return messages.value.find((message) => message.state === "sending" && message.seq === undefined);
  }

  async function sendOne(message: Outgoing): Promise<void> {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        return acknowledged(message.key, await deps.send(message));
      } catch (cause) {
        // the gateway may have it or not: the same key again is the same message
        if (!(cause instanceof CallFailed) || cause.code !== "lost") return failed(message.key, cause);
        await deps.wait(waitMs);
      }
    }
  }

  function acknowledged(key: string, { accepted, seq, reason }: Receipt): void {
    if (!accepted) {
      change(key, (message) => ({ ...message, seq, state: "failed", problem: reason ?? "It was not taken." }));
    } else if (seq === 0 || shownSeqs.has(seq)) {
      set(messages.value.filter((message) => message.key !== key));
    } else {
      change(key, (message) => ({ ...message, seq }));
    }
  }

  function failed(key: string, cause: unknown): void {
    const problem = cause instanceof Error ? cause.message : String(cause);
    change(key, (message) => ({ ...message, state: "failed", problem }));
  }

  function change(key: string, to: (message: Outgoing) => Outgoing): void {
    set(messages.value.map((message) => (message.key === key ? to(message) : message)));
  }

  function set(next: readonly Outgoing[]): void {
    storeUnsent(
      deps.storage,
      sessionKey,
      next.filter(({ seq, state }) => seq === undefined || state === "failed").map(unsentOf),
    );
    messages.set(next);
  }
}

function unsentOf({ key, text, uploads, replaces, afterSeq, lostUploads }: Outgoing): UnsentMessage {
  return { key, text, uploads, replaces, afterSeq, lostUploads };
}

function recovered(message: UnsentMessage): Outgoing {
  const { lostUploads } = message;
  if (lostUploads === 0) return { ...message, state: "sending", problem: undefined, seq: undefined };
  const files = lostUploads === 1 ? "Its file was" : `Its ${lostUploads} files were`;
  const problem = `${files} too large to survive the reload. Take the text back and add them again.`;
  return { ...message, state: "failed", problem, seq: undefined };
}

/** Those that are not shown as messages of the conversation yet; until the gateway answers, only the words tell. */
export function stillUnseen(
  outgoing: readonly Outgoing[],
  received: readonly { seq: number; text: string }[],
): readonly Outgoing[] {
  const free = [...received];
  return outgoing.filter((message) => {
    const index = free.findIndex(({ seq, text }) =>
      message.seq === undefined ? seq > message.afterSeq && text === message.text : seq === message.seq,
    );
    if (index < 0 || message.state === "failed") return true;
    free.splice(index, 1);
    return false;
  });
}
