// Memory that a searching thread shares with the one that watches over it: a count that moves, and where it is.

const pathBytes = 4096;
const pathAt = 8;

export type Beat = { at(path: string): void; goOn(): void; read(): { count: number; path: string } };

export function newBeatMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(pathAt + pathBytes);
}

export function openBeat(memory: SharedArrayBuffer): Beat {
  const numbers = new Int32Array(memory, 0, 2);
  const bytes = new Uint8Array(memory, pathAt, pathBytes);
  // an encoder cannot write into shared memory
  const own = Buffer.alloc(pathBytes);
  return {
    at(path) {
      const length = own.write(path, "utf8");
      bytes.set(own.subarray(0, length));
      Atomics.store(numbers, 1, length);
      Atomics.add(numbers, 0, 1);
    },
    goOn() {
      Atomics.add(numbers, 0, 1);
    },
    read() {
      const length = Atomics.load(numbers, 1);
      return { count: Atomics.load(numbers, 0), path: Buffer.from(bytes.slice(0, length)).toString("utf8") };
    },
  };
}
