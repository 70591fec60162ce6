/** The numbers of the largest, largest first and of equals the smaller number; none of minus infinity. */
export function bestOf(scores: Float32Array, most: number): readonly number[] {
  // a heap whose top is the least of the best so far: nearly all of many scores are passed over with one look
  const heap: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? Number.NEGATIVE_INFINITY;
    if (score <= least) continue;
    if (heap.length < most) rise(heap, scores, place);
    else sink(heap, scores, place);
    if (heap.length === most) least = scoreAt(scores, heap[0]);
  }
  return heap.sort((one, other) => scoreAt(scores, other) - scoreAt(scores, one) || one - other);
}

function rise(heap: number[], scores: Float32Array, place: number): void {
  let at = heap.length;
  heap.push(place);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (scoreAt(scores, heap[parent]) <= scoreAt(scores, place)) break;
    heap[at] = heap[parent] ?? 0;
    at = parent;
  }
  heap[at] = place;
}

/** In the place of the least. */
function sink(heap: number[], scores: Float32Array, place: number): void {
  let at = 0;
  for (;;) {
    const left = at * 2 + 1;
    const right = left + 1;
    if (left >= heap.length) break;
    const child = right < heap.length && scoreAt(scores, heap[right]) < scoreAt(scores, heap[left]) ? right : left;
    if (scoreAt(scores, heap[child]) >= scoreAt(scores, place)) break;
    heap[at] = heap[child] ?? 0;
    at = child;
  }
  heap[at] = place;
}

function scoreAt(scores: Float32Array, place: number | undefined): number {
  return place === undefined ? Number.NEGATIVE_INFINITY : (scores[place] ?? Number.NEGATIVE_INFINITY);
}
