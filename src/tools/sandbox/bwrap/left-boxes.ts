import { rmSync } from "node:fs";
import { leftRecords, pathsOf } from "../record/box-record.ts";
import { innerPidIn, readReport } from "../record/box-report.ts";
import { commandLineOf } from "../start-process.ts";
import { whenGone } from "./when-gone.ts";

/** Of the word by which the processes of a sandbox are known. */
export const markBeginning = "steward-box-";

/**
 * A box outlives a Steward that was killed by a moment. Its mounts lie on the stand-ins of the workspace: until it is
 * gone nobody may move them.
 */
export async function whenLeftBoxesAreGone(folders: readonly string[]): Promise<void> {
  for (const left of folders.flatMap(leftRecords)) {
    const pid = innerPidIn(readReport(pathsOf(left.folder).report));
    // the number may be another process's by now
    if (pid !== undefined && commandLineOf(pid).includes(markBeginning)) await whenGone(pid);
    // one that was moved belongs to whoever finds out about its command
    if (!left.isMoved) rmSync(left.folder, { recursive: true, force: true });
  }
}
