// For the tests of this folder: a workspace on disk with a folder beside it that must never be touched.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BoundCall, ToolContext, ToolResult } from "../../contract/tool.ts";
import { fileTools } from "./file-tools.ts";
import { openPathLocks } from "./path-locks.ts";

export type Scene = {
  workspace: string;
  outside: string;
  put(path: string, content: string | Uint8Array): Promise<string>;
  bind(tool: string, args: unknown): BoundCall;
  call(tool: string, args: unknown, signal?: AbortSignal): Promise<ToolResult>;
  context(signal?: AbortSignal): ToolContext;
  remove(): Promise<void>;
};

export async function openScene(): Promise<Scene> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "steward-files-")));
  const workspace = join(base, "workspace");
  const outside = join(base, "outside");
  await mkdir(workspace);
  await mkdir(outside);
  const tools = fileTools({ locks: openPathLocks() });
  return { workspace, outside, put, bind, context, call, remove: () => rm(base, { recursive: true }) };

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
    return { conversation: "c1", turn: "t1", callId: "k1", workspace, signal, progress: () => {} };
  }

  async function call(name: string, args: unknown, signal?: AbortSignal): Promise<ToolResult> {
    return bind(name, args).run(context(signal));
  }
}
