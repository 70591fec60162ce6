import type { EventOf } from "../event.ts";

/**
 * How a channel that does not follow the log hands a reply over: in pieces, each of them once. Before a piece goes out it is noted
 * on disk, and after it that the platform has it, so that after a crash only one piece is in doubt.
 */
export type ReplyOutlet = {
  /** In how many pieces; the same reply always has as many. At least one. */
  pieces(reply: EventOf<"reply.written">): Promise<number>;
  /** Throws a SendFailure, or anything else: then nobody knows whether it has arrived. */
  send(reply: EventOf<"reply.written">, piece: number, how: SendHow): Promise<SentPiece>;
  /** The piece, if the platform has it already. Undefined: it has not arrived. unknown: it may have. */
  find?(
    reply: EventOf<"reply.written">,
    piece: number,
    signal: AbortSignal,
  ): Promise<SentPiece | "unknown" | undefined>;
  /** The platform drops a second one: in doubt, it is simply sent again. */
  dropsRepeats: boolean;
};

/** mayRepeat: it may have arrived before, and says so. late: it waited for long, and says so. */
export type SendHow = { mayRepeat: boolean; late: boolean; signal: AbortSignal };
export type SentPiece = { ref: string };
