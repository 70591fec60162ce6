// Remembers on disk which mail is being read, so that one that ends the whole program does not do so at every start.
import { z } from "zod";
import type { ChannelBase } from "../../../contract/channel/channel.ts";

export type ReadingMark = {
  /** Called before a mail is read. False: reading it has ended the program again and again. */
  set(mail: { uidValidity: string; uid: number }): Promise<boolean>;
  /** The mail was not taken, and the program has outlived it. What was taken is told by the position. */
  lift(): Promise<void>;
};

/** `begun`: how many processes have begun to read it and not come to an end. */
const Mark = z.object({ uidValidity: z.string(), uid: z.number().int(), begun: z.number().int() });
type Mark = z.infer<typeof Mark>;

const mostDeaths = 2;

export function openReadingMark(base: Pick<ChannelBase, "remember" | "recall">, mailbox: string): ReadingMark {
  const name = `reading:${mailbox}`;
  let left: Promise<Mark | undefined> | undefined;
  let current: Mark | undefined;
  return {
    async set({ uidValidity, uid }) {
      left ??= base.recall(name).then((text) => (text === undefined ? undefined : Mark.parse(JSON.parse(text))));
      const found = await left;
      const deaths = found?.uid === uid && found.uidValidity === uidValidity ? found.begun : 0;
      if (deaths >= mostDeaths) return false;
      current = { uidValidity, uid, begun: deaths + 1 };
      await base.remember(name, JSON.stringify(current));
      return true;
    },
    async lift() {
      if (!current) return;
      const { begun, ...mail } = current;
      current = undefined;
      await base.remember(name, JSON.stringify({ ...mail, begun: begun - 1 }));
    },
  };
}
