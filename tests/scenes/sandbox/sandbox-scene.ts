// A Steward folder with a workspace on disk.
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type SandboxCommand, usualLimits } from "../../../src/tools/sandbox/sandbox.ts";

export type SandboxScene = {
  base: string;
  stewardHome: string;
  workspace: string;
  command(script: string, change?: Partial<SandboxCommand>): SandboxCommand;
};

export async function sandboxScene(): Promise<SandboxScene> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "steward-sandbox-")));
  // a box that is being made ahead may put its stand-ins there once more
  onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 5 }));
  const stewardHome = join(base, "steward");
  const workspace = join(stewardHome, "workspace");
  await mkdir(workspace, { recursive: true });
  return { base, stewardHome, workspace, command };

  function command(script: string, change: Partial<SandboxCommand> = {}): SandboxCommand {
    return {
      argv: ["/bin/sh", "-c", script],
      cwd: workspace,
      workspace,
      readOnly: [],
      writable: [],
      environment: {},
      network: { kind: "none" },
      limits: { ...usualLimits, wallMs: 20_000 },
      signal: new AbortController().signal,
      ...change,
    };
  }
}
