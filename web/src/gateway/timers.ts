/** Does something later; returns how to leave it. */
export type Timers = { after(ms: number, run: () => void): () => void };

export const browserTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
