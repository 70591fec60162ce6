import type { UserIds } from "../../programs/workspace-owner.ts";
import { innerSocket } from "../egress/egress-relay.ts";
import type { Mount } from "../mount-rules.ts";
import type { SandboxLimits } from "../sandbox.ts";

export type ContainerProgram = "podman" | "docker" | "apple-container";

export type ContainerPlan = {
  name: string;
  label: string;
  image: string;
  user: UserIds;
  /** The program itself runs without root, in the user's own namespace. */
  rootless: boolean;
  mounts: readonly Mount[];
  socketPath: string | undefined;
  cwd: string;
  environment: Readonly<Record<string, string>>;
  limits: SandboxLimits;
  cpus: number;
  /** For podman and docker: another runtime, such as runsc. */
  runtime: string | undefined;
  takesInput: boolean;
  inner: readonly string[];
};

const megabyte = 1024 ** 2;

/** The words after the program's name that run one command in a fresh container. */
export function containerArguments(program: ContainerProgram, plan: ContainerPlan): string[] {
  return program === "apple-container" ? appleArguments(plan) : dockerArguments(program, plan);
}

/** Podman understands docker's words; what differs is how rootless users and time are handled. */
function dockerArguments(program: "podman" | "docker", plan: ContainerPlan): string[] {
  const { limits } = plan;
  return [
    ...(plan.runtime ? runtimeWords(program, plan.runtime) : ["run"]),
    ...["--rm", "--name", plan.name, "--label", plan.label, "--pull", "never", "--log-driver", "none"],
    ...(plan.takesInput ? ["--interactive"] : []),
    ...["--user", `${plan.user.uid}:${plan.user.gid}`, ...(program === "podman" ? podmanWords(plan) : [])],
    ...["--network", "none", "--ipc", "private", "--hostname", "sandbox"],
    ...["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
    ...["--memory", String(limits.memoryBytes), "--memory-swap", String(limits.memoryBytes)],
    ...["--pids-limit", String(limits.processes), "--cpus", String(plan.cpus)],
    ...["--ulimit", "core=0:0", "--ulimit", `cpu=${limits.cpuSeconds}:${limits.cpuSeconds}`],
    ...["--ulimit", `fsize=${limits.fileBytes}:${limits.fileBytes}`],
    // podman asks for more open files than it may have where Steward's own limit is low
    ...["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"],
    ...["--tmpfs", `/tmp:rw,nosuid,nodev,mode=1777,size=${Math.floor(limits.memoryBytes / 2)}`],
    ...allMounts(plan).flatMap((mount) => ["--mount", mountWord(mount)]),
    ...environmentWords(plan.environment),
    ...["--workdir", plan.cwd, "--entrypoint", ""],
    ...[plan.image, ...plan.inner],
  ];
}

function runtimeWords(program: "podman" | "docker", runtime: string): string[] {
  return program === "podman" ? ["--runtime", runtime, "run"] : ["run", "--runtime", runtime];
}

function podmanWords(plan: ContainerPlan): string[] {
  // ends the container even if Steward is gone by then
  const timeout = ["--timeout", String(Math.ceil(plan.limits.wallMs / 1000) + 5)];
  // else the workspace's owner would be root inside and the unprivileged user could not write
  return plan.rootless ? [...timeout, "--userns", "keep-id"] : timeout;
}

/** Each container is a virtual machine of its own; capabilities and process counts are its kernel's affair. */
function appleArguments(plan: ContainerPlan): string[] {
  const { limits } = plan;
  return [
    ...["run", "--rm", "--name", plan.name, "--label", plan.label, "--progress", "none"],
    ...(plan.takesInput ? ["--interactive"] : []),
    ...["--user", `${plan.user.uid}:${plan.user.gid}`, "--network", "none", "--no-dns"],
    ...["--read-only", "--cap-drop", "ALL"],
    ...["--memory", `${Math.ceil(limits.memoryBytes / megabyte)}M`, "--cpus", String(Math.ceil(plan.cpus))],
    ...["--ulimit", `nproc=${limits.processes}`, "--ulimit", `cpu=${limits.cpuSeconds}`],
    ...["--ulimit", `fsize=${limits.fileBytes}`, "--ulimit", "core=0"],
    ...["--tmpfs", "/tmp"],
    ...allMounts(plan).flatMap((mount) => ["--mount", mountWord(mount)]),
    ...environmentWords(plan.environment),
    ...["--workdir", plan.cwd, "--entrypoint", plan.inner[0] ?? "/bin/sh"],
    ...[plan.image, ...plan.inner.slice(1)],
  ];
}

function allMounts(plan: ContainerPlan): Mount[] {
  if (!plan.socketPath) return [...plan.mounts];
  return [...plan.mounts, { source: plan.socketPath, target: innerSocket, access: "read" }];
}

function mountWord(mount: Mount): string {
  const words = ["type=bind", `source=${mount.source}`, `target=${mount.target}`];
  return [...words, ...(mount.access === "read" ? ["readonly"] : [])].join(",");
}

function environmentWords(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
}
