// One task of the log: what is past is read by index, what is new is recognised as it comes.
import type { Event } from "../../../contract/event.ts";
import type { Followed } from "../../../contract/wire/client.ts";
import { findTaking, findWithdrawal, type TaskMessage, turnPage } from "../../../store/tables/task-queries.ts";
import type { Selection } from "../../follow/follow-log.ts";
import type { RestDeps } from "../rest-deps.ts";

/** The message, every event of the turn that took it from then on, and that turn's live signals; or that it was taken back. */
export function taskSelection(deps: RestDeps, message: TaskMessage): Selection {
  let turn: string | undefined;
  // what the turn did before it took the message belongs to others
  let beforeTaking = 0;
  return {
    async read(afterSeq) {
      if (afterSeq < message.seq) return { events: [message], throughSeq: message.seq };
      // noted before reading: what is written meanwhile is left to the next look
      const lastSeq = deps.log.lastSeq();
      turn ??= await findTurn();
      const events =
        turn === undefined
          ? await withdrawn(afterSeq)
          : await turnPage(deps.database, turn, Math.max(afterSeq, beforeTaking));
      return { events, throughSeq: events.at(-1)?.seq ?? lastSeq };
    },
    includes(followed) {
      if (followed.conversation !== message.conversation) return false;
      if (!("seq" in followed)) return followed.turn === turn;
      if (turn === undefined && takes(followed)) turn = followed.turn;
      const isOwn = turn !== undefined && "turn" in followed && followed.turn === turn;
      const isWithdrawn = followed.type === "message.withdrawn" && followed.message === message.seq;
      return isOwn || isWithdrawn || followed.type === "conversation.deleted";
    },
  };

  async function findTurn(): Promise<string | undefined> {
    const taking = await findTaking(deps.database, message);
    beforeTaking = (taking?.seq ?? 1) - 1;
    return taking?.turn;
  }

  async function withdrawn(afterSeq: number): Promise<readonly Event[]> {
    const withdrawal = await findWithdrawal(deps.database, message);
    return withdrawal && withdrawal.seq > afterSeq ? [withdrawal] : [];
  }

  function takes(followed: Followed): followed is Extract<Followed, { messages: number[] }> {
    return (
      (followed.type === "turn.started" || followed.type === "turn.steered") && followed.messages.includes(message.seq)
    );
  }
}
