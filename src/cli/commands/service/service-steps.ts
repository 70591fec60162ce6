// What each of the service commands does, whichever program of the system does the supervising; answers with lines for the person.
import { statSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Failure, orIfMissing } from "../../../contract/failure.ts";
import type { CommandContext } from "../../../contract/room/command.ts";
import type { Settings } from "../../../contract/settings.ts";
import type { CommandLineDeps } from "../../command-line-deps.ts";
import { launchd } from "./launchd.ts";
import type { Freedom, Machine, ServiceState, Supervisor, SupervisorDeps } from "./supervisor.ts";
import { systemd } from "./systemd.ts";

export type ServiceSteps = {
  install(): Promise<readonly string[]>;
  start(): Promise<readonly string[]>;
  stop(): Promise<readonly string[]>;
  restart(): Promise<readonly string[]>;
  uninstall(): Promise<readonly string[]>;
  status(): Promise<ServiceState & { supervisor: Supervisor["name"]; path: string; installed: boolean }>;
};

export type ServiceStepsDeps = Pick<CommandLineDeps, "machine" | "running"> & {
  context: Pick<CommandContext, "home" | "readSettings">;
  /** Taken for `/`: then only files are written or removed. */
  root: string | undefined;
};

const longestStartMs = 60_000;
const lookEveryMs = 200;
const providerKeys = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"];

export function openServiceSteps(deps: ServiceStepsDeps): ServiceSteps {
  const { machine, running, context, root } = deps;
  const usualHome = join(machine.userHome, ".steward");
  const supervisor = supervisorOf({ machine, home: context.home === usualHome ? undefined : context.home });
  const path = root === undefined ? supervisor.path : join(root, supervisor.path);
  const installedText = () => readFile(path, "utf8").catch(orIfMissing(undefined));
  return { install, start, stop, restart, uninstall, status };

  async function install(): Promise<readonly string[]> {
    // where nobody would read it, nothing is written
    if (root === undefined) await supervisor.state();
    const before = await installedText();
    const text = supervisor.describe(freedomBy((await context.readSettings()).settings));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o644 });
    const words = before === undefined ? "Installed" : before === text ? "Installed already" : "Brought up to date";
    if (root !== undefined) return [`${words}: ${path}`];
    const notes = await supervisor.enable();
    return [`${words}: ${path}`, ...notes, ...keyNotes(machine), "Start it now with: steward service start"];
  }

  async function start(): Promise<readonly string[]> {
    await requireInstalled();
    if ((await supervisor.state()).active) return ["Steward runs as a service already."];
    const other = await pidOfRunning();
    if (other !== undefined)
      throw new Failure(`A Steward that is no service is running (process ${other}). End it first with: steward stop`);
    // what it could not start with is said here, and not by a service that fails again and again
    await context.readSettings();
    await supervisor.start();
    return [await untilItAnswers()];
  }

  async function stop(): Promise<readonly string[]> {
    await requireInstalled();
    const { active } = await supervisor.state();
    // also one that is between two starts, because it fails again and again
    await supervisor.stop();
    if (!active) return ["The service does not run."];
    return ["Steward has stopped. It starts again with the system, or with: steward service start"];
  }

  async function restart(): Promise<readonly string[]> {
    await requireInstalled();
    if ((await supervisor.state()).active) await supervisor.stop();
    return start();
  }

  async function uninstall(): Promise<readonly string[]> {
    if ((await installedText()) === undefined) return [`Steward is not installed as a service: there is no ${path}`];
    if (root === undefined) await supervisor.disable();
    await rm(path, { force: true });
    if (root === undefined) await supervisor.forget();
    return [`Removed: ${path}`, `Everything Steward knows is still in ${context.home}.`];
  }

  async function status() {
    const installed = (await installedText()) !== undefined;
    const nothing: ServiceState = {
      ...{ enabled: false, active: false, failed: false },
      ...{ pid: undefined, detail: "not installed" },
    };
    const state = installed ? await supervisor.state() : nothing;
    return { supervisor: supervisor.name, path, installed, ...state };
  }

  async function requireInstalled(): Promise<void> {
    if ((await installedText()) === undefined)
      throw new Failure("Steward is not installed as a service. Install it with: steward service install");
  }

  async function untilItAnswers(): Promise<string> {
    const deadline = performance.now() + longestStartMs;
    let state = await supervisor.state();
    while (!state.failed && performance.now() < deadline) {
      const pid = await pidOfRunning();
      if (pid !== undefined) return `Steward runs as a service (process ${pid}). What it does: steward logs -f`;
      await pause(lookEveryMs);
      state = await supervisor.state();
    }
    throw new Failure(`The service was started, and Steward does not run: ${state.detail}. Why: ${supervisor.seenBy}`);
  }

  async function pidOfRunning(): Promise<number | undefined> {
    const client = await running.find();
    // it may be ending at this very moment
    const health = await client?.call("health.check", {}).catch(() => undefined);
    await client?.close();
    return health?.pid;
  }
}

function supervisorOf(deps: SupervisorDeps): Supervisor {
  if (deps.machine.platform === "linux") return systemd(deps);
  if (deps.machine.platform === "darwin") return launchd(deps);
  throw new Failure("Services are for Linux with systemd and for macOS. Elsewhere, start: steward daemon");
}

function freedomBy({ sandbox: { kind } }: Settings): Freedom {
  if (kind === "none") return { mayDropPrivileges: true };
  const isBwrap = kind === "auto" || kind === "bwrap";
  return { mayDropPrivileges: isBwrap && !["/usr/bin/bwrap", "/bin/bwrap"].some(isSetuid) };
}

function isSetuid(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o4000) !== 0;
}

/** A service sees nothing of the shell in which it was installed. */
function keyNotes({ environment }: Machine): readonly string[] {
  const names = providerKeys.filter((name) => environment[name]);
  if (names.length === 0) return [];
  return [
    `The service does not see ${names.join(" and ")} of this shell: write it into the file .env of the workspace.`,
  ];
}
