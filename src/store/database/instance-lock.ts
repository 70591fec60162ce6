import { DatabaseSync } from "node:sqlite";

/** Held by the one process that works on a data folder; the system lets go of it when the process dies, however it dies. */
export type InstanceLock = { release(): void };

export function takeInstanceLock(path: string): InstanceLock | undefined {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return { release: () => file.close() };
  } catch (cause) {
    file.close();
    if (cause instanceof Error && "errcode" in cause && (Number(cause.errcode) & 0xff) === 5) return undefined;
    throw cause;
  }
}
