// One task of the log, from any point: what is past is read by index, what is new comes from the gateway.
import type { Caller } from "../../../contract/caller.ts";
import type { Followed } from "../../../contract/client.ts";
import type { Queryable } from "../../../store/database/database.ts";
import type { EventLog } from "../../../store/log/event-log.ts";
import { findTaking, type TaskMessage, turnPage } from "../../../store/tables/task-queries.ts";
import type { Gateway } from "../../gateway.ts";
import type { ToldSource } from "../told-source.ts";

export type TaskSourceDeps = {
  gateway: Pick<Gateway, "follow">;
  database: Queryable;
  log: Pick<EventLog, "lastSeq">;
};

/** Every event of the task after `since`, once and in order; in the present also the live signals of its turn. */
export function openTaskSource(deps: TaskSourceDeps, caller: Caller, message: TaskMessage, since: number): ToldSource {
  let seen = since;
  let turn: string | undefined;
  let readUpTo = 0;
  return {
    async past() {
      // noted before reading: what is written meanwhile is left to the present
      readUpTo = deps.log.lastSeq();
      if (seen < message.seq) {
        seen = message.seq;
        return [message];
      }
      if (turn === undefined && !(await findTurn())) return [];
      const page = await turnPage(deps.database, turn ?? "", seen);
      seen = page.at(-1)?.seq ?? seen;
      return page;
    },
    present: (listener) =>
      deps.gateway.follow(caller, Math.max(seen, readUpTo), (followed) => {
        if (belongs(followed)) listener(followed);
      }),
  };

  async function findTurn(): Promise<boolean> {
    const taking = await findTaking(deps.database, message);
    turn = taking?.turn;
    // what the turn did before it took the message belongs to others
    seen = Math.max(seen, (taking?.seq ?? 0) - 1);
    return taking !== undefined;
  }

  function belongs(followed: Followed): boolean {
    if (followed.conversation !== message.conversation) return false;
    if (!("seq" in followed)) return followed.turn === turn;
    if (turn === undefined && (followed.type === "turn.started" || followed.type === "turn.steered"))
      turn = followed.messages.includes(message.seq) ? followed.turn : undefined;
    const own = turn !== undefined && "turn" in followed && followed.turn === turn;
    if (!own && followed.type !== "conversation.deleted") return false;
    seen = followed.seq;
    return true;
  }
}
