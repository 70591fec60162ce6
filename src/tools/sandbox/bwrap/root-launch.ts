import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { UserIds } from "../../programs/workspace-owner.ts";
import type { SandboxLimits } from "../sandbox.ts";

export type RootTools = { unshare: string; setpriv: string; shell: string; mount: string };

/** A place that any user can reach, on which root shows a folder that the unprivileged user cannot reach itself. */
export type StagedPath = { source: string; stage: string };

// As root, where something is staged in a mount namespace of its own: set what a program before each command would cost
// more to set, join the cgroups, show the staged folders, then stop being root for good.
const script = `
set -e
ulimit -c 0; ulimit -t "$1"; ulimit -f "$2"; joins=$3; shift 3
while [ "$joins" -gt 0 ]; do echo 0 > "$1"; shift; joins=$((joins - 1)); done
mount=$1; stages=$2; shift 2
while [ "$stages" -gt 0 ]; do "$mount" --bind "$1" "$2"; shift 2; stages=$((stages - 1)); done
exec "$@"
`;

/** Any user can reach it and only root can put anything there. */
const stageFolder = "/run/steward-stage";

/** In which every shell counts file sizes. */
const bytesOfBlock = 512;

/** Words that start a command as an unprivileged user when Steward itself runs as root. */
export function rootLaunchWords(
  tools: RootTools,
  start: { user: UserIds; limits: SandboxLimits; joinFiles: readonly string[]; staged: readonly StagedPath[] },
): string[] {
  const { user, limits, joinFiles, staged } = start;
  const blocks = Math.ceil(limits.fileBytes / bytesOfBlock);
  return [
    ...(staged.length > 0 ? [tools.unshare, "--mount", "--propagation", "private", "--"] : []),
    ...[tools.shell, "-c", script, "sh", String(limits.cpuSeconds), String(blocks)],
    ...[String(joinFiles.length), ...joinFiles],
    ...[tools.mount, String(staged.length), ...staged.flatMap(({ source, stage }) => [source, stage])],
    ...[tools.setpriv, `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"],
    ...["--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"],
  ];
}

/** Whether the user can walk to a path; if not, root must show it somewhere else. */
export function canReach(user: UserIds, path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { uid, mode } = statSync(folder);
    if (!(mode & (uid === user.uid ? 0o100 : 0o001))) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** The stage for the nth path of a command: a folder or a file, as the path itself is. */
export function stageFor(position: number, source: string): StagedPath {
  const isFolder = statSync(source).isDirectory();
  const stage = join(stageFolder, `${isFolder ? "folder" : "file"}-${position}`);
  if (isFolder) mkdirSync(stage, { recursive: true, mode: 0o755 });
  else writeFileSync(stage, "");
  return { source, stage };
}
