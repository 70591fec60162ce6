/** What is done under one name is done one after the other; names do not wait for each other. */
export type Lanes = {
  /** Resolves when it is done, and never rejects: what goes wrong is told to `failed`. */
  run(name: string, job: () => Promise<void>): Promise<void>;
  /** When nothing is going on any more. */
  idle(): Promise<void>;
};

export function openLanes(failed: (cause: unknown) => void): Lanes {
  const tails = new Map<string, Promise<void>>();
  return {
    run(name, job) {
      const done = (tails.get(name) ?? Promise.resolve()).then(job).catch(failed);
      const tail = done.then(() => {
        if (tails.get(name) === tail) tails.delete(name);
      });
      tails.set(name, tail);
      return tail;
    },
    async idle() {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}
