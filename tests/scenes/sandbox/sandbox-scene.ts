// A Steward folder with a workspace on disk.
import { lstatSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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

/** What lies in a folder of the workspace when no box is being made: for a moment after a command the next one's stand-ins do. */
export async function settledNames(folder: string): Promise<string[]> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const names = readdirSync(folder).sort();
    if (!names.some((name) => isStandIn(join(folder, name)))) return names;
    await sleep(20);
  }
  throw new Error(`stand-ins stay in ${folder}`);
}

/** A stand-in is known by its time stamp; one that has just gone was one. */
function isStandIn(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? standInMs) === standInMs;
}

const standInMs = 1_000_000_007_000;
