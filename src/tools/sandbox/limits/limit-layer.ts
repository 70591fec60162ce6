import type { SandboxLimits } from "../sandbox.ts";

/** What holds one command's memory and processes from outside. */
export type HeldLimits = {
  /** Put before the launcher's own words. */
  prefix: readonly string[];
  /** Files into which the launcher writes its process id before it changes its user. */
  joinFiles: readonly string[];
  release(): Promise<void>;
};

export type LimitLayer = {
  /** True: memory and processes are counted for the whole command, not for each process of it. */
  countsWholeCommand: boolean;
  hold(limits: SandboxLimits): Promise<HeldLimits>;
  /** What the names of its groups begin with, for whoever clears up after Steward. */
  groups?: readonly string[];
  describe(): string;
};
