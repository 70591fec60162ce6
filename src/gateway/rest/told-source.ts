// Where a reader's events come from: what is past lies in the log and can be read at any pace, what is present is told as it happens.
import type { Followed } from "../../contract/client.ts";
import type { EventStream } from "./events/event-streams.ts";

export type ToldSource = {
  /** The next few events of the past, each given once; none when there are no more for now. */
  past(): Promise<readonly Followed[]>;
  /** Goes on where the past ended. Returns how to stop, after which the past goes on where the present stopped. */
  present(listener: (followed: Followed) => void): () => void;
};

/** A slow reader is left alone until it has read, and then told the rest from the log. */
export async function tellPaced(
  stream: EventStream,
  source: ToldSource,
  tell: (followed: Followed) => void,
): Promise<void> {
  while (stream.isOpen()) {
    for (let page = await source.past(); page.length > 0; page = await source.past()) {
      for (const followed of page) {
        if (!stream.isOpen()) return;
        tell(followed);
        if (stream.isFull()) await stream.drained();
      }
    }
    await tellPresent(stream, source, tell);
    await stream.drained();
  }
}

function tellPresent(stream: EventStream, source: ToldSource, tell: (followed: Followed) => void): Promise<void> {
  return new Promise((resolve) => {
    let over = !stream.isOpen();
    let stop = () => {};
    const forget = stream.onClose(finish);
    const unfollow = source.present((followed) => {
      if (over) return;
      tell(followed);
      if (stream.isFull() || !stream.isOpen()) finish();
    });
    // the first of it may have come before there was a way to stop
    if (over) unfollow();
    else stop = unfollow;
    if (over) finish();

    function finish(): void {
      over = true;
      forget();
      stop();
      resolve();
    }
  });
}

/** Everything at once, for those who keep what they hear anyway. Returns how to stop. */
export function tellAtOnce(
  source: ToldSource,
  tell: (followed: Followed) => void,
  onTrouble: (cause: unknown) => void,
): () => void {
  let stopped = false;
  let stop = () => {};
  begin().catch(onTrouble);
  return () => {
    stopped = true;
    stop();
  };

  async function begin(): Promise<void> {
    for (let page = await source.past(); page.length > 0 && !stopped; page = await source.past()) page.forEach(hear);
    if (!stopped) stop = source.present(hear);
    if (stopped) stop();
  }

  function hear(followed: Followed): void {
    if (!stopped) tell(followed);
  }
}
