import type { ChannelBase } from "../../contract/channel/channel.ts";

/** Up to which message each chat has been read, over a restart. */
export type Marks = {
  of(chat: string): Promise<string | undefined>;
  advance(chat: string, ts: string): Promise<void>;
  /** There is a gap before what comes now, so the mark stays where it is until the gap is closed. */
  hold(chat: string): void;
  release(chat: string): void;
  isHeld(chat: string): boolean;
};

export function openMarks(base: Pick<ChannelBase, "remember" | "recall" | "trouble">): Marks {
  const known = new Map<string, string>();
  const held = new Set<string>();
  return {
    of,
    async advance(chat, ts) {
      if (held.has(chat)) return;
      const before = await of(chat);
      if (before !== undefined && Number(before) >= Number(ts)) return;
      known.set(chat, ts);
      await base.remember(nameOf(chat), ts).catch((cause: unknown) => {
        base.trouble("Slack's last message could not be noted; after a restart it may be read again.", cause);
      });
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
}

function nameOf(chat: string): string {
  return `seen:${chat}`;
}
