// one for all: an exception of its own, with its stack, would cost more than the rest of the deadline
const over = new Error("The request is over.");
over.name = "AbortError";

export type Deadline = ReturnType<typeof openDeadline>;

/** Ends one attempt: on the caller's signal, after too long a silence, or when the whole takes too long. */
export function openDeadline(signal: AbortSignal, limits: { idleMs: number; totalMs: number }) {
  const controller = new AbortController();
  let endedBy: "abort" | "silence" | "length" | undefined;
  const end = (reason: typeof endedBy) => {
    endedBy ??= reason;
    controller.abort(over);
  };
  const onAbort = () => end("abort");
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  const silence = setTimeout(() => end("silence"), limits.idleMs);
  const whole = setTimeout(() => end("length"), limits.totalMs);
  return {
    signal: controller.signal,
    /** Something came over the wire: the silence starts anew. */
    heard: () => void silence.refresh(),
    endedBy: () => endedBy,
    /** Abandoned: the connection is closed too, because the answer was not read to its end. */
    close(isAbandoned: boolean) {
      signal.removeEventListener("abort", onAbort);
      clearTimeout(silence);
      clearTimeout(whole);
      if (isAbandoned) controller.abort(over);
    },
  };
}
