// The stream of a planned task: every run one after the other, and an end only when nothing can come any more.
import type { Event } from "../../../contract/event.ts";
import type { RouteAnswer } from "../../../contract/room/route.ts";
import type { Caller } from "../../../contract/wire/caller.ts";
import type { Followed } from "../../../contract/wire/client.ts";
import { type TaskEvent, taskEventsOf } from "../../../contract/wire/task-event.ts";
import { plannedEndSeq } from "../../../store/tables/task-queries.ts";
import { type EventStream, type EventStreams, eventFrame, followInto } from "../events/event-streams.ts";
import { formatEventId, isAfter, type Position } from "../events/last-event-id.ts";
import type { RestDeps } from "../rest-deps.ts";
import { plannedSelection } from "./planned-selection.ts";

type Reader = { caller: Caller; task: string; after: Position };

export async function answerPlanned(deps: RestDeps, streams: EventStreams, reader: Reader): Promise<RouteAnswer> {
  const { caller, task, after } = reader;
  const endSeq = await plannedEndSeq(deps.database, task);
  if (endSeq !== undefined && after.seq >= endSeq) return { status: 204 };
  return {
    stream(response) {
      const stream = streams.open(response, caller);
      // an event of which only some views were told is read once more
      const since = Math.max(0, after.seq - 1);
      const write = plannedWriter(deps, stream, reader);
      followInto(deps, stream, { caller, since, selection: plannedSelection(deps, task), write });
    },
  };
}

function plannedWriter(deps: RestDeps, stream: EventStream, { task, after }: Reader): (followed: Followed) => void {
  let position = after;
  return (followed) => {
    if (!("seq" in followed)) return;
    for (const [view, data] of viewsOf(followed).entries()) {
      const next = { seq: followed.seq, view };
      if (!isAfter(next, position)) continue;
      position = next;
      stream.send(eventFrame({ id: formatEventId(next), data }));
    }
    if (mayBeTheEnd(followed)) void endIfOver();
  };

  /** Asked of the tables, since whoever comes back in the middle has not heard what began before. */
  async function endIfOver(): Promise<void> {
    try {
      const endSeq = await plannedEndSeq(deps.database, task);
      if (endSeq !== undefined && position.seq >= endSeq) stream.end();
    } catch (cause) {
      deps.onTrouble("Whether a task is over could not be read.", cause);
      stream.end();
    }
  }
}

/** A reminder's words are its whole run. */
function viewsOf(event: Event): readonly TaskEvent[] {
  const isSaid = event.type === "reply.written" && event.task?.run !== undefined;
  return isSaid ? [...taskEventsOf(event), { type: "completed" }] : taskEventsOf(event);
}

const endings: readonly string[] = ["task.ended", "turn.finished", "message.withdrawn", "conversation.deleted"];

function mayBeTheEnd({ type }: Event): boolean {
  return endings.includes(type);
}
