// A vector as it is kept: one signed byte for each number, the largest of them 127. Only its direction counts.

export function toRow(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const factor = largest === 0 ? 0 : 127 / largest;
  return Int8Array.from(vector, (value) => Math.round(value * factor));
}

export function readRow(blob: unknown): Int8Array | undefined {
  return blob instanceof Uint8Array ? new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength) : undefined;
}

export function lengthOf(row: Int8Array): number {
  let squares = 0;
  for (let at = 0; at < row.length; at++) squares += (row[at] ?? 0) ** 2;
  return Math.sqrt(squares);
}

// four sums side by side, so that none has to wait for the one before it
export function product(query: Float32Array, rows: Int8Array, start: number): number {
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  const end = query.length;
  for (let at = 0; at < end; at += 4) {
    one += (query[at] ?? 0) * (rows[start + at] ?? 0);
    two += (query[at + 1] ?? 0) * (rows[start + at + 1] ?? 0);
    three += (query[at + 2] ?? 0) * (rows[start + at + 2] ?? 0);
    four += (query[at + 3] ?? 0) * (rows[start + at + 3] ?? 0);
  }
  return one + two + three + four;
}
