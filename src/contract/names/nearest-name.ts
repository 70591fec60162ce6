/** The name that was probably meant: one that begins so, or one that is a slip or two away. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const begins = candidates.find((candidate) => wanted.length >= 2 && candidate.toLowerCase().startsWith(wanted));
  if (begins) return begins;
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (!best || distance < best.distance) best = { candidate, distance };
  }
  const mostEdits = Math.max(1, Math.floor(name.length / 3));
  return best && best.distance <= mostEdits ? best.candidate : undefined;
}

// Two swapped neighbours count as one slip, as fingers make them.
function editDistance(a: string, b: string): number {
  // a name this long is no slip of the fingers, and the table below grows with both lengths
  if (Math.max(a.length, b.length) > 200) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const steps = [(last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1)];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) steps.push((beforeLast[column - 2] ?? 0) + 1);
      current.push(Math.min(...steps));
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
