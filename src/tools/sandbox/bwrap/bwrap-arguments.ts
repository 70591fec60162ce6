import { join } from "node:path";
import { privateHome } from "../command-environment.ts";
import type { Mount } from "../mount-rules.ts";
import type { Protection } from "../stand-ins/stand-ins.ts";
import type { SystemEntry } from "./system-folders.ts";

export type BwrapPlan = {
  system: readonly SystemEntry[];
  /** Our own small files, each read from a descriptor. */
  files: readonly { descriptor: number; target: string }[];
  workspace: Mount;
  mounts: readonly Mount[];
  protections: readonly Protection[];
  /** Files of the kernel that tell of the person's session. */
  coveredFiles: readonly string[];
  /** One for each protection that hides a file; bwrap closes what it has read. */
  emptyDescriptors: readonly number[];
  /** The descriptors of the protections that show a text of ours, in their order. */
  textDescriptors: readonly number[];
  reportDescriptor: number;
  /** Where the filter of system calls is read from. */
  filterDescriptor: number;
  environment: Readonly<Record<string, string>>;
  cwd: string;
  memoryBytes: number;
};

const innerUser = 1000;

/** Everything that stands before the command. */
export function bwrapArguments(plan: BwrapPlan): string[] {
  return [
    ...namespaces,
    ...["--json-status-fd", String(plan.reportDescriptor), "--seccomp", String(plan.filterDescriptor)],
    ...environmentWords(plan.environment),
    ...plan.system.flatMap(systemWords),
    ...plan.files.flatMap(({ descriptor, target }) => ["--perms", "0444", "--file", String(descriptor), target]),
    ...kernelWords,
    ...plan.coveredFiles.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...memoryFolders(plan.memoryBytes),
    ...[plan.workspace, ...plan.mounts].flatMap(mountWords),
    ...plan.protections.filter((protection) => protection.kind !== "text").flatMap((one) => protectionWords(plan, one)),
    ...textProtections(plan.protections).flatMap((one, position) => textWords(plan, one, position)),
    // bwrap's root is a writable tmpfs until this
    ...["--remount-ro", "/"],
    ...["--chdir", plan.cwd],
  ];
}

const namespaces = [
  ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup"],
  ...["--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
  ...["--uid", String(innerUser), "--gid", String(innerUser), "--hostname", "sandbox"],
];

const kernelWords = [
  // bound over itself because bwrap leaves it writable to whoever is root outside
  ...["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"],
  // the first process is bwrap itself, and whoever writes into its memory decides when the command counts as ended
  ...["--size", "4096", "--perms", "0555", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1"],
  ...["--dev", "/dev"],
];

function environmentWords(environment: Readonly<Record<string, string>>): string[] {
  return ["--clearenv", ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value])];
}

function systemWords(entry: SystemEntry): string[] {
  return entry.kind === "link" ? ["--symlink", entry.target, entry.path] : ["--ro-bind", entry.path, entry.path];
}

/** Files in memory count against nobody's limit but these sizes where there is no cgroup. */
function memoryFolders(memoryBytes: number): string[] {
  const size = (share: number) => String(Math.floor(memoryBytes / share));
  return [
    ...["--size", size(4), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    ...["--size", size(2), "--perms", "1777", "--tmpfs", "/tmp", "--dir", privateHome],
  ];
}

function mountWords(mount: Mount): string[] {
  return [mount.access === "write" ? "--bind" : "--ro-bind", mount.source, mount.target];
}

export function textProtections(protections: readonly Protection[]) {
  return protections.filter((protection) => protection.kind === "text");
}

function textWords(plan: BwrapPlan, protection: Protection, position: number): string[] {
  return ["--ro-bind-data", String(plan.textDescriptors[position]), join(plan.workspace.target, protection.name)];
}

function protectionWords(plan: BwrapPlan, protection: Protection): string[] {
  const target = join(plan.workspace.target, protection.name);
  const source = join(plan.workspace.source, protection.name);
  if (protection.kind === "hidden-folder") return ["--perms", "0555", "--tmpfs", target, "--remount-ro", target];
  if (protection.kind !== "hidden") return [protection.kind === "writable" ? "--bind" : "--ro-bind", source, target];
  const descriptor = plan.emptyDescriptors[hiddenFiles(plan.protections).indexOf(protection)];
  return ["--ro-bind-data", String(descriptor), target];
}

export function hiddenFiles(protections: readonly Protection[]): readonly Protection[] {
  return protections.filter((protection) => protection.kind === "hidden");
}
