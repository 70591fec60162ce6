import { z } from "zod";
import type { Caller } from "../../../contract/caller.ts";
import type { Followed } from "../../../contract/client.ts";
import { Event } from "../../../contract/event.ts";
import { LiveSignal } from "../../../contract/live-signal.ts";
import { defineRoute, type Route, refuse } from "../../../contract/room/route.ts";
import type { RestDeps } from "../rest-deps.ts";
import { LastEventIdQuery, lastEventIdHeader } from "../tasks/task-events-route.ts";
import { type ToldSource, tellPaced } from "../told-source.ts";
import { type EventStream, type EventStreams, eventFrame, onceForAll } from "./event-streams.ts";
import { readLastEventId } from "./last-event-id.ts";

// few at a time: what a slow reader has not taken yet is held in memory
const pageSize = 20;

export function logEventsRoute(deps: RestDeps, streams: EventStreams): Route {
  const frameOf = onceForAll(toFrame);
  return defineRoute({
    method: "GET",
    path: "/api/events",
    summary: "Everything that happens in the house, from now on or from Last-Event-ID on (0: from the very beginning).",
    scopes: ["read"],
    query: LastEventIdQuery,
    responses: {
      200: {
        description: "Server-sent events: `log` with an id, and `live` without one for what nobody keeps.",
        schema: z.union([Event, LiveSignal]),
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
          tellLog(deps, { stream, caller, since, frameOf }).catch((cause) => {
            deps.onTrouble("Somebody who follows the log could not be told more.", cause);
            stream.end();
          });
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

type Telling = { stream: EventStream; caller: Caller; since: number; frameOf(followed: Followed): Uint8Array };

async function tellLog(deps: RestDeps, { stream, caller, since, frameOf }: Telling): Promise<void> {
  let seen = since;
  // whoever is cut off before the first event comes back to this very place
  stream.write(`id: ${since}\n\n`);
  const source: ToldSource = {
    async past() {
      const page = seen < deps.log.lastSeq() ? await deps.log.since(seen, pageSize) : [];
      seen = page.at(-1)?.seq ?? seen;
      return page;
    },
    present: (listener) =>
      deps.gateway.follow(caller, seen, (followed) => {
        if ("seq" in followed) seen = followed.seq;
        listener(followed);
      }),
  };
  await tellPaced(stream, source, (followed) => stream.write(frameOf(followed)));
}
