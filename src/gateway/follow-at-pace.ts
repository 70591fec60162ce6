import type { Followed } from "../contract/client.ts";

/** How fast the other side takes what it is told. */
export type Pace = { isFull(): boolean; room(): Promise<void> };

/** Nothing is kept for a client that reads slowly: it is left alone until it has read, and then told the rest from the log. */
export function followAtPace(
  deps: { follow(since: number, listener: (followed: Followed) => void): () => void; pace: Pace },
  since: number,
  tell: (followed: Followed) => void,
): () => void {
  let seen = since;
  let isStopped = false;
  let unfollow = start();
  return () => {
    isStopped = true;
    unfollow();
  };

  function start(): () => void {
    let isPaused = false;
    // the listener may be called before `follow` has returned
    let stop = () => {};
    stop = deps.follow(seen, (followed) => {
      if (isPaused) return;
      if ("seq" in followed) seen = followed.seq;
      tell(followed);
      if (!deps.pace.isFull()) return;
      isPaused = true;
      stop();
      void deps.pace.room().then(() => {
        if (!isStopped) unfollow = start();
      });
    });
    if (isPaused) stop();
    return stop;
  }
}
