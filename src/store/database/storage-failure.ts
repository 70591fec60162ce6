import { Failure } from "../../contract/failure.ts";

/** SQLite's error codes in words that say what to do; everything else passes through. */
export function guarded<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    const meaning = cause instanceof Error && "errcode" in cause ? meaningOf(Number(cause.errcode), path) : undefined;
    throw meaning ? new StorageFailure(meaning, { cause }) : cause;
  }
}

/** The disk, not the program: nothing that was acknowledged is lost, and nothing more can be accepted until it is mended. */
export class StorageFailure extends Failure {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StorageFailure";
  }
}

function meaningOf(code: number, path: string): string | undefined {
  const busy = `Another program is using ${path}. Close it and try again.`;
  const damaged = `The database ${path} is damaged. Stop Steward and run "steward doctor --repair", which keeps a copy and rebuilds it from the transcripts.`;
  const meanings: Readonly<Record<number, string>> = {
    5: busy,
    6: busy,
    8: `${path} cannot be written: the disk or the folder is read-only. Make it writable, or set STEWARD_HOME to a folder that is.`,
    10: `The disk failed while ${path} was read or written. Check the disk, then run "steward doctor".`,
    11: damaged,
    13: `The disk is full: ${path} cannot grow. Free some space; everything acknowledged so far is safe.`,
    14: `${path} cannot be opened. Check that the folder exists and belongs to you, or set STEWARD_HOME.`,
    26: damaged,
  };
  return meanings[code & 0xff];
}
