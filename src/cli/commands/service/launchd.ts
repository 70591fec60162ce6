import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../../contract/failure.ts";
import { callTool } from "./call-tool.ts";
import { launchdLabel, launchdOutput, launchdPlist } from "./launchd-plist.ts";
import type { ServiceState, Supervisor, SupervisorDeps } from "./supervisor.ts";

const longestEndMs = 30_000;
const lookEveryMs = 200;

/** Root's Steward belongs to the machine, anybody else's to their session. */
export function launchd(deps: SupervisorDeps): Supervisor {
  const { machine } = deps;
  const isSystem = machine.uid === 0;
  const domain = isSystem ? "system" : `gui/${machine.uid}`;
  const target = `${domain}/${launchdLabel}`;
  const folder = isSystem ? "/Library/LaunchDaemons" : join(machine.userHome, "Library", "LaunchAgents");
  const path = join(folder, `${launchdLabel}.plist`);
  return {
    name: "launchd",
    path,
    describe: () => launchdPlist(deps),
    seenBy: `cat ${launchdOutput(deps)}`,
    async enable() {
      await launchctl("enable", target);
      return isSystem ? [] : ["It starts when you log in."];
    },
    async start() {
      if (await isLoaded()) await launchctl("kickstart", target);
      else await launchctl("bootstrap", domain, path);
    },
    stop: unload,
    disable: unload,
    async forget() {},
    state,
  };

  /** A service that launchd knows is started again at the next login, so what is stopped is made unknown until then. */
  async function unload(): Promise<void> {
    if (!(await isLoaded())) return;
    await launchctl("bootout", target);
    const deadline = performance.now() + longestEndMs;
    while ((await isLoaded()) && performance.now() < deadline) await pause(lookEveryMs);
  }

  async function isLoaded(): Promise<boolean> {
    const done = await ask("print", target);
    return done !== "missing" && done.code === 0;
  }

  async function state(): Promise<ServiceState> {
    const done = await ask("print", target);
    if (done === "missing" || done.code !== 0)
      return { enabled: true, active: false, failed: false, pid: undefined, detail: "not loaded" };
    const words = /^\s*state = (.+)$/m.exec(done.output)?.[1] ?? "unknown";
    const pid = Number(/^\s*pid = (\d+)$/m.exec(done.output)?.[1]) || undefined;
    return { enabled: true, active: words === "running", failed: false, pid, detail: words };
  }

  async function launchctl(...args: readonly string[]): Promise<void> {
    const done = await ask(...args);
    if (done === "missing") throw new Failure("launchctl is missing, which every macOS has.");
    const said = done.errors.trim().split("\n").at(-1) ?? "";
    if (done.code !== 0) throw new Failure(`launchctl ${args.join(" ")} failed: ${said}`);
  }

  function ask(...args: readonly string[]) {
    return callTool(machine.environment, ["launchctl", ...args]);
  }
}
