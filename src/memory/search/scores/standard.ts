/** Mean and spread of a score over all units: scores of different kinds are comparable once they are counted in spreads (z-score). */
export type Standard = { mean: number; spread: number };

export function standardOf(sum: number, squares: number, count: number): Standard {
  const mean = count === 0 ? 0 : sum / count;
  const variance = count === 0 ? 0 : Math.max(0, squares / count - mean * mean);
  return { mean, spread: Math.sqrt(variance) || 1 };
}

export function inSpreads(value: number, { mean, spread }: Standard): number {
  return (value - mean) / spread;
}
