// Loaded before the program where an ordinary user tests it: in a user namespace of one's own the files of root seem to be
// nobody's, and the program trusts no bubblewrap that is not root's. This shows them as they are.
import fs, { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const nobody = Number(readFileSync("/proc/sys/kernel/overflowuid", "utf8"));
const { statSync } = fs;

fs.statSync = Object.assign((...args: Parameters<typeof statSync>) => {
  const stats = statSync(...args);
  if (stats && Number(stats.uid) === nobody) Object.assign(stats, { uid: 0 });
  return stats;
}, statSync) as typeof statSync;
syncBuiltinESMExports();
