import { z } from "zod";
import type { ChannelBase } from "../../contract/channel/channel.ts";

/** Which file was handed to Slack under which key: a file carries no key of its own by which it could be found again. */
export type Uploads = {
  of(key: string): Promise<string | undefined>;
  /** On disk when it resolves. */
  add(key: string, fileId: string): Promise<void>;
};

const Kept = z.array(z.tuple([z.string(), z.string()]));
const name = "uploads";
const keptCount = 20;

export function openUploads(base: Pick<ChannelBase, "remember" | "recall">): Uploads {
  let adding = Promise.resolve();
  return {
    of: async (key) => (await read()).findLast(([kept]) => kept === key)?.[1],
    add(key, fileId) {
      const added = adding.then(async () => {
        const kept = [...(await read()), [key, fileId] as const];
        await base.remember(name, JSON.stringify(kept.slice(-keptCount)));
      });
      // whoever added it is told of a failure; the next one begins anew
      adding = added.catch(() => undefined);
      return added;
    },
  };

  async function read(): Promise<z.infer<typeof Kept>> {
    const text = await base.recall(name);
    return text ? Kept.parse(JSON.parse(text)) : [];
  }
}
