import { cutWord, overWord } from "../record/box-report.ts";

/** How long a box outlives Steward: a command that is just ending ends by itself, and its exit code is known. */
export const graceSeconds = 1;

// The parent of bwrap, which dies with it. One half waits for bwrap. The other reads from Steward, who never writes: the
// end of that is Steward's own, even by SIGKILL, and then the whole group goes. Steward ends it with the group otherwise.
const script = (reportDescriptor: number, aliveDescriptor: number) => `
# what the shell itself says is no output of the command
exec 2>/dev/null
{
  read -r nothing
  PATH=/usr/bin:/bin; sleep ${graceSeconds}
  echo ${cutWord} >&${reportDescriptor}
  kill -s KILL 0
} <&${aliveDescriptor} >/dev/null &
"$@" 2>&1 ${aliveDescriptor}<&-
code=$?
echo ${overWord} >&${reportDescriptor}
exit "$code"
`;

/** Words to put before those that start a box. */
export function keeperWords(descriptors: { report: number; alive: number }): string[] {
  return ["/bin/sh", "-c", script(descriptors.report, descriptors.alive), "sh"];
}
