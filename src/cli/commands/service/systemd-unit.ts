// The description of Steward for systemd: what is started, when it is started again, and what it may not do.
import { Failure } from "../../../contract/failure.ts";
import type { Freedom, SupervisorDeps } from "./supervisor.ts";

export function systemdUnit({ machine, home, mayDropPrivileges }: SupervisorDeps & Freedom): string {
  const isSystem = machine.uid === 0;
  return [
    "# Written by: steward service install. Changes of yours belong into: systemctl edit steward",
    "[Unit]",
    "Description=Steward, a personal assistant",
    ...(isSystem ? ["Wants=network-online.target", "After=network-online.target"] : []),
    "# five starts in five minutes that all fail: then it stays down, and its log says why",
    "StartLimitIntervalSec=300",
    "StartLimitBurst=5",
    "",
    "[Service]",
    "Type=exec",
    "# the colon: a dollar sign in a path is a dollar sign",
    `ExecStart=:${[machine.node, machine.script, "daemon"].map(quoted).join(" ")}`,
    ...(home === undefined ? [] : [`Environment=${quoted(`STEWARD_HOME=${home}`)}`]),
    "# the C library keeps one heap for all threads, for what each has once used stays resident in it",
    "Environment=MALLOC_ARENA_MAX=1",
    "# an end that was asked for is a success and stays one; whatever else ends it is followed by a new start",
    "Restart=on-failure",
    "RestartSec=2",
    "# only Steward itself is told to end: it ends its commands in order; what is left after that is killed",
    "KillMode=mixed",
    "# longer than Steward takes at most",
    "TimeoutStopSec=30",
    "# a command that needs too much memory is ended, not Steward with it",
    "OOMPolicy=continue",
    "# a start that finds no terminal prints two lines and no link; the rest is in the log files",
    "StandardOutput=journal",
    "StandardError=journal",
    "",
    "# What Steward may not do. Commands run in a box of their own (bubblewrap) that Steward makes with user namespaces,",
    "# mounts and a fresh /proc, so nothing here may restrict namespaces, cover parts of /proc (ProtectKernelTunables,",
    "# ProtectKernelLogs, ProtectProc) or filter system calls; and Node compiles, so memory may become code.",
    "# Its socket may lie in /tmp, so /tmp stays the common one.",
    ...hardening(mayDropPrivileges, isSystem),
    "",
    "[Install]",
    `WantedBy=${isSystem ? "multi-user.target" : "default.target"}`,
    "",
  ].join("\n");
}

function hardening(mayDropPrivileges: boolean, isSystem: boolean): readonly string[] {
  // a user's own systemd has no rights to mount anything, and what it can forbid needs the first line
  if (!mayDropPrivileges)
    return ["# NoNewPrivileges would take away the setuid programs by which this machine's sandbox works."];
  const always = ["NoNewPrivileges=yes", "LockPersonality=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes"];
  return isSystem ? [...always, "ProtectSystem=full", "ProtectClock=yes", "ProtectHostname=yes"] : always;
}

/** A word of a unit: no specifier (%), no quote and no backslash in it means anything. */
function quoted(word: string): string {
  if (/[\p{Cc}]/u.test(word))
    throw new Failure(`A path for a service holds no control characters: ${JSON.stringify(word)}`);
  return `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
}
