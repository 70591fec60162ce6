/** Those who have not said yet who they are: few of them, and few from one place (connection flood). */
export function openUnidentifiedLimit(limits: { overall: number; fromOnePlace: number }) {
  const countFrom = new Map<string, number>();
  let count = 0;
  return {
    hasRoom: (from: string | undefined) =>
      count < limits.overall && (from === undefined || (countFrom.get(from) ?? 0) < limits.fromOnePlace),
    /** Returns how to leave, which counts once. `from`: undefined for a place that many people share. */
    enter(from: string | undefined): () => void {
      let isInside = true;
      add(from, 1);
      return () => {
        if (isInside) add(from, -1);
        isInside = false;
      };
    },
  };

  function add(from: string | undefined, change: 1 | -1): void {
    count += change;
    if (from === undefined) return;
    const left = (countFrom.get(from) ?? 0) + change;
    if (left === 0) countFrom.delete(from);
    else countFrom.set(from, left);
  }
}
