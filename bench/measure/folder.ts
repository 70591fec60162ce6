import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type BenchFolder = AsyncDisposable & { path: string };

/** A folder that is gone when its scope ends. */
export async function benchFolder(): Promise<BenchFolder> {
  const path = await mkdtemp(join(tmpdir(), "steward-bench-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
