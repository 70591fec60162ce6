// Keeps the units of conversations true to the log: what was said comes in, what was taken back goes, in the log's order.
import type { Index, UnitToAdd } from "../index/open-index.ts";
import type { ConversationChange, NextConversations, NextWish } from "../sources/conversations.ts";
import type { KeptPlace } from "../thread/thread-messages.ts";
import {
  addToSource,
  type Changes,
  changeIndex,
  removeEmpty,
  removeMessages,
  removeSource,
  stampsOf,
} from "./sources-table.ts";
import type { VectorKeeper } from "./vector-keeper.ts";

export type ConversationSync = {
  /** A piece of the log at a time; false: nothing is left to do. */
  next(): Promise<boolean>;
};

const cursor = "conversations";
const settledFact = "groups settled";

export function openConversationSync(
  index: Index,
  keeper: VectorKeeper,
  { group, conversations }: Pick<KeptPlace, "group" | "conversations">,
  nextConversations: (wish: NextWish) => Promise<NextConversations | undefined>,
): ConversationSync {
  const { file } = index;
  return {
    async next() {
      const after = Number(file.readFact(cursor) ?? 0);
      if (!conversations) {
        if (after > 0) changeIndex(index, (changes) => begin(changes));
        return false;
      }
      const settled = after === 0 ? undefined : Number(file.readFact(settledFact) ?? 0);
      const next = await nextConversations({ after, settled, group });
      if (!next) return false;
      const prepared: { change: ConversationChange; units: readonly UnitToAdd[] }[] = [];
      for (const change of next.changes.filter(isOurs))
        prepared.push({ change, units: change.kind === "add" ? await keeper.withRows(change.units) : [] });
      changeIndex(index, (changes) => {
        for (const { change, units } of prepared) apply(changes, change, units);
        file.writeFact(cursor, String(next.through));
        file.writeFact(settledFact, String(next.settled));
      });
      return true;
    },
  };

  /** What others have said does not even come near the index. */
  function isOurs(change: ConversationChange): boolean {
    return change.kind !== "add" || change.group === group;
  }

  function apply(changes: Changes, change: ConversationChange, units: readonly UnitToAdd[]): void {
    const { kind } = change;
    if (kind === "anew") begin(changes);
    else if (kind === "add")
      addToSource(
        index,
        changes,
        { kind: "conversation", name: change.conversation, stamp: "", day: change.day },
        units,
      );
    else if (kind === "remove") {
      const which = "units.from_place >= ? AND units.from_place < ?";
      removeMessages(index, changes, change.conversation, which, change.fromSeq, change.toSeq);
      // of a conversation that is gone its key and days go, too
      if (change.fromSeq === 0) removeEmpty(index, change.conversation);
    } else {
      const which = "units.from_place IN (SELECT value FROM json_each(?))";
      removeMessages(index, changes, change.conversation, which, JSON.stringify(change.seqs));
    }
  }

  function begin(changes: Changes): void {
    for (const name of stampsOf(index, "conversation").keys()) removeSource(index, changes, "conversation", name);
    file.writeFact(cursor, "0");
  }
}
