/** Work that nobody has asked for: one after the other, and only so much of it waits. */
export type WaitingLine = { run<Value>(work: () => Promise<Value>): Promise<Value> };

const mostWaiting = 3;

export function openWaitingLine(): WaitingLine {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(work) {
      if (waiting > mostWaiting) throw new Error("too many others wait for it");
      waiting += 1;
      const done = last.then(work).finally(() => {
        waiting -= 1;
      });
      // whoever asked for the work is told; the line goes on
      last = done.catch(() => undefined);
      return done;
    },
  };
}
