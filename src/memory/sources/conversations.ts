// What was said in conversations, as the index takes it: the log comes in, units and what is taken back go out, in its order.
import { setImmediate } from "node:timers/promises";
import { removedGroupName } from "../../contract/channel/group.ts";
import { channelOf } from "../../contract/conversation-key.ts";
import type { Event, EventOf } from "../../contract/event.ts";
import { isBackground } from "../../contract/task/task.ts";
import { openCalendar } from "../../contract/words/calendar.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import type { Database } from "../../store/database/database.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import { readLogAfter } from "../../store/log/read-log-after.ts";
import { indexedTypes, isSaid } from "../../store/search/message-index.ts";
import { splitLong } from "../units/split-long.ts";
import type { Unit } from "../units/unit.ts";
import { openConversationLabels } from "./conversation-labels.ts";
import { newInReplies } from "./told-by-memory.ts";

export type ConversationChange =
  /** One session: a day of a conversation, so that a long one is many in their order. It may come in several pieces. */
  | { kind: "add"; group: string | undefined; conversation: string; day: string; units: readonly Unit[] }
  | { kind: "remove"; conversation: string; fromSeq: number; toSeq: number }
  | { kind: "drop"; conversation: string; seqs: readonly number[] }
  /** Which conversations belong to a group is another than before: none of them is in the index any more, and all are read again. */
  | { kind: "anew" };

export type NextWish = {
  after: number;
  /** What was read so far belongs to the groups as they were by this number; as the piece before has said. */
  settled: number | undefined;
  /** Of which memory; undefined: the owner's own. */
  group: string | undefined;
};
/** Changes are in the order of the log. */
export type NextConversations = { changes: readonly ConversationChange[]; through: number; settled: number };

export type Conversations = {
  /** Undefined when there is nothing more. */
  next(wish: NextWish): Promise<NextConversations | undefined>;
  subscribe(onNews: () => void): () => void;
};

export type ConversationsDeps = {
  database: Database;
  log: Pick<EventLog, "subscribe">;
  /** The name of its group; undefined: the owner's own. */
  groupOf(conversation: string): Promise<string | undefined>;
  timeZone: string;
  agentName: string;
};

type Said = EventOf<"message.received" | "reply.written">;

const readTypes = [...indexedTypes, "group.registered", "group.removed"] as const;
// so few that nobody waits for what is read of them
const eventsAtOnce = 60;
// what is longer was pasted, and is found by its beginning
const mostCharacters = 8_000;

export function openConversations(deps: ConversationsDeps): Conversations {
  const { database, groupOf } = deps;
  const labels = openConversationLabels(database);
  const calendar = openCalendar(deps.timeZone);
  return {
    async next({ after, settled: known, group }) {
      const settled = after === 0 || known === undefined ? await lastSeq(database) : known;
      const read = await readLogAfter(database, after, readTypes, eventsAtOnce);
      if (!read) return undefined;
      const { events, through } = read;
      if (events.some((event) => isRegrouping(event) && event.seq > settled))
        return { changes: [{ kind: "anew" }], through: 0, settled };
      return { changes: await changesOf(events, group), through, settled };
    },
    subscribe: (onNews) =>
      deps.log.subscribe((events) => {
        if (events.some(({ type }) => readTypes.some((each) => each === type))) onNews();
      }),
  };

  async function changesOf(
    events: readonly Event[],
    group: string | undefined,
  ): Promise<readonly ConversationChange[]> {
    const changes: ConversationChange[] = [];
    const theirs = await conversationsOf(group, events);
    const texts = await textsOf(events.filter(({ conversation }) => theirs.has(conversation)));
    let sessions = new Map<string, Unit[]>();
    for (const event of events) {
      const removal = removalOf(event);
      const text = texts.get(event.seq);
      if (removal) {
        changes.push(removal);
        sessions = new Map();
      } else if (isSaid(event) && text) {
        await add(event, text);
        // whoever else waits for the program comes first
        await setImmediate();
      }
    }
    return changes;

    async function add(said: Said, text: string): Promise<void> {
      const { conversation } = said;
      const day = calendar(said.atMs);
      const key = `${conversation} ${day}`;
      let units = sessions.get(key);
      if (!units) {
        units = [];
        sessions.set(key, units);
        changes.push({ kind: "add", group, conversation, day, units });
      }
      units.push(...(await unitsOf(said, text, day)));
    }
  }

  /** Nothing else of what others say is even read. */
  async function conversationsOf(group: string | undefined, events: readonly Event[]): Promise<ReadonlySet<string>> {
    const theirs = new Set<string>();
    // it stands for all that are no more, and they shall not find what others have said
    if (group === removedGroupName) return theirs;
    for (const conversation of new Set(events.filter(isSaid).map((event) => event.conversation)))
      if ((await groupOf(conversation)) === group) theirs.add(conversation);
    return theirs;
  }

  /** What of each is to be remembered, by its number. */
  async function textsOf(events: readonly Event[]): Promise<ReadonlyMap<number, string>> {
    const said = events
      .filter(isSaid)
      .filter(isRemembered)
      .map((each) => ({ ...each, text: beginningOf(each) }));
    const replies = said.flatMap((each) => (each.type === "reply.written" ? [each] : []));
    const changed = await newInReplies(database, replies);
    return new Map(said.map(({ seq, text }) => [seq, changed.get(seq) ?? text]));
  }

  async function unitsOf(said: Said, text: string, day: string): Promise<readonly Unit[]> {
    const speaker = said.type === "reply.written" ? deps.agentName : nameOf(said.sender);
    const place = { from: said.seq, to: said.seq };
    return splitLong({ text, context: "", speaker, day, ...place, labels: await labels.of(said) });
  }
}

async function lastSeq(database: Database): Promise<number> {
  return Number((await database.query("SELECT COALESCE(MAX(seq), 0) AS seq FROM events"))[0]?.seq);
}

function beginningOf({ text }: Said): string {
  return text.slice(0, mostCharacters).toWellFormed().trim();
}

function isRegrouping({ type }: Event): boolean {
  return type === "group.registered" || type === "group.removed";
}

function removalOf(event: Event): ConversationChange | undefined {
  const { conversation, seq } = event;
  if (event.type === "conversation.deleted") return { kind: "remove", conversation, fromSeq: 0, toSeq: seq };
  if (event.type === "conversation.rewound")
    return { kind: "remove", conversation, fromSeq: event.fromSeq, toSeq: seq };
  return event.type === "messages.forgotten" ? { kind: "drop", conversation, seqs: event.seqs } : undefined;
}

/**
 * Not what runs of tasks think: what the owner is told of it comes in their own conversation. Nor what programs say, which often
 * bring all that was said before with every request; nor questions to the owner, and reminders, which say the same again and again.
 */
function isRemembered(said: Said): boolean {
  const { conversation } = said;
  if (isBackground(conversation) || programs.includes(channelOf(conversation))) return false;
  return said.type === "message.received" || (said.asks === undefined && !said.task?.ask && !said.task?.run);
}

const programs: readonly string[] = ["api", "hook"];

function nameOf({ kind, id, name }: EventOf<"message.received">["sender"]): string {
  // the owner speaks of themselves as I, whether their name is known or not
  return visibleLine(name ?? (kind === "owner" ? "" : id), 60);
}
