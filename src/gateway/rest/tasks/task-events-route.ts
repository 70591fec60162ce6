import type { Event } from "../../../contract/event.ts";
import { defineRoute, type Route } from "../../../contract/room/route.ts";
import type { Followed } from "../../../contract/wire/client.ts";
import { isLast, TaskEvent, taskEventsOf } from "../../../contract/wire/task-event.ts";
import type { TaskMessage } from "../../../store/tables/task-queries.ts";
import { onceForAll } from "../../follow/once-for-all.ts";
import { type EventStream, type EventStreams, eventFrame, followInto } from "../events/event-streams.ts";
import {
  formatEventId,
  isAfter,
  LastEventIdQuery,
  lastEventIdHeader,
  type Position,
  readLastEventId,
} from "../events/last-event-id.ts";
import type { RestDeps } from "../rest-deps.ts";
import { answerPlanned } from "./planned-events.ts";
import { findPlanned } from "./planned-task.ts";
import { requireTaskMessage, TaskId, taskEndSeq } from "./task.ts";
import { taskSelection } from "./task-selection.ts";

const theBeginning: Position = { seq: 0, view: 0 };

export function taskEventsRoute(deps: RestDeps, streams: EventStreams): Route {
  const framesOf = onceForAll(toFrames);
  return defineRoute({
    method: "GET",
    path: "/api/tasks/:id/events",
    summary:
      "What happens in a task, from its beginning or from Last-Event-ID on; ends with completed or error. Of a planned one, what happens in all its runs; ends when the task has ended and its last run is over.",
    scopes: ["read", "task"],
    params: TaskId,
    query: LastEventIdQuery,
    responses: {
      200: {
        description: "Server-sent events; the data of each.",
        schema: TaskEvent,
        contentType: "text/event-stream",
      },
      204: { description: "The task is over and its last event was received already." },
    },
    refusals: [400, 401, 403, 404],
    documented: { requestHeaders: [lastEventIdHeader] },
    async answer({ caller, path, query, headers }) {
      const after = readLastEventId(headers, query.lastEventId) ?? theBeginning;
      const planned = await findPlanned(deps, caller, path.id);
      if (planned) return answerPlanned(deps, streams, { caller, task: planned.id, after });
      const message = await requireTaskMessage(deps.database, caller, path.id);
      if (await hasHeardTheEnd(deps, message, after)) return { status: 204 };
      return {
        stream(response) {
          const stream = streams.open(response, caller);
          // an event of which only some views were told is read once more
          const since = Math.max(0, after.seq - 1);
          const write = taskWriter(stream, after, framesOf);
          followInto(deps, stream, { caller, since, selection: taskSelection(deps, message), write });
        },
      };
    },
  });
}

// without a name of its own each event reaches a browser's onmessage; one named "error" would look like a lost connection
function toFrames(event: Event) {
  return taskEventsOf(event).map((view, index) => {
    const position = { seq: event.seq, view: index };
    return { position, text: eventFrame({ id: formatEventId(position), data: view }), last: isLast(view) };
  });
}

// a browser reconnects after every end but this one
async function hasHeardTheEnd(deps: RestDeps, message: TaskMessage, after: Position): Promise<boolean> {
  if (after.seq < message.seq) return false;
  const endedSeq = await taskEndSeq(deps.database, message);
  return endedSeq !== undefined && after.seq >= endedSeq;
}

function taskWriter(stream: EventStream, after: Position, framesOf: typeof toFrames): (followed: Followed) => void {
  let position = after;
  return (followed) => {
    if (!("seq" in followed)) return;
    for (const frame of framesOf(followed)) {
      if (!isAfter(frame.position, position)) continue;
      position = frame.position;
      stream.send(frame.text);
      if (frame.last) stream.end();
    }
  };
}
