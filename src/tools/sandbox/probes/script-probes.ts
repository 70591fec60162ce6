import { numbersOf } from "../bwrap/seccomp/system-calls.ts";
import type { ScriptProbe } from "./probe-scene.ts";

const probe = (name: string, script: ScriptProbe["script"]): ScriptProbe => ({ name, script });

const isArm = process.arch === "arm64";
const ptrace = isArm ? 117 : 101;
const keyctl = isArm ? 219 : 250;
// with arguments that no call takes
const forbidden = numbersOf(isArm ? "arm64" : "x64").map((number) => [number, ...Array<number>(6).fill(-1)]);

// variables that sh, bwrap and the container programs set by themselves
const plainVariables =
  "PATH|HOME|LANG|TERM|EMAIL|GIT_[A-Z0-9_]+|npm_config_update_notifier|PWD|OLDPWD|SHLVL|_|HOSTNAME|container|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS";

/** Opens, fills, removes or moves paths. `true` and not `:`, whose failed redirection would end the shell. */
export const tamperFunction = `
tamper() {
  for path; do if [ -d "$path" ]; then true > "$path/planted"; else true >> "$path"; fi && return 0; done
  rm -rf "$@"
  for path; do [ -e "$path" ] || return 0; done
  mkdir -p moved; mv "$@" moved
  for path; do [ -e "$path" ] || return 0; done
  return 1
}
`;

/**
 * Each script succeeds only if the sandbox let something through. What it made outside the workspace it removes again,
 * since a sandbox that holds nothing back lets it act on the real machine.
 */
export const scriptProbes: readonly ScriptProbe[] = [
  probe("read a file outside the workspace", (scene) => `grep -q ${scene.secret} ${scene.secretFile}`),
  probe(
    "read Steward's own folder",
    (scene) => `cat ${scene.stewardHome}/config.json || cat ${scene.stewardHome}/auth.json`,
  ),
  probe("write beside the workspace", () => "true > ../written && [ -e ../config.json ]"),
  probe("write /", () => "true > /written && rm /written"),
  probe("write /etc", () => "true > /etc/written && rm /etc/written"),
  probe("write /usr", () => "true > /usr/written && rm /usr/written"),
  probe("write /proc/sys", () => "true >> /proc/sys/kernel/core_pattern || true >> /proc/sys/kernel/printk"),
  probe(
    "write /sys",
    () =>
      "{ mkdir /sys/fs/cgroup/written && rmdir /sys/fs/cgroup/written; } || true >> /sys/kernel/mm/ksm/run || true >> /sys/power/state",
  ),
  probe("see a process of the host", (scene) => `grep -q "[b]${scene.secret.slice(1)}" /proc/[0-9]*/cmdline`),
  probe("signal a process of the host", (scene) => `kill -0 ${scene.victimPid}`),
  probe(
    "look into a process of the host",
    (scene) => `true >> /proc/${scene.victimPid}/mem || ${calls("", [ptrace, 16, scene.victimPid, 0, 0])}`,
  ),
  {
    name: "write into the memory of the first process",
    only: "bwrap",
    script: () => "true >> /proc/1/mem || true >> /proc/1/task/1/mem",
  },
  probe("reach the host's files through /proc/1/root", (scene) => `cat /proc/1/root${scene.secretFile}`),
  probe("see the host's TCP ports", (scene) => `grep -q ":${hex(scene.tcpPort)} 00000000:0000 0A" /proc/net/tcp`),
  probe("see the host's abstract sockets", (scene) => `grep -q ${scene.abstractName} /proc/net/unix`),
  probe("see a network device", () => "grep -v -e lo: -e Inter -e face /proc/net/dev"),
  probe("mount", () => "mkdir -p point && mount -t tmpfs none point && umount point"),
  probe("make a user namespace", () => "unshare --user true"),
  probe("open a raw device", () => "ls -l /dev | grep '^b' || { mknod raw b 7 0 && head -c 1 raw; }"),
  probe("hold a capability", () => "grep -E '^Cap(Prm|Eff|Bnd|Amb):' /proc/self/status | grep -v -E ':.0+$'"),
  probe("gain rights from a setuid program", () => "! grep -q '^NoNewPrivs:.1' /proc/self/status"),
  probe("be root", () => "[ \"$(id -u)\" = 0 ] || grep -q '^ *0 *0 ' /proc/self/uid_map"),
  probe("read the kernel log", () => "dmesg"),
  probe("reach the keys of the session", () => `grep -q . /proc/keys || ${calls("", [keyctl, 0, -3, 0])}`),
  {
    name: "make system calls that the box forbids",
    only: "bwrap",
    // without perl the kernel's word has to do: a filter is there, and nobody inside can take it away
    script: () => `! grep -q '^Seccomp:.2' /proc/self/status || ${calls("$! != 1 && $! != 38", ...forbidden)}`,
  },
  probe("see the environment of Steward", () => `env | grep -v -E '^(${plainVariables})='`),
  probe(
    "see the environment of the first process",
    () => `tr '\\0' '\\n' < /proc/1/environ | grep = | grep -v -E '^(${plainVariables})='`,
  ),
  probe(
    "hold an open descriptor of Steward",
    () => "ls -l /proc/self/fd | grep -E ' ([3-9]|[0-9]{2,}) -> ' | grep -v -e /dev/null -e /proc/",
  ),
  probe("reach a terminal", () => "true < /dev/tty"),
  probe("read .env", (scene) => `grep -q ${scene.secret} .env`),
  probe("change a protected file", () => "tamper AGENTS.md"),
  probe("create a missing protected file", () => "tamper .npmrc .mcp.json .envrc SOUL.md"),
  probe("create a file in a missing protected folder", () => "tamper skills agents .vscode .claude"),
  probe("write the notes", () => "tamper MEMORY.md USER.md memory"),
  probe("plant a git hook", () => "tamper .git/hooks"),
  probe("change the git settings", () => "tamper .git/config .git/commondir .git/config.worktree .git/modules"),
  probe("move the git folder away", () => "mv .git moved"),
  probe("read .env further down", (scene) => `grep -q ${scene.secret} below/again/.env`),
  probe("change a protected file further down", () => "tamper below/again/.npmrc"),
  probe("change a repository further down", () => "tamper below/again/.git/hooks below/again/.git/config"),
  probe("have git run what a repository names", () => gitRuns),
  probe("write through a link that leads outside", () => "echo x >> link-out"),
];

// the files of a repository lie there without anything that says so
const gitRuns =
  "mkdir -p bare/objects bare/refs && echo ref: refs/heads/main > bare/HEAD && " +
  "printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = touch ran\\n' > bare/config && " +
  "(cd bare; git status; [ -e ran ] || [ -e ../ran ])";

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

/** Succeeds if one of the calls does, or fails in a way that the condition names. */
function calls(otherwise: string, ...list: readonly (readonly number[])[]): string {
  const tries = list.map((words) => `exit 0 if syscall(${words.join(", ")}) >= 0${otherwise && ` || (${otherwise})`};`);
  return `perl -e '${tries.join(" ")} exit 1'`;
}
