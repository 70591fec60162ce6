import { openCgroupV1 } from "./cgroup-v1.ts";
import type { LimitLayer } from "./limit-layer.ts";
import { processLimitsOnly } from "./process-limits.ts";
import { openSystemdScope } from "./systemd-scope.ts";

export type LimitDeps = {
  isRoot: boolean;
  systemdRun: string | undefined;
  launchEnvironment: Readonly<Record<string, string>>;
  newId(): string;
};

/** The strongest layer this machine offers: a scope of systemd, a cgroup of our own, or limits on each process. */
export async function chooseLimits(deps: LimitDeps): Promise<LimitLayer> {
  const { isRoot, systemdRun, launchEnvironment: environment } = deps;
  const scope = systemdRun ? await openSystemdScope({ systemdRun, isRoot, environment }) : undefined;
  return scope ?? (isRoot ? await openCgroupV1(deps.newId) : undefined) ?? processLimitsOnly;
}
