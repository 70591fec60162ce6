import { join } from "node:path";
import type { Tool } from "../../../src/contract/tool.ts";
import { openRedactor } from "../../../src/guard/redaction/redactor.ts";
import { fileTools } from "../../../src/tools/files/file-tools.ts";
import { openOutputStore } from "../../../src/tools/outputs/output-store.ts";
import { openPathLocks } from "../../../src/tools/paths/path-locks.ts";
import { openCheckpointFiles } from "../../../src/tools/undo/checkpoint-files.ts";

/** The real file tools, with what they keep in a folder of the test's own. */
export function fileToolsIn(folder: string): readonly Tool[] {
  return fileTools({
    locks: openPathLocks(),
    checkpoints: openCheckpointFiles({ folder: join(folder, "checkpoints"), nowMs: Date.now }),
    outputs: openOutputStore({ folder: join(folder, "outputs"), nowMs: Date.now }),
    whyKeep: () => undefined,
    redact: openRedactor({ known: [] }).redact,
  });
}
