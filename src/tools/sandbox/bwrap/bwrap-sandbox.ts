// A command comes in; it runs in a box of its own, made for it or made ahead and waiting, and the box goes with it.
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import type { HeldLimits, LimitLayer } from "../limits/limit-layer.ts";
import { processLimitWords } from "../limits/process-limits.ts";
import type { MountPlaces } from "../mount-rules.ts";
import type { Sandbox, SandboxCommand } from "../sandbox.ts";
import { type Preparation, startCommand } from "../start-command.ts";
import { startProcess } from "../start-process.ts";
import { giveToOwner, type KnownFolders, ownerForCommands, type UserIds } from "../workspace-owner.ts";
import { type BoxDeps, boxProgram, type InnerProgram, reportDescriptor } from "./box-program.ts";
import { commandDescriptor, readerWords, textForReader } from "./box-reader.ts";
import { bwrapArguments } from "./bwrap-arguments.ts";
import { egressRelayWords } from "./egress-relay.ts";
import { findInheritableDescriptors } from "./inheritable-descriptors.ts";
import { holdsProtections } from "./mounted-protections.ts";
import { type BoxPlan, identityOf, type PlanDeps, planBox } from "./plan-box.ts";
import { openStandInStore } from "./stand-in-store.ts";
import { openStandIns } from "./stand-ins.ts";
import { findSystemEntries } from "./system-folders.ts";
import { type Box, discard, keptAlive, openWaitingBox } from "./waiting-box.ts";
import { whenReady } from "./when-ready.ts";

export type BwrapDeps = Pick<BoxDeps, "bwrap" | "root" | "launchEnvironment"> & {
  prlimit: string;
  socat: string | undefined;
  places: MountPlaces;
  limits: LimitLayer;
  /** These two are replaced in the tests that show each guard to be needed. */
  buildArguments?: typeof bwrapArguments;
  inheritable?: readonly number[];
};

const quickWalkMs = 5;

export function openBwrapSandbox(deps: BwrapDeps): Sandbox {
  const { bwrap, root, launchEnvironment, buildArguments = bwrapArguments } = deps;
  const leaked = deps.inheritable ?? findInheritableDescriptors();
  const boxDeps: BoxDeps = { bwrap, root, launchEnvironment, buildArguments, leaked, system: findSystemEntries() };
  const store = openStandInStore(join(deps.places.stewardHome, "data", "stand-ins"));
  const standIns = openStandIns(store);
  const planDeps: PlanDeps = { places: deps.places, standIns, giveWorkspace: openGiving(root?.user) };
  const waiting = openWaitingBox();
  return { name: "bwrap", run: (command) => startCommand(command, () => prepare(command)), describe };

  function describe(): string {
    const user = root ? "; Steward is root, commands are not" : "";
    return `bubblewrap: only the workspace can be written, no network${user}. Limits: ${deps.limits.describe()}.`;
  }

  async function prepare(command: SandboxCommand): Promise<Preparation> {
    if (command.network.kind === "proxy" && !deps.socat)
      return { kind: "refused", reason: "Network for commands needs socat: apt-get install socat." };
    const planned = planBox(planDeps, command);
    if (planned.kind === "refused") return planned;
    const { plan } = planned;
    try {
      const identity = identityOf(plan);
      const { start, release } = (await takeWaiting(plan, identity, command)) ?? (await makeNew(plan, command));
      return {
        kind: "ready",
        launch: { start, reportDescriptor, readFailure },
        release: async () => {
          try {
            await release();
          } finally {
            // only now: a process that is still dying must not find a protected name free
            standIns.release(plan.workspace);
          }
          if (store.keepsFor(plan.workspace) && !plan.takesInput)
            waiting.commandEnded(identity, () => makeAhead(command));
        },
      };
    } catch (error) {
      standIns.release(plan.workspace);
      throw error;
    }
  }

  async function takeWaiting(plan: BoxPlan, identity: string, command: SandboxCommand): Promise<Started | undefined> {
    const text = textForReader([...relayWords(plan), ...command.argv]);
    if (text === undefined) return undefined;
    const box = await waiting.take(identity, ({ innerPid }) => stillHolds(plan, innerPid));
    if (!box) return undefined;
    const start = () => {
      tell(box.child, [{ descriptor: commandDescriptor, text }]);
      return box.child;
    };
    return { start, release: box.release };
  }

  async function makeNew(plan: BoxPlan, command: SandboxCommand): Promise<Started> {
    const held = await deps.limits.hold(plan.limits);
    const words = [...limitWords(plan), ...relayWords(plan), ...command.argv];
    return { start: () => startBox(plan, held, { words, waits: false }), release: held.release };
  }

  /** The plan is made anew: it may have changed since the command that gave the reason. */
  async function makeAhead(command: SandboxCommand): Promise<{ plan: string; box: Box } | undefined> {
    const planned = planBox(planDeps, command);
    if (planned.kind === "refused") return undefined;
    const { plan } = planned;
    try {
      const held = await deps.limits.hold(plan.limits);
      const child = startBox(plan, held, { words: [...limitWords(plan), ...readerWords], waits: true });
      const innerPid = await whenReady(child);
      const box = { child, innerPid: innerPid ?? 0, release: held.release };
      if (innerPid !== undefined) return { plan: identityOf(plan), box: keptAlive(box, false) };
      await discard(box);
      return undefined;
    } finally {
      standIns.release(plan.workspace);
    }
  }

  function startBox(plan: BoxPlan, held: HeldLimits, inner: InnerProgram): ChildProcess {
    const { program, texts, close } = boxProgram(boxDeps, plan, held, inner);
    try {
      const child = startProcess(program);
      tell(child, texts);
      return child;
    } finally {
      close();
    }
  }

  function limitWords(plan: BoxPlan): string[] {
    return processLimitWords(deps.prlimit, plan.limits, { time: !root, memory: !deps.limits.countsWholeCommand });
  }

  function relayWords(plan: BoxPlan): string[] {
    return plan.network.kind === "proxy" && deps.socat ? egressRelayWords(deps.socat) : [];
  }
}

type Started = { start(): ChildProcess; release(): Promise<void> };

/** The file tools write as root; a tree that is large even at the second look is later given only at its top. */
function openGiving(fallback: UserIds | undefined): PlanDeps["giveWorkspace"] {
  const known: KnownFolders = new Map();
  const walks = new Map<string, { count: number; lastMs: number }>();
  return (workspace) => {
    if (!fallback) return undefined;
    const user = ownerForCommands(workspace, fallback);
    const { count, lastMs } = walks.get(workspace) ?? { count: 0, lastMs: 0 };
    const isWhole = count < 2 || lastMs <= quickWalkMs;
    const beganAtMs = performance.now();
    giveToOwner(workspace, user, isWhole ? { known } : { depth: 1 });
    if (isWhole) walks.set(workspace, { count: count + 1, lastMs: performance.now() - beganAtMs });
    return user;
  };
}

function tell(child: ChildProcess, texts: readonly { descriptor: number; text: string }[]): void {
  for (const { descriptor, text } of texts) (child.stdio[descriptor] as Writable).end(text);
}

function stillHolds(plan: BoxPlan, innerPid: number): boolean {
  try {
    const mountInfo = readFileSync(`/proc/${innerPid}/mountinfo`, "utf8");
    return holdsProtections(mountInfo, plan.mounts[0]?.target ?? "", plan.protections);
  } catch {
    // a box whose mounts cannot be seen is not trusted
    return false;
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
