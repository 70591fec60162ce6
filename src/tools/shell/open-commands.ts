// Commands as a whole: tries the sandbox out, opens the way to the network if there is one, and offers the tools or says why not.
import { join } from "node:path";
import { loadOnce } from "../../contract/room/load-once.ts";
import type { Tool } from "../../contract/tool.ts";
import { type RunningCommand, type Sandbox, type SandboxCommand, usualLimits } from "../sandbox/sandbox.ts";
import { bashTool, type ShellDeps } from "./bash-tool.ts";
import {
  type CommandSandbox,
  type CommandSandboxDeps,
  giveFolder,
  openCommandSandbox,
} from "./boxes/command-sandbox.ts";
import type { GroupCommands } from "./boxes/group-commands.ts";
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

export type CommandsDeps = Omit<ProcessRegistryDeps, "nowMs"> &
  CommandSandboxDeps & {
    bashTimeoutMs?: number;
    /** Told of each command that starts, in the foreground and behind; what it returns is called when the command has ended. */
    onStarted(): () => void;
  };

export function openCommands(deps: CommandsDeps): Commands {
  const opening = open(deps);
  const { nowMs } = deps.world;
  const registry = openProcessRegistry({ ...deps, nowMs });
  let keepsRecords = false;
  // most people have no group
  const groups = loadOnce(async () => (await import("./boxes/group-commands.ts")).openGroupCommands(deps));
  let opensGroups = false;
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
      if (opensGroups) await (await groups()).close();
      if (!("sandbox" in opened)) return;
      await opened.sandbox.close?.();
      await opened.proxy?.close();
    },
  };

  function offerTools(opened: CommandSandbox): readonly Tool[] {
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
      bashTool({ ...shell, bashTimeoutMs: deps.bashTimeoutMs ?? usualLimits.wallMs }, ofGroup),
      execTool(shell),
      processTool(shell),
      processControlTool(shell),
    ];
  }

  async function ofGroup(...asked: Parameters<GroupCommands["of"]>): ReturnType<GroupCommands["of"]> {
    opensGroups = true;
    const found = await (await groups()).of(...asked);
    if ("unavailable" in found) return found;
    const { sandbox } = found;
    return { ...found, sandbox: { ...sandbox, run: (command) => counted(sandbox, command) } };
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

async function open(deps: CommandsDeps): Promise<CommandSandbox> {
  // everything else is ready before the box is tried out
  await new Promise((resolve) => setImmediate(resolve));
  const opened = await openCommandSandbox(deps);
  giveFolder(opened, deps.workspace);
  return opened;
}
