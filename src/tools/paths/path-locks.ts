import type { Place } from "./workspace-path.ts";

/** Work on one path runs one after another; work on different paths does not wait. */
export type PathLocks = { hold<T>(key: string, work: () => Promise<T>): Promise<T> };

export function openPathLocks(): PathLocks {
  const last = new Map<string, Promise<void>>();
  return {
    async hold(key, work) {
      const before = last.get(key);
      const { promise, resolve: release } = Promise.withResolvers<void>();
      last.set(key, promise);
      try {
        await before;
        return await work();
      } finally {
        if (last.get(key) === promise) last.delete(key);
        release();
      }
    },
  };
}

/** The same for every way of writing a path; some file systems take names that differ only in case for one file. */
export function lockKey(place: Place): string {
  return [place.root, ...place.parts].join("/").normalize("NFC").toLowerCase();
}
