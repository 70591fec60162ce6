/** Those who have not said yet who they are: few of them, and few from one place (connection flood). */
export type UnidentifiedClients = {
  /** Returns how to leave, or undefined when there is no room. */
  enter(from: string): (() => void) | undefined;
};

export function openUnidentifiedClients(limits: { overall: number; fromOnePlace: number }): UnidentifiedClients {
  const countFrom = new Map<string, number>();
  let count = 0;
  return {
    enter(from) {
      const already = countFrom.get(from) ?? 0;
      if (count >= limits.overall || already >= limits.fromOnePlace) return undefined;
      count += 1;
      countFrom.set(from, already + 1);
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        leave(from);
      };
    },
  };

  function leave(from: string): void {
    count -= 1;
    const left = (countFrom.get(from) ?? 1) - 1;
    if (left === 0) countFrom.delete(from);
    else countFrom.set(from, left);
  }
}
