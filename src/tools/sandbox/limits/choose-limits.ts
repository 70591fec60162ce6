import { type CgroupV1Deps, openCgroupV1 } from "./cgroup-v1.ts";
import type { LimitLayer } from "./limit-layer.ts";
import { processLimitsOnly } from "./process-limits.ts";
import { openSystemdScope } from "./systemd-scope.ts";

export type LimitDeps = {
  isRoot: boolean;
  systemdRun: string | undefined;
  launchEnvironment: Readonly<Record<string, string>>;
  cgroup: CgroupV1Deps;
};

/** The strongest layer this machine offers: a scope of systemd, a cgroup of our own, or limits on each process. */
export async function chooseLimits(deps: LimitDeps): Promise<LimitLayer> {
  if (deps.systemdRun) {
    const scope = await openSystemdScope({
      systemdRun: deps.systemdRun,
      isRoot: deps.isRoot,
      environment: deps.launchEnvironment,
    });
    if (scope) return scope;
  }
  const group = deps.isRoot ? await openCgroupV1(deps.cgroup) : undefined;
  return group ?? processLimitsOnly;
}
