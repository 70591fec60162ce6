import { z } from "zod";
import { LoggedEvent } from "../../../contract/event.ts";
import { defineRoute, type Route, refuse } from "../../../contract/room/route.ts";
import type { Followed } from "../../../contract/wire/client.ts";
import { LiveSignal } from "../../../contract/wire/live-signal.ts";
import { onceForAll } from "../../follow/once-for-all.ts";
import type { RestDeps } from "../rest-deps.ts";
import { type EventStreams, eventFrame, followInto } from "./event-streams.ts";
import { LastEventIdQuery, lastEventIdHeader, readLastEventId } from "./last-event-id.ts";

export function logEventsRoute(deps: RestDeps, streams: EventStreams): Route {
  const frameOf = onceForAll(toFrame);
  return defineRoute({
    method: "GET",
    path: "/api/events",
    summary: "Everything that happens in Steward, from now on or from Last-Event-ID on (0: from the very beginning).",
    scopes: ["read"],
    query: LastEventIdQuery,
    responses: {
      200: {
        description: "Server-sent events: `log` with an id, and `live` without one for what nobody keeps.",
        schema: z.union([LoggedEvent, LiveSignal]),
        contentType: "text/event-stream",
      },
    },
    refusals: [400, 401, 403, 409],
    documented: { requestHeaders: [lastEventIdHeader] },
    async answer({ caller, query, headers }) {
      const lastSeq = deps.log.lastSeq();
      const since = readLastEventId(headers, query.lastEventId)?.seq ?? lastSeq;
      if (since > lastSeq)
        return refuse(409, "conflict", `The newest event is ${lastSeq}; ${since} has not happened yet.`);
      return {
        stream(response) {
          const stream = streams.open(response, caller);
          // whoever is cut off before the first event comes back to this very place
          stream.send(`id: ${since}\n\n`);
          followInto(deps, stream, { caller, since, write: (followed) => stream.send(frameOf(followed)) });
        },
      };
    },
  });
}

function toFrame(followed: Followed): Uint8Array {
  const frame =
    "seq" in followed
      ? eventFrame({ event: "log", id: String(followed.seq), data: followed })
      : eventFrame({ event: "live", data: followed });
  return Buffer.from(frame);
}
