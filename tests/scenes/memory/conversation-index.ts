// What an index would hold that takes in all that conversations tell it, over a real store.
import type { NewEvent } from "../../../src/contract/event.ts";
import { type ConversationChange, openConversations } from "../../../src/memory/sources/conversations.ts";
import { findGroup, listGroups } from "../../../src/store/channels/find-group.ts";
import { conversation, messageReceived, storeIn } from "../stores.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export type Held = {
  whose: string;
  conversation: string;
  day: string;
  speaker: string;
  seq: number;
  text: string;
  labels: readonly string[];
};

export function saidMessage(text: string, more: object = {}): NewEvent {
  return { ...messageReceived(text), ...more } as NewEvent;
}

export function writtenReply(text: string, more: object = {}): NewEvent {
  return { type: "reply.written", conversation, channel: "terminal", text, attachments: [], ...more } as NewEvent;
}

export async function indexOver(options: { atMs?: number; timeZone?: string } = {}) {
  let nowMs = options.atMs ?? Date.parse("2026-11-15T12:00:00Z");
  const store = await storeIn(await temporaryFolder(), { nowMs: () => nowMs });
  const deps = {
    ...{ database: store.database, log: store.log, agentName: "Steward", timeZone: options.timeZone ?? "UTC" },
    groupOf: async (key: string) => (await findGroup(store.database, key))?.name,
  };
  let source = openConversations(deps);
  // each index has come as far as it was asked
  const indexes = new Map<string | undefined, { all: readonly Held[]; through: number; settled: number | undefined }>();
  let timesAnew = 0;
  return {
    add: (...events: NewEvent[]) => store.log.append(events),
    at: (atMs: number) => {
      nowMs = atMs;
    },
    /** Another process goes on with the same index. */
    reopen: () => {
      source = openConversations(deps);
    },
    timesAnew: () => timesAnew,
    subscribe: (onNews: () => void) => source.subscribe(onNews),
    held,
    texts: async (whose = "owner") => (await held()).filter((each) => each.whose === whose).map(({ text }) => text),
  };

  async function held(): Promise<readonly Held[]> {
    const groups = [...(await listGroups(store.database)), ...(await listGroups(store.database, true))];
    const keys = new Set((await store.log.since(0, 10_000)).map((event) => event.conversation));
    const placed = await Promise.all([...keys].map(deps.groupOf));
    const names = new Set([undefined, "removed", ...groups.map(({ name }) => name), ...placed]);
    return (await Promise.all([...names].map(heldOf))).flat();
  }

  async function heldOf(group: string | undefined): Promise<readonly Held[]> {
    const index = indexes.get(group) ?? { all: [], through: 0, settled: undefined };
    indexes.set(group, index);
    const ask = () => source.next({ after: index.through, settled: index.settled, group });
    for (let next = await ask(); next; next = await ask()) {
      ({ through: index.through, settled: index.settled } = next);
      if (group === undefined) timesAnew += next.changes.filter(({ kind }) => kind === "anew").length;
      index.all = next.changes.reduce(withChange, index.all);
    }
    return index.all;
  }
}

function withChange(all: readonly Held[], change: ConversationChange): readonly Held[] {
  switch (change.kind) {
    case "anew":
      return [];
    case "drop":
      return all.filter((each) => each.conversation !== change.conversation || !change.seqs.includes(each.seq));
    case "remove":
      return all.filter(
        (each) => each.conversation !== change.conversation || each.seq < change.fromSeq || each.seq > change.toSeq,
      );
    case "add": {
      const { group: whose = "owner", conversation: key, units } = change;
      const added = units.map(({ text, speaker, labels, day, from }) => ({ text, speaker, labels, day, seq: from }));
      return [...all, ...added.map((each) => ({ whose, conversation: key, ...each }))];
    }
    default:
      return change satisfies never;
  }
}
