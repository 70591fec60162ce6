import { realpathSync } from "node:fs";
import { join } from "node:path";
import { coveredNames } from "./covered-names.ts";
import { checkMount, checkWorkspace, contains, type Mount, type MountPlaces } from "./mount-rules.ts";
import type { SandboxCommand } from "./sandbox.ts";

export type PlannedMounts =
  | { kind: "planned"; workspace: string; cwd: string; mounts: readonly Mount[] }
  | { kind: "refused"; reason: string };

/** Checks every path of a command; the workspace is the first mount. */
export function planMounts(places: MountPlaces, command: SandboxCommand): PlannedMounts {
  const workspace = checkWorkspace(places, command.workspace);
  if (workspace.kind === "denied") return { kind: "refused", reason: workspace.reason };
  const cwd = planFolder(workspace.path, command);
  if (cwd === undefined)
    return { kind: "refused", reason: `${command.cwd} is not a folder in the workspace ${command.workspace}.` };
  const mounts: Mount[] = [{ source: workspace.path, target: command.workspace, access: "write" }];
  const wanted = [
    ...command.readOnly.map((path) => ({ path, target: path, access: "read" as const })),
    ...command.writable.map((path) => ({ path, target: path, access: "write" as const })),
    ...(command.mounts ?? []).map(({ source: path, target, access }) => ({ path, target, access })),
  ];
  for (const { path, target, access } of wanted) {
    const checked = checkMount(places, path);
    if (checked.kind === "denied") return { kind: "refused", reason: checked.reason };
    if (contains(workspace.path, checked.path) || contains(checked.path, workspace.path))
      return { kind: "refused", reason: `${path} overlaps the workspace, which is mounted by itself.` };
    const mount: Mount = { source: checked.path, target, access };
    mounts.push(mount, ...coveredNames(mount));
  }
  return { kind: "planned", workspace: workspace.path, cwd, mounts };
}

/** The folder as it is called inside, where the workspace has the path it was given by. */
function planFolder(realWorkspace: string, command: SandboxCommand): string | undefined {
  try {
    const real = realpathSync.native(command.cwd);
    if (!contains(realWorkspace, real)) return undefined;
    return join(command.workspace, real.slice(realWorkspace.length));
  } catch {
    // a folder that is not there is refused like one that lies outside
    return undefined;
  }
}
