import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { giveToOwner, ownerForCommands, type UserIds } from "../../programs/workspace-owner.ts";
import { commandEnvironment } from "../command-environment.ts";
import { egressRelayWords } from "../egress/egress-relay.ts";
import type { Mount, MountPlaces } from "../mount-rules.ts";
import { openKeptNames } from "../names/keep-names.ts";
import { protectWorkspace } from "../names/protect-workspace.ts";
import { planMounts } from "../plan-mounts.ts";
import type { Sandbox, SandboxCommand } from "../sandbox.ts";
import { openStandIns, type Protection } from "../stand-ins/stand-ins.ts";
import { type Launch, type Preparation, startCommand, takesInput } from "../start-command.ts";
import { lastLineOf, startProcess } from "../start-process.ts";
import { type ContainerProgram, containerArguments } from "./container-arguments.ts";
import { type ContainerTool, containerName, removeContainer } from "./remove-containers.ts";

export type ContainerDeps = ContainerTool & {
  image: string;
  runtime: string | undefined;
  cpus: number;
  places: MountPlaces;
  /** Whom Steward runs as. */
  ownUser: UserIds;
  newId(): string;
  /** Told of keys that a command may have read. */
  hideValues?(values: readonly string[]): void;
  redact?(text: string): string;
};

const emptyFile = join(import.meta.dirname, "empty-file");
/** What the tools themselves answer with when the container could not be made; 126 and 127 are the command's own. */
const toolFailure = 125;

/** Each command gets a fresh container of its group's: nothing of one command is left for the next. */
export function openContainerSandbox(deps: ContainerDeps): Sandbox {
  const standIns = openStandIns();
  const data = join(deps.places.stewardHome, "data");
  const names = openKeptNames({
    folder: join(data, "set-aside"),
    hideValues: deps.hideValues ?? (() => {}),
    redact: deps.redact ?? ((text) => text),
  });
  const run = (command: SandboxCommand) => startCommand(command, () => prepare(command));
  return { name: deps.program, run, describe, close: names.close };

  function describe(): string {
    const kind = deps.runtime ? `${deps.program} with ${deps.runtime}` : deps.program;
    return `${kind}, image ${deps.image}: a fresh container for each command, no network, memory and processes limited.`;
  }

  async function prepare(command: SandboxCommand): Promise<Preparation> {
    const planned = planMounts(deps.places, command);
    if (planned.kind === "refused") return planned;
    const problem = unsupported(deps.program, command, planned.mounts);
    if (problem) return { kind: "refused", reason: problem };
    const { workspace } = planned;
    const { before: user, kept } = await protectWorkspace({ standIns, names }, workspace, () => userFor(workspace));
    if (kept.kind === "refused") return kept;
    const protections = kept.protections.flatMap((one) => protectionMounts(workspace, command.workspace, one));
    const strange = unsupported(deps.program, command, protections);
    if (strange) {
      standIns.release(workspace);
      return { kind: "refused", reason: strange };
    }
    const watch = names.begin({ workspace, ...kept });
    const launch = planLaunch(command, user, { cwd: planned.cwd, mounts: [...planned.mounts, ...protections] });
    const start = () => {
      const started = launch.start();
      watch.started();
      return started;
    };
    return {
      kind: "ready",
      launch: { ...launch, start, watch },
      release: () => watch.end().finally(() => standIns.release(workspace)),
    };
  }

  /** Only bubblewrap can show another text: git's list of ignored names stays the host's own, what holds keys is not shown. */
  function protectionMounts(source: string, target: string, protection: Protection): Mount[] {
    const place = join(target, protection.name);
    if (protection.kind === "text" && protection.id === undefined) return [];
    if (protection.kind === "text" || protection.kind === "hidden")
      return [{ source: emptyFile, target: place, access: "read" }];
    if (protection.kind === "hidden-folder") return [{ source: emptyFolder(), target: place, access: "read" }];
    const access = protection.kind === "writable" ? "write" : "read";
    return [{ source: join(source, protection.name), target: place, access }];
  }

  function emptyFolder(): string {
    const folder = join(data, "empty-folder");
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  function userFor(workspace: string): UserIds {
    if (deps.ownUser.uid !== 0) return deps.ownUser;
    const user = ownerForCommands(workspace);
    giveToOwner(workspace, user);
    return user;
  }

  function planLaunch(
    command: SandboxCommand,
    user: UserIds,
    place: { cwd: string; mounts: readonly Mount[] },
  ): Launch {
    const group = containerName(deps.places.stewardHome, command.workspace);
    const name = `${group}-${deps.newId()}`;
    const relay = command.network.kind === "proxy" ? egressRelayWords("socat") : [];
    const { image, runtime, cpus } = deps;
    const args = containerArguments(deps.program, {
      ...{ ...place, name, image, runtime, cpus, user },
      label: `steward.group=${group}`,
      rootless: deps.ownUser.uid !== 0,
      socketPath: command.network.kind === "proxy" ? command.network.socketPath : undefined,
      environment: commandEnvironment(command),
      limits: command.limits,
      takesInput: takesInput(command),
      inner: [...relay, ...command.argv],
    });
    const program = {
      ...{ file: deps.tool, args, environment: deps.launchEnvironment, cwd: "/", descriptors: [] },
      takesInput: takesInput(command),
    };
    return {
      start: () => ({ child: startProcess(program) }),
      readFailure: (_report, errorText, exitCode) => readFailure(deps.program, errorText, exitCode),
      stop: () => removeContainer(deps, name),
    };
  }
}

function unsupported(program: ContainerProgram, command: SandboxCommand, mounts: readonly Mount[]): string | undefined {
  // a comma would begin another option of the mount
  const strange = mounts.find((mount) => /[,"\n]/.test(mount.source + mount.target));
  if (strange)
    return `${strange.source} cannot be mounted in a container: its name holds a comma, quote or line break.`;
  if (program === "apple-container" && command.network.kind === "proxy")
    return "Apple's container cannot pass the egress proxy's socket on: commands have no network there.";
  return undefined;
}

function readFailure(program: ContainerProgram, errorText: string, exitCode: number | null): { notStarted?: string } {
  if (exitCode !== toolFailure) return {};
  const said = lastLineOf(errorText, `exit code ${exitCode}`);
  return { notStarted: `${program} could not start the container: ${said}` };
}
