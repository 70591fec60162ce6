import type { Caller } from "../../../contract/caller.ts";
import type { Followed } from "../../../contract/client.ts";
import type { Selection } from "../../follow/follow-log.ts";
import type { Gateway } from "../../gateway.ts";
import type { EventStream } from "./event-streams.ts";

/** Tells a stream what happens until either side ends it. */
export function followInto(
  deps: { gateway: Pick<Gateway, "follow"> },
  stream: EventStream,
  what: { caller: Caller; since: number; selection?: Selection; write(followed: Followed): void },
): void {
  const { write } = what;
  stream.onClose(deps.gateway.follow(what.caller, what.since, { ...stream, write, close: stream.end }, what.selection));
}
