/** What is held of all vectors to compare a question with each of them. */
export type VectorsInMemory = {
  put(id: number, row: Int8Array): void;
  /** Whether there was one. */
  remove(id: number): boolean;
  /** False: the likenesses are estimates, good enough to choose which vectors to look at. */
  isExact: boolean;
  /** By the number of the unit: how alike it is to the centred question (cosine); 0 where there is no vector. */
  likenesses(query: Float32Array, size: number): Float32Array;
  /** Of one unit, where that is known exactly. */
  likenessOf?(query: Float32Array, id: number): number;
};
