import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pause, steadyMs } from "./figures.ts";

/** One event: when it says it happened, and when it reached the first and the last follower. */
export type Arrival = { seq: number; saidMs: number; firstMs: number; lastMs: number; count: number };
/** What is live and not of the log has the number 0. */
export type RecordedFrame = { atMs: number; seq: number; text: string };
export type FollowerRequest = "arrivals" | "recorded";

const patienceMs = 30_000;

/** The followers of bench/measure/follower-process.ts, in a process of their own. */
export type Followers = Disposable & {
  /** Of the events after the first number through the last one, when each of them has reached everybody once. */
  arrivalsAfter(seq: number, lastSeq: number): Promise<readonly Arrival[]>;
  /** Everything that the first follower was sent. */
  recorded(): Promise<readonly RecordedFrame[]>;
};

/** `since`: the number of the last event that need not be told. */
export type Followed = { port: number; token: string; kind: "events" | "socket"; count: number; since: number };

export async function startFollowers(followed: Followed): Promise<Followers> {
  const script = fileURLToPath(new URL("./follower-process.ts", import.meta.url));
  const { port, token, kind, count, since } = followed;
  const options = Object.entries({ port, token, kind, count, since }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ]);
  const child = fork(script, options);
  await answerOf<"ready">(child);
  return {
    async arrivalsAfter(seq, lastSeq) {
      const deadlineMs = steadyMs() + patienceMs;
      for (;;) {
        child.send("arrivals" satisfies FollowerRequest);
        const arrivals = (await answerOf<Arrival[]>(child)).filter(
          (arrival) => arrival.seq > seq && arrival.seq <= lastSeq,
        );
        const missing = arrivals.filter((arrival) => arrival.count !== count);
        if (arrivals.length === lastSeq - seq && missing.length === 0) return arrivals;
        if (steadyMs() > deadlineMs) throw new Error(lateWords(arrivals, lastSeq - seq, missing));
        await pause(50);
      }
    },
    async recorded() {
      child.send("recorded" satisfies FollowerRequest);
      return answerOf<RecordedFrame[]>(child);
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}

function lateWords(arrivals: readonly Arrival[], expected: number, missing: readonly Arrival[]): string {
  const [first] = missing;
  const example = first ? `; event ${first.seq} reached ${first.count}` : "";
  return `Of ${expected} events ${arrivals.length} came to anybody, and ${missing.length} not to everybody once${example}.`;
}

/** The next thing a child process of ours says; it speaks only when it is asked, or when it is ready. */
export async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  if (child.exitCode !== null) throw new Error("a process of the bench has ended");
  const ended = new AbortController();
  const onExit = () => ended.abort(new Error("a process of the bench ended early"));
  child.once("exit", onExit);
  const [answer] = await once(child, "message", { signal: ended.signal });
  child.off("exit", onExit);
  return answer;
}
