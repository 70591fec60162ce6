// Commands as a whole: tries the sandbox out, opens the way to the network if there is one, and offers the tools or says why not.
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../contract/settings.ts";
import type { Tool } from "../../contract/tool.ts";
import type { World } from "../../contract/world.ts";
import { giveToOwner, ownerForCommands } from "../programs/workspace-owner.ts";
import type { SandboxDeps } from "../sandbox/choose-sandbox.ts";
import type { CheckedHost, EgressProxy } from "../sandbox/egress/egress-proxy.ts";
import { type RunningCommand, type Sandbox, type SandboxCommand, usualLimits } from "../sandbox/sandbox.ts";
import { bashTool, type ShellDeps } from "./bash-tool.ts";
import { type CallRecords, openCallRecords } from "./call-records.ts";
import { execTool } from "./exec-tool.ts";
import type { LostProcess } from "./lost-processes.ts";
import { openProcessRegistry, type ProcessRegistryDeps, processOutputBytes } from "./process-registry.ts";
import { type ProcessToolDeps, processControlTool, processTool } from "./process-tools.ts";

export type Commands = {
  /** None while the sandbox does not hold. */
  tools(): Promise<readonly Tool[]>;
  describe(): Promise<string>;
  /** Ends what a deleted conversation had begun up to that time, and keeps nothing of what it printed. */
  forget(conversation: string, throughMs: number): Promise<void>;
  records: CallRecords;
  /** Tells of a process that went on when Steward was killed as of any other; false: there is no record of it. */
  takeUp(lost: LostProcess): Promise<boolean>;
  /** Ends every command that is still running. */
  close(): Promise<void>;
};

export type CommandsDeps = Omit<ProcessRegistryDeps, "nowMs"> & {
  settings: Settings["sandbox"];
  bashTimeoutMs?: number;
  home: string;
  userHome: string;
  workspace: string;
  /** Short, in a folder of Steward's own. */
  socketPath: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Told of each command that starts, in the foreground and behind; what it returns is called when the command has ended. */
  onStarted(): () => void;
  /** Told of keys that a command may have read, to be masked wherever they turn up. */
  hideValues(values: readonly string[]): void;
  redact(text: string): string;
  resolveChecked(host: string, port: number, signal: AbortSignal): Promise<CheckedHost>;
  world: World;
};

type Opened = { sandbox: Sandbox; proxy: EgressProxy | undefined } | { unavailable: string };

export function openCommands(deps: CommandsDeps): Commands {
  const opening = open(deps);
  const { nowMs } = deps.world;
  const registry = openProcessRegistry({ ...deps, nowMs });
  let keepsRecords = false;
  const records = openCallRecords(join(deps.home, "data", "commands"), () => keepsRecords);
  // declared once: making a tool's schema costs more than a step with it
  const offered = opening.then(offerTools);
  return {
    tools: () => offered,
    records,
    takeUp,
    async describe() {
      const opened = await opening;
      return "sandbox" in opened ? opened.sandbox.describe() : opened.unavailable;
    },
    async forget(conversation, throughMs) {
      await registry.forget(conversation, throughMs);
      await records.forget(conversation, throughMs);
    },
    async close() {
      const opened = await opening;
      await registry.close();
      if (!("sandbox" in opened)) return;
      await opened.sandbox.close?.();
      await opened.proxy?.close();
    },
  };

  function offerTools(opened: Opened): readonly Tool[] {
    if ("unavailable" in opened) return [];
    const { sandbox, proxy } = opened;
    keepsRecords = sandbox.keepsRecords === true;
    const { readDirs, writeDirs, memoryMb, processes } = deps.settings;
    const shell: ShellDeps & ProcessToolDeps = {
      ...{ readDirs, writeDirs, nowMs, registry, records, labelsOfFiles: deps.labelsOfFiles },
      sandbox: { ...sandbox, run: (command) => counted(sandbox, command) },
      network: proxy ? { kind: "proxy", socketPath: proxy.socketPath } : { kind: "none" },
      limits: { memoryBytes: memoryMb * 1024 * 1024, processes },
    };
    return [
      bashTool({ ...shell, bashTimeoutMs: deps.bashTimeoutMs ?? usualLimits.wallMs }),
      execTool(shell),
      processTool(shell),
      processControlTool(shell),
    ];
  }

  async function takeUp({ id, command, ...owner }: LostProcess): Promise<boolean> {
    const replayed = await records.replay(owner, { outputBytes: processOutputBytes });
    if (!("command" in replayed)) return false;
    registry.takeUp({ id, owner, command }, replayed.command);
    return true;
  }

  function counted(sandbox: Sandbox, command: SandboxCommand): RunningCommand {
    const ended = deps.onStarted();
    const started = sandbox.run(command);
    // never rejects, so this is the one place where a command leaves the count
    void started.finished.then(ended);
    return started;
  }
}

async function open(deps: CommandsDeps): Promise<Opened> {
  try {
    // everything else is ready before the box is tried out
    await new Promise((resolve) => setImmediate(resolve));
    const { chooseSandbox } = await import("../sandbox/choose-sandbox.ts");
    const chosen = await chooseSandbox(sandboxDeps(deps));
    if ("unavailable" in chosen) return chosen;
    // before anything is written there: later it would look like a change of every file
    if (chosen.sandbox.name === "bwrap" && process.getuid?.() === 0)
      giveToOwner(deps.workspace, ownerForCommands(deps.workspace));
    return { sandbox: chosen.sandbox, proxy: await openProxy(deps) };
  } catch (cause) {
    // whatever breaks here, commands stay off rather than run without the box
    deps.onTrouble("The sandbox could not be tried out.", cause);
    return { unavailable: 'The sandbox could not be tried out. Commands are off; "steward doctor" says more.' };
  }
}

/** What the sandbox is chosen by; the doctor tries it out by the same. */
export function sandboxDeps(
  deps: Pick<CommandsDeps, "settings" | "home" | "userHome" | "environment" | "world" | "hideValues" | "redact">,
): SandboxDeps {
  // not by name: not every user has one
  const ownUser = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  const names = ["HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"] as const;
  const launchEnvironment = Object.fromEntries(
    names.flatMap((name) => (deps.environment[name] === undefined ? [] : [[name, deps.environment[name]]])),
  );
  return {
    settings: deps.settings,
    platform: process.platform,
    ownUser,
    places: { stewardHome: deps.home, userHome: deps.userHome },
    temporaryFolder: tmpdir(),
    node: process.execPath,
    launchEnvironment,
    newId: () => deps.world.newId("box"),
    hideValues: deps.hideValues,
    redact: deps.redact,
  };
}

async function openProxy(deps: CommandsDeps): Promise<EgressProxy | undefined> {
  const { allowedHosts, credentials } = deps.settings;
  if (allowedHosts.length === 0) return undefined;
  const { openEgressProxy } = await import("../sandbox/egress/egress-proxy.ts");
  const isRoot = process.getuid?.() === 0;
  return openEgressProxy({
    socketPath: deps.socketPath,
    allow: allowedHosts,
    resolveChecked: deps.resolveChecked,
    credentials: Object.fromEntries(
      Object.entries(credentials).map(([host, { header, valueEnv }]) => [
        host,
        { [header]: deps.environment[valueEnv] ?? "" },
      ]),
    ),
    ...(isRoot && { user: ownerForCommands(deps.workspace) }),
  });
}
