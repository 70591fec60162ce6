import { setTimeout as sleep } from "node:timers/promises";

/** Waits no longer than this for what cannot be stopped itself; undefined when it took too long. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const waited = new AbortController();
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: waited.signal })]);
  } finally {
    waited.abort();
  }
}

/** Ends with the work, or with the other value when the signal comes first. */
export async function untilAborted<T, U>(signal: AbortSignal, work: Promise<T>, otherwise: U): Promise<T | U> {
  if (signal.aborted) return otherwise;
  const { promise, resolve } = Promise.withResolvers<U>();
  const stop = () => resolve(otherwise);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
