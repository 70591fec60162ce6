/** At most so many run at once; the others wait in the order they came. */
export type Slots = { run<Result>(work: () => Promise<Result>): Promise<Result> };

export function openSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
