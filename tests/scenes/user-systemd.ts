// A real systemd of a user who owns nothing but a temporary folder. It is the user's manager and never the system's: that one would
// take this machine for its own and clear its folders. Whatever it starts has no rights beyond its folder either.
import { type ChildProcess, spawn } from "node:child_process";
import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "./eventually.ts";
import { ended, type Ran } from "./steward-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const node = join(root, "node_modules", "node", "bin", "node");
const uid = 64_123;
const asUser = ["setpriv", "--reuid", String(uid), "--regid", String(uid), "--clear-groups"];

export type UserSystemd = {
  /** The Steward folder, with a name that would mean something in a unit. */
  home: string;
  giveHome(): Promise<void>;
  run(program: string, ...args: readonly string[]): Promise<Ran>;
  steward(...args: readonly string[]): Promise<Ran>;
  /** Those that start Steward. */
  words: readonly string[];
  stop(): Promise<void>;
};

// the manager asks whether the system runs systemd by looking for a folder; only this process sees the one made here
const stage = `set -e
for place in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
  [ -e $place/cgroup.procs ] || continue
  mkdir -p $place/$1/own && chown -R ${uid}:${uid} $place/$1 && echo $$ > $place/$1/own/cgroup.procs
done
shift
mkdir -p /run/systemd
exec unshare --mount --propagation private sh -c 'mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system && exec "$@"' sh "$@"`;

/** Or why this machine has none to offer. */
export async function startUserSystemd(): Promise<UserSystemd | { unavailable: string }> {
  if (process.getuid?.() !== 0) return { unavailable: "only root can make a user for it" };
  const folder = await temporaryFolder();
  const home = join(folder, "100% $HOME of ann");
  for (const place of [folder, join(folder, "run"), home]) await mkdir(place, { recursive: true, mode: 0o700 });
  await give(folder, join(folder, "run"), home);
  const environment = { PATH: "/usr/bin:/bin", HOME: folder, XDG_RUNTIME_DIR: join(folder, "run") };
  const readable = await run("sh", "-c", 'test -x "$1" && test -r "$2"', "sh", node, join(root, "src/main.ts"));
  if (readable.code !== 0) return { unavailable: `another user cannot read ${root}` };
  const group = `steward-test-${process.pid}`;
  const words = [node, join(root, "src/main.ts")];
  const manager = spawn("sh", ["-c", stage, "sh", group, ...asUser, "/lib/systemd/systemd", "--user"], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  manager.stderr.on("data", (data) => {
    errors += data;
  });
  const answers = async () => (await run("systemctl", "--user", "show-environment")).code === 0;
  await eventually(async () => manager.exitCode !== null || (await answers()));
  if (manager.exitCode !== null) return { unavailable: errors.trim() };
  return {
    home,
    giveHome: () => run0("chown", "-R", `${uid}:${uid}`, folder),
    run,
    steward: (...args) => run("env", `STEWARD_HOME=${home}`, ...words, ...args),
    words,
    stop: () => stop(manager, group),
  };

  function run(...words: readonly string[]): Promise<Ran> {
    return collect(spawn(asUser[0] ?? "", [...asUser.slice(1), ...words], { env: environment, cwd: "/" }));
  }
}

async function stop(manager: ChildProcess, group: string): Promise<void> {
  manager.kill("SIGTERM");
  await ended(manager);
  for (const place of ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"])
    await run0("find", `${place}/${group}`, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";");
}

async function give(...paths: readonly string[]): Promise<void> {
  for (const path of paths) await chown(path, uid, uid);
}

async function run0(program: string, ...args: readonly string[]): Promise<void> {
  await ended(spawn(program, args, { stdio: "ignore" }));
}

async function collect(child: ReturnType<typeof spawn>): Promise<Ran> {
  let [output, errors] = ["", ""];
  child.stdout?.on("data", (data) => {
    output += data;
  });
  child.stderr?.on("data", (data) => {
    errors += data;
  });
  const code = await ended(child);
  return { code, output, errors };
}
