import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../contract/failure.ts";
import { callTool } from "./call-tool.ts";
import type { ServiceState, Supervisor, SupervisorDeps } from "./supervisor.ts";
import { systemdUnit } from "./systemd-unit.ts";

const unit = "steward.service";

/** Root's Steward belongs to the system's systemd, anybody else's to their own. */
export function systemd(deps: SupervisorDeps): Supervisor {
  const { machine } = deps;
  const isSystem = machine.uid === 0;
  const environment = withRuntimeFolder(deps);
  const seenBy = `journalctl ${isSystem ? "" : "--user "}-u steward`;
  const configFolder = machine.environment.XDG_CONFIG_HOME || join(machine.userHome, ".config");
  return {
    name: "systemd",
    path: join(isSystem ? "/etc/systemd/system" : join(configFolder, "systemd", "user"), unit),
    describe: (freedom) => systemdUnit({ ...deps, ...freedom }),
    seenBy,
    async enable() {
      await systemctl("daemon-reload");
      await systemctl("enable", unit);
      return isSystem ? [] : linger();
    },
    async start() {
      // failures of an earlier day must not count against this start
      await ask("reset-failed", unit);
      await systemctl("start", unit);
    },
    async stop() {
      await systemctl("stop", unit);
    },
    async disable() {
      await systemctl("disable", "--now", unit);
    },
    async forget() {
      await systemctl("daemon-reload");
      await ask("reset-failed", unit);
    },
    state,
  };

  async function state(): Promise<ServiceState> {
    const names = ["UnitFileState", "ActiveState", "SubState", "Result", "MainPID"];
    const text = await systemctl("show", unit, `--property=${names.join(",")}`);
    const shown = Object.fromEntries(text.split("\n").map((line) => line.split("=", 2) as [string, string?]));
    const result = shown.Result && shown.Result !== "success" ? `, ${shown.Result}` : "";
    return {
      enabled: shown.UnitFileState === "enabled",
      active: shown.ActiveState === "active",
      failed: shown.ActiveState === "failed",
      pid: Number(shown.MainPID) || undefined,
      detail: `${shown.ActiveState ?? "unknown"} (${shown.SubState ?? "unknown"}${result})`,
    };
  }

  /** Without it a user's systemd ends when the user logs out, and Steward with it. */
  async function linger(): Promise<readonly string[]> {
    const done = await callTool(environment, ["loginctl", "enable-linger"]);
    if (done !== "missing" && done.code === 0)
      return ["It also runs while you are not logged in (loginctl enable-linger)."];
    return ['It runs while you are logged in. To have it run always: sudo loginctl enable-linger "$USER"'];
  }

  async function systemctl(...args: readonly string[]): Promise<string> {
    const done = await ask(...args);
    if (done === "missing")
      throw new Failure(
        "This machine has no systemd (systemctl). Start Steward by what you have, with: steward daemon",
      );
    if (done.code === 0) return done.output;
    const said = done.errors.trim().split("\n").at(-1) ?? "";
    if (/connect to bus|not been booted|No medium found/.test(said)) throw new Failure(noSession(said));
    throw new Failure(`systemctl ${args.join(" ")} failed: ${said} What happened: ${seenBy}`);
  }

  function ask(...args: readonly string[]) {
    return callTool(environment, ["systemctl", ...(isSystem ? [] : ["--user"]), "--no-pager", ...args]);
  }

  function noSession(said: string): string {
    return isSystem
      ? `systemd does not run on this machine (${said}). Start Steward by what you have, with: steward daemon`
      : `There is no systemd session for this user (${said}). Log in directly instead of by su or sudo, or run once, as root: loginctl enable-linger and your name.`;
  }
}

// who comes by ssh or cron has a session that the environment does not name
function withRuntimeFolder({ machine }: SupervisorDeps): SupervisorDeps["machine"]["environment"] {
  const usual = `/run/user/${machine.uid}`;
  if (machine.environment.XDG_RUNTIME_DIR || !existsSync(usual)) return machine.environment;
  return { ...machine.environment, XDG_RUNTIME_DIR: usual };
}
