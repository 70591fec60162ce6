// What every protocol is served from: the same methods to call, the same log to follow, for whoever has been let in.

import type { RoomMethods } from "../contract/room/room-methods.ts";
import type { Caller } from "../contract/wire/caller.ts";
import type { Followed, GatewayClient } from "../contract/wire/client.ts";
import type { MethodInput, MethodName, MethodResult } from "../contract/wire/method.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { callMethod } from "./call-method.ts";
import { followLog, type Selection, type Sink, unboundedSink, wholeLog } from "./follow/follow-log.ts";
import type { LiveBus } from "./live-bus.ts";

export type Gateway = {
  /** What can be called right now. */
  methods(): RoomMethods;
  call(caller: Caller, method: string, params: unknown): Promise<unknown>;
  /** Tells what the caller's scope may see, and nothing else. */
  follow(caller: Caller, since: number, sink: Sink, selection?: Selection): () => void;
};

export type GatewayDeps = {
  methods(): RoomMethods;
  log: EventLog;
  live: LiveBus;
  /** Somebody watches now, and will probably speak. */
  onFollow(): void;
  onTrouble(message: string, cause: unknown): void;
};

export function openGateway(deps: GatewayDeps): Gateway {
  const everything = wholeLog(deps.log);
  return {
    methods: deps.methods,
    call: (caller, method, params) => callMethod(deps.methods(), caller, method, params),
    follow(caller, since, sink, selection = everything) {
      deps.onFollow();
      return followLog(deps, { since, selection: visibleTo(caller, selection) }, sink);
    },
  };
}

function visibleTo(caller: Caller, selection: Selection): Selection {
  if (caller.scope === "owner" || caller.scope === "read") return selection;
  return {
    async read(afterSeq, limit) {
      const { events, throughSeq } = await selection.read(afterSeq, limit);
      return { events: events.filter((event) => isVisible(caller, event)), throughSeq };
    },
    includes: (followed) => isVisible(caller, followed) && selection.includes(followed),
  };
}

function isVisible(caller: Caller, followed: Followed): boolean {
  if (caller.scope === "approve") return followed.type === "approval.asked" || followed.type === "approval.answered";
  return caller.scope === "task" && followed.conversation === caller.conversation;
}

/** The gateway as a client inside the same process sees it. */
export function inProcessClient(
  gateway: Gateway,
  caller: Caller,
  closed: Promise<void>,
  close: () => Promise<void>,
): GatewayClient {
  return {
    call: async <Name extends MethodName>(name: Name, params: MethodInput<Name>) =>
      (await gateway.call(caller, name, params)) as MethodResult<Name>,
    follow: (since, listener) => gateway.follow(caller, since, unboundedSink(listener)),
    closed,
    close,
  };
}
