import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { trustedFolders } from "../../programs/trusted-program.ts";

export type LeftBehind = {
  /** Stands on the command line of every box's outer processes. */
  mark: string;
  /** Where stand-ins lie between commands. */
  folder: string;
  /** What the names of cgroups begin with. */
  groups: readonly string[];
  /** How long boxes may go on. */
  afterSeconds: number;
};

// Its input ends when Steward does, even by SIGKILL. A box ends by itself soon after Steward, but not while it is being
// made: bwrap binds its first process to its parent as the last thing of all.
const script = `
trap '' HUP INT TERM
read -r word
[ "$word" ] || sleep "$1"
mark=$2; folder=$3; shift 3
# a Steward that goes on has groups whose names begin alike
[ ! "$word" ] || shift $#
tries=0; left=yes
while [ "$left" ] && [ "$tries" -lt 100 ]; do
  # a process may not bear its mark yet at the first look
  left=; [ "$tries" -gt 0 ] || left=yes
  for found in $(grep -laF -- "$mark" /proc/[0-9]*/cmdline 2>/dev/null); do
    pid=\${found#/proc/}; pid=\${pid%/cmdline}
    [ "$pid" = "$$" ] || ! kill -s KILL "$pid" 2>/dev/null || left=yes
  done
  for group in "$@"; do
    for found in "$group"*; do
      [ ! -d "$found" ] || rmdir "$found" 2>/dev/null || left=yes
    done
  done
  tries=$((tries + 1))
  [ ! "$left" ] || sleep 0.05
done
[ ! "$folder" ] || rm -rf "$folder"
`;

/**
 * Starts a shell that outlives Steward by a moment and clears away what Steward can then no longer. What is returned is
 * called when nothing may run any more that bears the mark: it then clears away at once, the groups apart, and ends.
 */
export function startClearing({ mark, folder, groups, afterSeconds }: LeftBehind): () => void {
  const child = spawn("/bin/sh", ["-c", script, "sh", String(afterSeconds), mark, folder, ...groups], {
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: trustedFolders.join(":") },
    // a signal to Steward's group is not for it
    detached: true,
  });
  // without it the next start clears away, as after a power failure
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.unref();
  (child.stdin as Socket).unref();
  return () => child.stdin.end("closed\n");
}
