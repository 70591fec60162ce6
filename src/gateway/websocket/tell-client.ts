// What a client is told without asking: the log as it is, or the views of it that simple clients understand.
import type { Caller } from "../../contract/wire/caller.ts";
import type { Followed } from "../../contract/wire/client.ts";
import type { PushEvent } from "../../contract/wire/push-event.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import { onceForAll } from "../follow/once-for-all.ts";
import type { Outlet } from "../follow/outlet.ts";
import type { Gateway } from "../gateway.ts";
import { openPushViews, type SharedViews } from "./push-views.ts";

export function pushedFrames() {
  const toBytes = (frame: { event: string; data: unknown }) => Buffer.from(JSON.stringify(frame));
  const nameOf = (followed: Followed) => ("seq" in followed ? "log" : "live");
  return {
    ofFollowed: onceForAll((followed: Followed) => toBytes({ event: nameOf(followed), data: followed })),
    ofPushEvent: onceForAll((event: PushEvent) => toBytes(event)),
  };
}

export type TellDeps = {
  gateway: Pick<Gateway, "follow">;
  log: Pick<EventLog, "lastSeq">;
  frames: ReturnType<typeof pushedFrames>;
  shared: SharedViews;
  onTrouble(message: string, cause: unknown): void;
};

export type ToldClient = {
  caller: Caller;
  outlet: Outlet;
  /** Cuts off a client that has missed something it cannot know of. */
  breakOff(): void;
};

const maxWaitingViews = 500;

export function tellLog(deps: TellDeps, { caller, outlet, breakOff }: ToldClient, since: number): () => void {
  return deps.gateway.follow(caller, since, {
    ...outlet,
    write: (followed) => outlet.send(deps.frames.ofFollowed(followed)),
    close: breakOff,
  });
}

/** From now on; what is under way is told from its beginning. */
export function tellViews(deps: TellDeps, { caller, outlet, breakOff }: ToldClient): () => void {
  const views = openPushViews({
    shared: deps.shared,
    tell: (event) => outlet.send(deps.frames.ofPushEvent(event)),
    onTrouble(cause) {
      deps.onTrouble("A client could not be told what happened.", cause);
      breakOff();
    },
  });
  return deps.gateway.follow(caller, deps.log.lastSeq(), {
    write: views.take,
    isFull: () => outlet.isFull() || views.waiting() > maxWaitingViews,
    async drained() {
      await views.settled();
      await outlet.drained();
    },
    isClosed: outlet.isClosed,
    close: breakOff,
  });
}
