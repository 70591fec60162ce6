import type { ChannelBase } from "../../contract/channel/channel.ts";

/** Up to which message each chat has been read, over a restart. */
export type Marks = {
  /** From where on it is read. Undefined: nothing of it has been seen. */
  since(chat: string): Promise<string | undefined>;
  advance(chat: string, ts: string): Promise<void>;
  /** If nothing of it has been seen: what is said after this message is to be read, and nothing before. */
  begin(chat: string, ts: string): Promise<void>;
  /** There is a gap before what comes now, so the mark stays where it is until the gap is closed. */
  hold(chat: string): void;
  release(chat: string): void;
  isHeld(chat: string): boolean;
};

// an event that came late may be older than the last one that was taken; whoever keeps messages drops what it knows
const overlapSeconds = 120;

export function openMarks(base: Pick<ChannelBase, "remember" | "recall" | "trouble">): Marks {
  const known = new Map<string, string>();
  const held = new Set<string>();
  return {
    async since(chat) {
      const mark = await of(chat);
      if (mark === undefined) return undefined;
      const begin = (await base.recall(`begin:${chat}`)) ?? "0";
      return Math.max(Number(mark) - overlapSeconds, Number(begin)).toFixed(6);
    },
    async advance(chat, ts) {
      if (held.has(chat)) return;
      const before = await of(chat);
      if (before !== undefined && Number(before) >= Number(ts)) return;
      await set(chat, ts);
    },
    async begin(chat, ts) {
      if ((await of(chat)) !== undefined) return;
      await keep(`begin:${chat}`, ts);
      await set(chat, ts);
    },
    hold: (chat) => void held.add(chat),
    release: (chat) => void held.delete(chat),
    isHeld: (chat) => held.has(chat),
  };

  async function of(chat: string): Promise<string | undefined> {
    const mark = known.get(chat) ?? (await base.recall(nameOf(chat)));
    if (mark !== undefined) known.set(chat, mark);
    return mark;
  }

  async function set(chat: string, mark: string): Promise<void> {
    known.set(chat, mark);
    await keep(nameOf(chat), mark);
  }

  async function keep(name: string, ts: string): Promise<void> {
    await base.remember(name, ts).catch((cause: unknown) => {
      base.trouble("Slack's last message could not be noted; after a restart it may be read again.", cause);
    });
  }
}

function nameOf(chat: string): string {
  return `seen:${chat}`;
}
