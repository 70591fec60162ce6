// A network of its own in which every address is the attacker's, and in it the program with its owner's home: the stage.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Outcome } from "./attempt.ts";
import type { TaskOutcome } from "./do-task.ts";

/** What is to be done on the stage: goals or tasks, by their words. */
export type StageOrder = {
  user: "root" | "plain user";
  mode: string;
  /** STEWARD_HOME is reached by a link. */
  isBehindLink: boolean;
  /** Says yes to everything that is asked about a goal. */
  ownerAlwaysAgrees: boolean;
  goals: readonly string[];
  tasks: readonly string[];
};

export type RunningStage = {
  outcomeOf(goal: string): Promise<Outcome>;
  outcomeOfTask(task: string): Promise<TaskOutcome>;
  /** Resolves when everything has been done, or the stage has broken down. */
  over: Promise<void>;
  end(): void;
};

/** What the stage tells of each. */
export type Told = { goal: Outcome } | { task: TaskOutcome };

const root = fileURLToPath(new URL("../../..", import.meta.url));
const isRoot = process.getuid?.() === 0;

/** Whom the program can be run as here: nobody but root can run something as root. */
export const users: readonly StageOrder["user"][] = isRoot ? ["root", "plain user"] : ["plain user"];

/** Somebody without rights; an ordinary user is one already. */
export const plainUser = isRoot ? 4321 : (process.getuid?.() ?? 4321);

// mount and network for the scenery, process numbers so that nothing outlives the stage
const namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
const rights = [...namespaces, ...(isRoot ? [] : ["--user", "--map-current-user", "--keep-caps"])];
const systemPath = "/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * The sources are bound where any user can read them, the plain user has a name, all temporary files are the stage's own, and every address in the world
 * is local: whoever connects anywhere reaches the attacker.
 */
const scenery = `
  set -e
  mount --make-rprivate /
  mount -t tmpfs tmpfs /mnt && mkdir /mnt/steward && mount --rbind "$1" /mnt/steward
  mount -t tmpfs -o mode=1777 tmpfs /tmp
  echo 'nameserver 93.184.216.53' > /tmp/resolv.conf && chmod 644 /tmp/resolv.conf && mount --bind /tmp/resolv.conf /etc/resolv.conf
  cat /etc/passwd > /tmp/passwd && echo "ann:x:$3:$3::/tmp:/bin/bash" >> /tmp/passwd && mount --bind /tmp/passwd /etc/passwd
  ip link set lo up
  ip route add local default dev lo
  cd /mnt/steward
  exec node_modules/node/bin/node tests/scenes/guard/stage-process.ts "$2"`;

export function openStage(order: StageOrder): RunningStage {
  checkMachine();
  const goals = openAwaited<Outcome>(order.goals);
  const tasks = openAwaited<TaskOutcome>(order.tasks);
  const child = spawn(
    "unshare",
    [...rights, "/bin/sh", "-c", scenery, "stage", root, JSON.stringify(order), String(plainUser)],
    {
      env: { PATH: systemPath },
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    },
  );
  const errors: string[] = [];
  child.stderr?.on("data", (data) => errors.push(String(data)));
  child.on("message", (told: Told) => {
    if ("goal" in told) goals.tell(told.goal.goal, told.goal);
    else tasks.tell(told.task.task, told.task);
  });
  const over = Promise.withResolvers<void>();
  child.on("exit", (code) => {
    over.resolve();
    const cause = new Error(`The stage ended (${code}): ${errors.join("").slice(-3_000)}`);
    goals.giveUp(cause);
    tasks.giveUp(cause);
  });
  return {
    outcomeOf: goals.of,
    outcomeOfTask: tasks.of,
    over: over.promise,
    end: () => void child.kill("SIGKILL"),
  };
}

/** Opens these one after the other, two side by side: whoever waits for an outcome waits for its stage too. */
export function openStages(orders: readonly StageOrder[]): readonly Promise<RunningStage>[] {
  const opened: Promise<RunningStage>[] = [];
  for (const order of orders) opened.push(afterwards(opened.at(-2)).then(() => openStage(order)));
  return opened;
}

async function afterwards(stage: Promise<RunningStage> | undefined): Promise<void> {
  await (await stage)?.over;
}

/** Outcomes by name, told as they come and asked for in any order. */
function openAwaited<Value>(names: readonly string[]) {
  const waiting = new Map(names.map((name) => [name, Promise.withResolvers<Value>()]));
  // a name that nobody asks for when the stage breaks down is not a second failure
  for (const { promise } of waiting.values()) promise.catch(() => undefined);
  return {
    of: (name: string) => waiting.get(name)?.promise ?? Promise.reject(new Error(`${name} is not on this stage.`)),
    tell: (name: string, value: Value) => waiting.get(name)?.resolve(value),
    giveUp(cause: Error) {
      for (const { reject } of waiting.values()) reject(cause);
    },
  };
}

/** Says what is missing instead of leaving anything out. */
function checkMachine(): void {
  const { status, stderr, error } = spawnSync("unshare", [...rights, "ip", "link", "set", "lo", "up"], {
    env: { PATH: systemPath },
    encoding: "utf8",
  });
  if (status === 0) return;
  const cures = [
    "Install util-linux (2.38 or later) and iproute2.",
    "An ordinary user also needs user namespaces: sysctl kernel.unprivileged_userns_clone=1 (Debian), user.max_user_namespaces above 0,",
    "and on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0. Or run the tests as root.",
  ];
  throw new Error(`No network namespace can be made here: ${stderr || error?.message}. ${cures.join(" ")}`);
}
