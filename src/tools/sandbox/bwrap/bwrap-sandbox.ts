import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "../command-environment.ts";
import type { HeldLimits, LimitLayer } from "../limits/limit-layer.ts";
import { processLimitWords } from "../limits/process-limits.ts";
import type { MountPlaces } from "../mount-rules.ts";
import { type Mount, planMounts } from "../plan-mounts.ts";
import type { Sandbox, SandboxCommand } from "../sandbox.ts";
import { type Launch, type Preparation, startCommand } from "../start-command.ts";
import { giveToOwner, ownerForCommands, type UserIds } from "../workspace-owner.ts";
import { bwrapArguments, textProtections } from "./bwrap-arguments.ts";
import { egressRelayWords, innerSocket } from "./egress-relay.ts";
import { findInheritableDescriptors } from "./inheritable-descriptors.ts";
import { canReach, type RootTools, rootLaunchWords, type StagedPath, stageFor } from "./root-launch.ts";
import { openStandIns, type Protection } from "./stand-ins.ts";
import { findSystemEntries, isForNetwork } from "./system-folders.ts";

export type BwrapDeps = {
  bwrap: string;
  prlimit: string;
  socat: string | undefined;
  places: MountPlaces;
  limits: LimitLayer;
  /** Set when Steward runs as root: commands never do. */
  root?: { tools: RootTools; stageFolder: string; user: UserIds } | undefined;
  /** What bwrap itself is started with; its first process inside shows it to every command. */
  launchEnvironment: Readonly<Record<string, string>>;
  /** These two are replaced in the tests that show each guard to be needed. */
  buildArguments?: typeof bwrapArguments;
  inheritable?: readonly number[];
};

const ownFiles = ["passwd", "group", "hosts", "nsswitch.conf"];
const quickWalkMs = 5;
const reportDescriptor = 3;
const argumentDescriptor = 4;
const emptyDescriptor = 5;
const firstFileDescriptor = 6;
const firstTextDescriptor = firstFileDescriptor + ownFiles.length;

export function openBwrapSandbox(deps: BwrapDeps): Sandbox {
  const system = findSystemEntries();
  const standIns = openStandIns();
  const leaked = deps.inheritable ?? findInheritableDescriptors();
  const walkMs = new Map<string, number>();
  const buildArguments = deps.buildArguments ?? bwrapArguments;
  return { name: "bwrap", run: (command) => startCommand(command, () => prepare(command)), describe };

  function describe(): string {
    const user = deps.root ? "; Steward is root, commands are not" : "";
    return `bubblewrap: only the workspace can be written, no network${user}. Limits: ${deps.limits.describe()}.`;
  }

  async function prepare(command: SandboxCommand): Promise<Preparation> {
    const planned = planMounts(deps.places, command);
    if (planned.kind === "refused") return planned;
    if (command.network.kind === "proxy" && !deps.socat)
      return { kind: "refused", reason: "Network for commands needs socat: apt-get install socat." };
    const { workspace, cwd } = planned;
    const user = deps.root ? giveWorkspace(workspace, deps.root.user) : undefined;
    const placed = standIns.place(workspace);
    if (placed.kind === "refused") return placed;
    try {
      const held = await deps.limits.hold(command.limits);
      const opened = openDescriptors(leaked, textProtections(placed.protections).length);
      const mounts = [...planned.mounts, ...networkMounts(command)];
      const launch = planLaunch(command, {
        mounts,
        staged: [],
        cwd,
        protections: placed.protections,
        held,
        user,
        ...opened,
      });
      const release = async () => {
        opened.close();
        standIns.release(workspace);
        await held.release();
      };
      return { kind: "ready", launch, release };
    } catch (error) {
      standIns.release(workspace);
      throw error;
    }
  }

  function giveWorkspace(workspace: string, fallback: UserIds): UserIds {
    const user = ownerForCommands(workspace, fallback);
    // the file tools write as root; a large tree is walked once, and later only its top
    const whole = (walkMs.get(workspace) ?? 0) <= quickWalkMs;
    const beganAtMs = performance.now();
    giveToOwner(workspace, user, whole ? undefined : 1);
    if (whole) walkMs.set(workspace, performance.now() - beganAtMs);
    return user;
  }

  function planLaunch(command: SandboxCommand, parts: LaunchParts): Launch {
    const shown = deps.root && parts.user ? stageMounts(deps.root.stageFolder, parts.user, parts.mounts) : parts;
    const [workspace, ...mounts] = shown.mounts;
    if (!workspace) throw new Error("the workspace is always mounted");
    const texts = textProtections(parts.protections);
    const words = buildArguments({
      system: system.filter((entry) => command.network.kind !== "none" || !isForNetwork(entry)),
      files: ownFiles.map((name, position) => ({
        descriptor: firstFileDescriptor + position,
        target: join("/etc", name),
      })),
      workspace,
      mounts,
      protections: parts.protections,
      emptyDescriptor,
      textDescriptors: texts.map((_, position) => firstTextDescriptor + position),
      reportDescriptor,
      environment: commandEnvironment(command),
      cwd: parts.cwd,
      memoryBytes: command.limits.memoryBytes,
    });
    const { user, held } = parts;
    const start = { limits: command.limits, joinFiles: held.joinFiles, staged: shown.staged };
    const launcher = user && deps.root ? rootLaunchWords(deps.root.tools, { user, ...start }) : [];
    const bwrap = [deps.bwrap, "--args", String(argumentDescriptor), "--", ...innerWords(command)];
    const [file = "", ...args] = [...held.prefix, ...launcher, ...bwrap];
    return {
      file,
      args,
      environment: deps.launchEnvironment,
      cwd: "/",
      descriptors: parts.descriptors,
      texts: [
        // by a pipe: a command line can be read by every user of the machine, and this one holds the environment
        { descriptor: argumentDescriptor, text: words.map((word) => `${word}\0`).join("") },
        ...texts.map(({ text }, position) => ({ descriptor: firstTextDescriptor + position, text })),
      ],
      reportDescriptor,
      readFailure,
    };
  }

  function innerWords(command: SandboxCommand): string[] {
    const relay = command.network.kind === "proxy" && deps.socat ? egressRelayWords(deps.socat) : [];
    const inner = { time: !deps.root, memory: !deps.limits.countsWholeCommand };
    return [...processLimitWords(deps.prlimit, command.limits, inner), ...relay, ...command.argv];
  }
}

type Shown = { mounts: readonly Mount[]; staged: readonly StagedPath[] };

type LaunchParts = Shown & {
  cwd: string;
  protections: readonly Protection[];
  held: HeldLimits;
  user: UserIds | undefined;
  descriptors: Launch["descriptors"];
};

function networkMounts(command: SandboxCommand): Mount[] {
  if (command.network.kind === "none") return [];
  return [{ source: command.network.socketPath, target: innerSocket, access: "read" }];
}

function stageMounts(folder: string, user: UserIds, mounts: readonly Mount[]): Shown {
  const staged: StagedPath[] = [];
  const shown = mounts.map((mount) => {
    if (canReach(user, mount.source)) return mount;
    const place = stageFor(folder, staged.length, mount.source);
    staged.push(place);
    return { ...mount, source: place.stage };
  });
  return { mounts: shown, staged };
}

/** bwrap reads our files from descriptors, so they need not be readable for the user it runs as. */
function openDescriptors(
  leaked: readonly number[],
  texts: number,
): { descriptors: Launch["descriptors"]; close(): void } {
  const empty = openSync("/dev/null", "r");
  const files = ownFiles.map((name) => openSync(join(import.meta.dirname, "etc", name), "r"));
  const descriptors: (number | "pipe" | "ignore")[] = ["pipe", "pipe", empty, ...files, ...Array(texts).fill("pipe")];
  for (const descriptor of leaked) {
    const position = descriptor - reportDescriptor;
    while (descriptors.length <= position) descriptors.push("ignore");
    // covered with nothing, unless one of ours lies there already
    if (descriptors[position] === "ignore") descriptors[position] = empty;
  }
  return { descriptors, close };

  function close(): void {
    for (const descriptor of [empty, ...files]) closeSync(descriptor);
  }
}

/** bwrap reports an exit code only for a program that it has really started. */
function readFailure(report: string, errorText: string): { exitCode: number } | { notStarted?: string } {
  if (report.includes('"exit-code"')) return {};
  // as a shell says it
  if (errorText.startsWith("bwrap: execvp")) return { exitCode: 127 };
  const said = errorText.trim().split("\n").at(-1) ?? "";
  return { notStarted: `The sandbox could not be set up: ${said || "bwrap gave no reason"}` };
}
