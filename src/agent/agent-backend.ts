import type { Queryable } from "../store/database/database.ts";

/** A turn is run in segments: each one goes on until the turn is over or must wait, and then ends. */
export type SegmentEnd = "finished" | "waiting" | "interrupted";

export type Segment = {
  turn: string;
  conversation: string;
  channel: string;
  /** Aborted with reason "stop" by a person, or with "shutdown" when the process ends and a later one shall go on. */
  signal: AbortSignal;
  /** Messages that arrived meanwhile and may join the turn now; the queue says which. */
  takeSteering(db: Queryable): Promise<readonly number[]>;
};

/** Whoever can run a turn from its events; Steward's own loop is the default one. */
export type AgentBackend = {
  name: string;
  runSegment(segment: Segment): Promise<SegmentEnd>;
};
