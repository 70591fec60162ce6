/** Waits no longer than this for what cannot be stopped itself; undefined when it took too long. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends with the work or with the signal, whichever comes first. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | "aborted"> {
  if (signal.aborted) return "aborted";
  const { promise, resolve } = Promise.withResolvers<"aborted">();
  const stop = () => resolve("aborted");
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
