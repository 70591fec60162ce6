import { join } from "node:path";
import type { Tool } from "../../src/contract/tool.ts";
import { openCheckpointFiles } from "../../src/tools/files/checkpoint-files.ts";
import { fileTools } from "../../src/tools/files/file-tools.ts";
import { openOutputStore } from "../../src/tools/files/output-store.ts";
import { openPathLocks } from "../../src/tools/files/path-locks.ts";

/** The real file tools, with what they keep in a folder of the test's own. */
export function fileToolsIn(folder: string): readonly Tool[] {
  return fileTools({
    locks: openPathLocks(),
    checkpoints: openCheckpointFiles({ folder: join(folder, "checkpoints"), nowMs: Date.now }),
    outputs: openOutputStore({ folder: join(folder, "outputs"), nowMs: Date.now }),
    whyKeep: () => undefined,
  });
}
