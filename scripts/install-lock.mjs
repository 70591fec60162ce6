// One installer at a time in a folder: a file that names its owner, and that a dead owner cannot keep.
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const beatMs = 1000;
const pollMs = 200;

/** Waits until the lock is ours, telling `onWait` once if somebody else has it. */
export async function takeInstallLock(path, onWait) {
  const owner = { pid: process.pid, host: hostname() };
  let seen;
  let seenAtMs = performance.now();
  while (!create(path, owner)) {
    const now = look(path);
    if (now?.beat !== seen?.beat) {
      if (!seen) onWait();
      seen = now;
      // monotonic: a laptop that slept has not watched an owner be silent
      seenAtMs = performance.now();
    }
    if (now && performance.now() - seenAtMs >= patienceMs(now.owner)) removeIfSame(path, now);
    else await sleep(pollMs);
  }
  const heartbeat = setInterval(() => beat(path), beatMs);
  return {
    // the leader of the process group that installs on our behalf
    setWorker: (worker) => writeFileSync(path, JSON.stringify({ ...owner, worker })),
    release() {
      clearInterval(heartbeat);
      rmSync(path, { force: true });
    },
  };
}

function create(path, owner) {
  try {
    writeFileSync(path, JSON.stringify(owner), { flag: "wx" });
    return true;
  } catch (cause) {
    if (cause.code !== "EEXIST") throw cause;
    return false;
  }
}

// touching needs no space, so a full disk does not look like a dead owner
function beat(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // the lock was taken from us after a long silence; the install itself will tell
  }
}

function look(path) {
  try {
    const beat = statSync(path).mtimeMs;
    return { beat, owner: JSON.parse(readFileSync(path, "utf8")) };
  } catch {
    // gone, or half written: the next look will tell
    return undefined;
  }
}

/** How long an owner may be silent: a dead one not at all, a live one a little (its number may have passed to a stranger). */
function patienceMs(owner) {
  const elsewhere = owner.host !== hostname();
  // npm outlives an owner that was killed, and until it ends it still writes
  if (elsewhere || (owner.worker && isAlive(-owner.worker))) return 120_000;
  return isAlive(owner.pid) ? 10_000 : 0;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause.code === "EPERM";
  }
}

// renaming is the one step only a single waiter can win; whoever moved away a newer lock puts it back
function removeIfSame(path, judged) {
  const aside = `${path}.stale-${process.pid}`;
  try {
    renameSync(path, aside);
    if (statSync(aside).mtimeMs !== judged.beat) renameSync(aside, path);
  } catch (cause) {
    if (cause.code !== "ENOENT") throw cause;
  }
  rmSync(aside, { force: true });
}
