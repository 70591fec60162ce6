// The port to whatever keeps jobs: due now or later, one at a time in a lane, taken by any number of workers. Nothing in the memory of
// one process decides: a worker that goes away is succeeded by another when its lease has run out.

export type Job = { id: string; lane: string; dueAtMs: number; payload: unknown };
export type NewJob = Pick<Job, "id" | "lane" | "payload">;
export type JobState = "waiting" | "claimed" | "done" | "cancelled";
export type ListedJob = Job & { state: JobState };

/** `fence` grows with every claim of the job; whoever holds an older one may change nothing any more. */
export type Claim = { job: Job; fence: number; worker: string };

/** "held": go on, the lease is renewed. "cancelled": stop and finish. "lost": somebody else has it; write nothing. */
export type Standing = "held" | "cancelled" | "lost";
export type Outcome = { kind: "done" } | { kind: "again"; atMs: number };

export type Engine = {
  /** Starting twice is starting once: false when this id is known already, also when it is over. */
  start(job: NewJob): Promise<boolean>;
  /** The same, due later. Of a job that waits, the time is changed and nothing else; false when it is under way or over. */
  delay(job: NewJob, untilMs: number): Promise<boolean>;
  /** One that waits is gone for good; one under way is told so by its next heartbeat. False: none such, or over. */
  cancel(id: string): Promise<boolean>;
  /** Waits until a job is due, one at a time in a lane, and takes it; undefined when the signal aborts or the engine closes. */
  claim(worker: string, options: { leaseMs: number; signal: AbortSignal }): Promise<Claim | undefined>;
  heartbeat(claim: Claim): Promise<Standing>;
  /** False: the claim was lost, and nothing has changed. A job that was cancelled meanwhile is over, whatever the outcome. */
  finish(claim: Claim, outcome: Outcome): Promise<boolean>;
  /** Those due first come first. */
  list(filter: { lane?: string; state?: JobState; limit: number }): Promise<readonly ListedJob[]>;
  close(): Promise<void>;
};
