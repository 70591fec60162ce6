// All runs of a planned task: what happens in its conversation, and what its reminders say elsewhere.
import { taskConversation } from "../../../contract/task/task.ts";
import { plannedPage } from "../../../store/tables/task-queries.ts";
import type { Selection } from "../../follow/follow-log.ts";
import type { RestDeps } from "../rest-deps.ts";

export function plannedSelection(deps: Pick<RestDeps, "log" | "database">, task: string): Selection {
  const conversation = taskConversation(task);
  return {
    async read(afterSeq, limit) {
      // noted before reading: what is written meanwhile is left to the next look
      const lastSeq = deps.log.lastSeq();
      const events = await plannedPage(deps.database, task, { afterSeq, limit });
      return { events, throughSeq: events.at(-1)?.seq ?? lastSeq };
    },
    includes(followed) {
      if (!("seq" in followed)) return false;
      const isSaid = followed.type === "reply.written" && followed.task?.id === task && followed.task.run !== undefined;
      return isSaid || followed.conversation === conversation;
    },
  };
}
