/** Brings a vector to length one in its own place; zeros stay zeros. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const factor = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  // by number, since `entries` would make a pair for each of them
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) * factor;
  return vector;
}
