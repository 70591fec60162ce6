// What a client is told without asking: the log as it is, or the views of it that simple clients understand.
import type { Caller } from "../../contract/caller.ts";
import type { Followed } from "../../contract/client.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import type { Outlet } from "../follow/outlet.ts";
import { followAtPace } from "../follow-at-pace.ts";
import type { Gateway } from "../gateway.ts";
import { openPushViews, type SharedViews } from "./push-views.ts";
import type { PushedFrames } from "./pushed-frames.ts";

export type TellDeps = {
  gateway: Pick<Gateway, "follow">;
  log: Pick<EventLog, "lastSeq">;
  frames: PushedFrames;
  shared: SharedViews;
};

const maxWaitingViews = 500;

export function tellLog(deps: TellDeps, client: { caller: Caller; outlet: Outlet }, since: number): () => void {
  const { outlet } = client;
  const pace = { isFull: outlet.isFull, room: outlet.drained };
  return followAtPace({ follow: followAs(deps, client.caller), pace }, since, (followed) =>
    outlet.send(deps.frames.ofFollowed(followed)),
  );
}

/** From now on; what is under way is told from its beginning. */
export function tellViews(
  deps: TellDeps,
  client: { caller: Caller; outlet: Outlet },
  onTrouble: (cause: unknown) => void,
): () => void {
  const { outlet } = client;
  const views = openPushViews({
    shared: deps.shared,
    tell: (event) => outlet.send(deps.frames.ofPushEvent(event)),
    onTrouble,
  });
  const pace = {
    isFull: () => outlet.isFull() || views.waiting() > maxWaitingViews,
    async room() {
      await views.settled();
      await outlet.drained();
    },
  };
  return followAtPace({ follow: followAs(deps, client.caller), pace }, deps.log.lastSeq(), views.take);
}

function followAs(deps: TellDeps, caller: Caller) {
  return (since: number, listener: (followed: Followed) => void) => deps.gateway.follow(caller, since, listener);
}
