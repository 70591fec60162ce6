// For the tests of this folder: a workspace on disk with a folder beside it that must never be touched.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FileChange } from "../../src/contract/file-change.ts";
import type { BoundCall, Tool, ToolContext, ToolResult } from "../../src/contract/tool.ts";
import { openRedactor } from "../../src/guard/redaction/redactor.ts";
import { fileTools } from "../../src/tools/files/file-tools.ts";
import { type OutputStore, openOutputStore } from "../../src/tools/outputs/output-store.ts";
import { openPathLocks } from "../../src/tools/paths/path-locks.ts";
import { type Checkpoints, openCheckpointFiles } from "../../src/tools/undo/checkpoint-files.ts";
import { type Undoing, undoChanges } from "../../src/tools/undo/undo-changes.ts";

export type Scene = {
  workspace: string;
  outside: string;
  /** Where the checkpoints and outputs lie. */
  data: string;
  checkpoints: Checkpoints;
  outputs: OutputStore;
  tools: readonly Tool[];
  put(path: string, content: string | Uint8Array): Promise<string>;
  bind(tool: string, args: unknown): BoundCall;
  call(tool: string, args: unknown, signal?: AbortSignal): Promise<ToolResult>;
  undo(changes: readonly FileChange[] | undefined, signal?: AbortSignal): Promise<Undoing>;
  context(signal?: AbortSignal): ToolContext;
  remove(): Promise<void>;
};

/** Workspace and data folder may lie on a disk of the test's own. */
export async function openScene(on: { workspace?: string; data?: string } = {}): Promise<Scene> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "steward-files-")));
  const workspace = on.workspace ?? join(base, "workspace");
  const outside = join(base, "outside");
  await mkdir(workspace, { recursive: true });
  await mkdir(outside);
  const data = on.data ?? join(base, "data");
  const locks = openPathLocks();
  const { redact } = openRedactor({ known: [] });
  const checkpoints = openCheckpointFiles({ folder: join(data, "checkpoints"), nowMs: Date.now });
  const outputs = openOutputStore({ folder: join(data, "outputs"), nowMs: Date.now });
  const tools = fileTools({ locks, checkpoints, outputs, whyKeep: () => undefined, redact });
  return {
    workspace,
    outside,
    data,
    checkpoints,
    outputs,
    tools,
    put,
    bind,
    context,
    call,
    undo,
    remove: () => rm(base, { recursive: true }),
  };

  async function put(path: string, content: string | Uint8Array): Promise<string> {
    const full = join(workspace, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, content);
    return full;
  }

  function bind(name: string, args: unknown): BoundCall {
    const tool = tools.find((candidate) => candidate.name === name);
    const bound = tool?.bind(args);
    if (!bound?.ok) throw new Error(bound ? bound.message : `there is no tool ${name}`);
    return bound.call;
  }

  function context(signal = new AbortController().signal): ToolContext {
    return {
      conversation: "c1",
      turn: "t1",
      callId: "k1",
      asker: { kind: "owner", id: "owner" } as const,
      workspace,
      signal,
      progress: () => {},
    };
  }

  async function call(name: string, args: unknown, signal?: AbortSignal): Promise<ToolResult> {
    return bind(name, args).run(context(signal));
  }

  function undo(changes: readonly FileChange[] | undefined, signal = new AbortController().signal): Promise<Undoing> {
    return undoChanges({ workspace, locks, checkpoints, signal }, changes ?? []);
  }
}
