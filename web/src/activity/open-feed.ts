// The events that fit a filter, newest first: older ones page by page, new ones as they happen.

import type { Event } from "../../../src/contract/event.ts";
import type { Followed } from "../../../src/contract/wire/client.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import { failureWords, load } from "../settings/loading.ts";
import { type ActivityFilter, isShown, matches } from "./activity-filter.ts";
import { type EventFacts, openEventFacts } from "./describe/event-facts.ts";
import { typesFor } from "./describe/event-kinds.ts";

export type FeedDeps = {
  link: Pick<GatewayLink, "call" | "follow">;
  /** While the reader is further down, what is new waits, so that nothing moves under their eyes. */
  isAtTop(): boolean;
  changed(): void;
};

type FeedState = {
  /** Newest first. */
  events: readonly Event[];
  /** New ones that are not shown yet. */
  waiting: readonly Event[];
  state: "loading" | "ready" | "failed";
  problem: string;
  more: boolean;
  /** Where the next page begins. */
  nextSeq: number | undefined;
  /** Those whose names were looked for. */
  soughtTasks: ReadonlySet<string | undefined>;
  closed: boolean;
};

export type Feed = Readonly<FeedState> & {
  facts: EventFacts;
  loadMore(): Promise<void>;
  showWaiting(): void;
  close(): void;
};

const pageSize = 100;
const enoughForOneLook = 30;
const mostPagesAtOnce = 5;
const mostTasks = 1000;

const atFirst: FeedState = {
  events: [],
  waiting: [],
  state: "ready",
  problem: "",
  more: true,
  nextSeq: undefined,
  soughtTasks: new Set(),
  closed: false,
};

export function openFeed(deps: FeedDeps, filter: ActivityFilter): Feed {
  const facts = openEventFacts();
  const own = { ...atFirst };
  const unfollow = deps.link.follow((followed) => {
    if (!isEvent(followed)) return;
    facts.learn(followed);
    take(own, filter, followed, deps.isAtTop());
    deps.changed();
    void nameTasks(deps, own, facts);
  });
  return Object.assign(own, {
    facts,
    async loadMore() {
      if (own.state === "loading" || !own.more) return;
      own.state = "loading";
      deps.changed();
      try {
        await fetchEnough(deps, filter, own, facts);
        await nameTasks(deps, own, facts);
        own.state = "ready";
      } catch (error) {
        own.state = "failed";
        own.problem = failureWords(error);
      }
      if (!own.closed) deps.changed();
    },
    showWaiting() {
      own.events = merge(own.waiting, own.events);
      own.waiting = [];
      deps.changed();
    },
    close() {
      own.closed = true;
      unfollow();
    },
  });
}

function take(own: FeedState, filter: ActivityFilter, event: Event, isAtTop: boolean): void {
  if (event.type === "conversation.deleted") forget(own, event.conversation);
  if (!matches(filter, event)) return;
  if (isAtTop) own.events = merge([event], own.events);
  else own.waiting = merge([event], own.waiting);
}

async function fetchEnough(deps: FeedDeps, filter: ActivityFilter, own: FeedState, facts: EventFacts): Promise<void> {
  const types = typesFor(filter.kinds, filter.smallSteps);
  let gained = 0;
  for (let page = 0; page < mostPagesAtOnce && own.more && gained < enoughForOneLook && !own.closed; page++) {
    const { events, more, nextBeforeSeq } = await deps.link.call("audit.list", {
      limit: pageSize,
      ...(own.nextSeq !== undefined && { beforeSeq: own.nextSeq }),
      ...(types && { types }),
      ...(filter.sessionKey !== undefined && { sessionKey: filter.sessionKey }),
      ...(filter.text !== "" && { text: filter.text }),
    });
    for (const event of events) facts.learn(event);
    const shown = events.filter((event) => isShown(filter, event));
    own.events = merge(own.events, shown);
    own.nextSeq = nextBeforeSeq ?? events.at(-1)?.seq ?? own.nextSeq;
    // a page may be empty because what is looked for is rare: the next one begins further back
    own.more = more && (events.length > 0 || nextBeforeSeq !== undefined);
    gained += shown.length;
  }
}

// an event that pauses a task does not say what it is called; without the list it is told without a name
async function nameTasks(deps: FeedDeps, own: FeedState, facts: EventFacts): Promise<void> {
  const nameless = [...own.events, ...own.waiting]
    .map(taskIn)
    .filter((id) => id !== undefined && !facts.titleOfTask(id));
  // one that is in no list any more is not asked for again and again
  if (own.closed || nameless.every((id) => own.soughtTasks.has(id))) return;
  own.soughtTasks = new Set(nameless);
  const list = await load(() => deps.link.call("tasks.list", { ended: true, limit: mostTasks }));
  if (list.state === "failed") return;
  facts.learnTitles(list.value.tasks);
  deps.changed();
}

function taskIn(event: Event): string | undefined {
  return "task" in event && typeof event.task === "string" ? event.task : undefined;
}

function isEvent(followed: Followed): followed is Event {
  return "seq" in followed;
}

// what was fetched may also have been followed: every number once
function merge(some: readonly Event[], others: readonly Event[]): Event[] {
  const bySeq = new Map([...some, ...others].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((one, other) => other.seq - one.seq);
}

function forget(own: FeedState, conversation: string): void {
  own.events = own.events.filter((event) => event.conversation !== conversation);
  own.waiting = own.waiting.filter((event) => event.conversation !== conversation);
}
