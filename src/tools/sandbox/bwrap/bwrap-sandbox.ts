// A command comes in; it runs in a box of its own, made for it or made ahead and waiting, and the box goes with it.
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { egressRelayWords } from "../egress/egress-relay.ts";
import type { HeldLimits, LimitLayer } from "../limits/limit-layer.ts";
import { processLimitWords } from "../limits/process-limits.ts";
import type { MountPlaces } from "../mount-rules.ts";
import { type KeptBox, openKeptNames } from "../names/keep-names.ts";
import { type BoxRecord, openBoxRecords } from "../record/box-record.ts";
import { exitCodeIn, innerPidIn } from "../record/box-report.ts";
import { moveRecord } from "../record/hidden-then.ts";
import type { Sandbox, SandboxCommand } from "../sandbox.ts";
import { startClearing } from "../stand-ins/clear-afterwards.ts";
import { openStandInStore } from "../stand-ins/stand-in-store.ts";
import { openStandIns } from "../stand-ins/stand-ins.ts";
import { type Preparation, type Released, type StartedProcess, startCommand } from "../start-command.ts";
import { lastLineOf, startProcess } from "../start-process.ts";
import { holdsProtections, mountsOf } from "./box-mounts.ts";
import { type BoxDeps, boxProgram, findInheritableDescriptors, type InnerProgram } from "./box-program.ts";
import { commandDescriptor, readerWords, textForReader } from "./box-reader.ts";
import { bwrapArguments } from "./bwrap-arguments.ts";
import { graceSeconds } from "./keeper.ts";
import { markBeginning, whenLeftBoxesAreGone } from "./left-boxes.ts";
import { type BoxPlan, identityOf, openGiving, type PlanDeps, planBox } from "./plan-box.ts";
import { findCoveredFiles, findSystemEntries } from "./system-folders.ts";
import { type Box, discard, keptAlive, openWaitingBox } from "./waiting-box.ts";
import { endBox, isSoonPowerless, whenGone } from "./when-gone.ts";
import { whenReady } from "./when-ready.ts";

export type BwrapDeps = Pick<BoxDeps, "bwrap" | "rootTools" | "launchEnvironment"> & {
  /** Which system calls a box allows. */
  filter: Buffer;
  prlimit: string;
  socat: string | undefined;
  places: MountPlaces;
  limits: LimitLayer;
  /** Told of keys that a command may have read. */
  hideValues?(values: readonly string[]): void;
  redact?(text: string): string;
  /** These two are replaced in the tests that show each guard to be needed. */
  buildArguments?: typeof bwrapArguments;
  inheritable?: readonly number[];
};

export function openBwrapSandbox(deps: BwrapDeps): Sandbox {
  const { bwrap, rootTools, launchEnvironment, buildArguments = bwrapArguments } = deps;
  const filter = openNameless(deps.filter);
  const leaked = deps.inheritable ?? findInheritableDescriptors();
  const mark = `${markBeginning}${randomUUID()}`;
  const found = { leaked, system: findSystemEntries(), coveredFiles: findCoveredFiles() };
  const boxDeps: BoxDeps = { bwrap, mark, filter, rootTools, launchEnvironment, buildArguments, ...found };
  const store = openStandInStore(join(deps.places.stewardHome, "data", "stand-ins"));
  const standIns = openStandIns(store);
  const names = openKeptNames({
    folder: join(deps.places.stewardHome, "data", "set-aside"),
    hideValues: deps.hideValues ?? (() => {}),
    redact: deps.redact ?? ((text) => text),
  });
  const giveWorkspace = openGiving(rootTools !== undefined);
  const planDeps: PlanDeps = { places: deps.places, standIns, names, giveWorkspace };
  const waiting = openWaitingBox();
  // without room on the disk commands still run, from memory, and nobody can find out later how they ended
  const inMemory = `/dev/shm/steward-commands-${process.getuid?.()}`;
  const recordFolders = [join(deps.places.stewardHome, "data", "commands"), inMemory] as const;
  const records = openBoxRecords(recordFolders);
  let clearing: Promise<() => void> | undefined;
  let commands = 0;
  let isClosed = false;
  let hasLetGo = false;
  const run = (command: SandboxCommand) => startCommand(command, () => prepareCounted(command));
  return { name: "bwrap", keepsRecords: true, run, describe, close };

  async function close(): Promise<void> {
    await waiting.close();
    await names.close();
    records.removeClosed();
    isClosed = true;
    await letGo();
  }

  /** When the last command is over: none comes after it. */
  async function letGo(): Promise<void> {
    if (!isClosed || commands > 0 || hasLetGo) return;
    hasLetGo = true;
    closeSync(filter);
    (await clearing?.catch(() => undefined))?.();
  }

  function describe(): string {
    const user = rootTools ? "; Steward is root, commands are not" : "";
    return `bubblewrap: only the workspace can be written, no network${user}. Limits: ${deps.limits.describe()}.`;
  }

  async function prepareCounted(command: SandboxCommand): Promise<Preparation> {
    commands += 1;
    let isReady = false;
    try {
      const prepared = await prepare(command);
      if (prepared.kind === "refused") return prepared;
      isReady = true;
      return { ...prepared, release: () => releaseCounted(prepared.release) };
    } finally {
      if (!isReady) await commandIsOver();
    }
  }

  async function releaseCounted(release: () => Promise<Released>): Promise<Released> {
    try {
      return await release();
    } finally {
      await commandIsOver();
    }
  }

  async function commandIsOver(): Promise<void> {
    commands -= 1;
    await letGo();
  }

  async function prepare(command: SandboxCommand): Promise<Preparation> {
    if (command.network.kind === "proxy" && !deps.socat)
      return { kind: "refused", reason: "Network for commands needs socat: apt-get install socat." };
    // before anything is made that would have to be cleared away
    clearing ??= clear();
    await clearing.catch((cause) => {
      // the next command looks once more
      clearing = undefined;
      throw cause;
    });
    const planned = await planBox(planDeps, command);
    if (planned.kind === "refused") return planned;
    const { plan } = planned;
    let kept: KeptBox | undefined;
    try {
      kept = names.begin(plan);
      const watch = kept;
      const identity = identityOf(plan);
      const canWait = store.keepsFor(plan.workspace) && !command.isLast;
      const { start, release } =
        (await takeWaiting(plan, identity, command)) ??
        (await makeNew(plan, { words: command.argv, waits: false }, command.recordPlace));
      if (canWait) waiting.commandStarted(identity, () => makeAhead(command));
      return {
        kind: "ready",
        launch: { start: () => watched(watch, start()), watch, readFailure },
        release: async () => {
          await release();
          // only now: a process that is still dying must not find a protected name free
          const released = await watch.end().finally(() => standIns.release(plan.workspace));
          await waiting.settled();
          if (canWait) waiting.commandEnded(identity, () => makeAhead(command));
          return released;
        },
      };
    } catch (error) {
      await kept?.end();
      standIns.release(plan.workspace);
      throw error;
    }
  }

  async function clear(): Promise<() => void> {
    await whenLeftBoxesAreGone(recordFolders);
    return startClearing({ mark, folder: store.folder, groups: deps.limits.groups ?? [], afterSeconds: graceSeconds });
  }

  async function takeWaiting(plan: BoxPlan, identity: string, command: SandboxCommand): Promise<Started | undefined> {
    const text = textForReader(command.argv, plan.takesInput);
    if (text === undefined) return undefined;
    const inside = plan.mounts[0]?.target ?? "";
    const box = await waiting.take(identity, ({ innerPid }) =>
      holdsProtections(mountsOf(innerPid), inside, plan.protections),
    );
    if (!box) return undefined;
    let isUsed = false;
    const start = () => {
      isUsed = true;
      moveRecord(box.record, command.recordPlace, plan);
      tell(box.child, [{ descriptor: commandDescriptor, text }]);
      return box;
    };
    return { start, release: () => (isUsed ? box.release() : discard(box)) };
  }

  async function makeNew(plan: BoxPlan, inner: InnerProgram, recordPlace?: string): Promise<Started> {
    const held = await deps.limits.hold(plan.limits);
    const inside = { time: !rootTools, memory: !deps.limits.countsWholeCommand };
    const relay = plan.network.kind === "proxy" && deps.socat ? egressRelayWords(deps.socat) : [];
    const words = [...processLimitWords(deps.prlimit, plan.limits, inside), ...relay, ...inner.words];
    let record: BoxRecord | undefined;
    const start = () => {
      record = records.make();
      moveRecord(record, recordPlace, plan);
      return { child: startBox(plan, { held, inner: { ...inner, words }, record }), record };
    };
    const release = async () => {
      const innerPid = innerPidIn(record?.reported() ?? "");
      record?.close();
      await releaseBox(held, innerPid);
    };
    return { start, release };
  }

  /** The plan is made anew: it may have changed since the command that gave the reason. */
  async function makeAhead(command: SandboxCommand): Promise<{ plan: string; box: Box } | undefined> {
    const planned = await planBox(planDeps, command);
    if (planned.kind === "refused") return undefined;
    // whether the next command reads any input is not known yet
    const plan = { ...planned.plan, takesInput: true };
    try {
      const box = await makeReader(plan);
      return box && { plan: identityOf(plan), box: keptAlive(box, false) };
    } finally {
      standIns.release(plan.workspace);
    }
  }

  async function makeReader(plan: BoxPlan): Promise<Box | undefined> {
    const started = await makeNew(plan, { words: readerWords, waits: true });
    try {
      const { child, record } = started.start();
      const innerPid = await whenReady({ child, record });
      if (innerPid !== undefined) return { child, innerPid, record, release: started.release };
      await discard({ child, release: started.release });
    } catch (error) {
      await started.release();
      throw error;
    }
    return undefined;
  }

  function startBox(plan: BoxPlan, parts: Parameters<typeof boxProgram>[2]): ChildProcess {
    const { program, texts, close } = boxProgram(boxDeps, plan, parts);
    try {
      const child = startProcess(program);
      tell(child, texts);
      return child;
    } finally {
      close();
    }
  }
}

/** Returns when nothing in the box can do anything any more; what the kernel still has to clear goes on behind. */
async function releaseBox(held: HeldLimits, innerPid: number | undefined): Promise<void> {
  if (innerPid !== undefined && (await isSoonPowerless(innerPid))) {
    // a group that cannot be removed by then is removed by the next start
    void held.release().catch(() => {});
    return;
  }
  if (innerPid !== undefined) endBox(innerPid);
  await held.release();
  if (innerPid !== undefined) await whenGone(innerPid);
}

function watched(kept: KeptBox, started: Required<StartedProcess>): Required<StartedProcess> {
  kept.started(started.child.pid);
  return started;
}

/** A file that only this process can open. */
function openNameless(content: Buffer): number {
  const path = join(tmpdir(), `steward-${randomUUID()}`);
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  const descriptor = openSync(path, "r");
  unlinkSync(path);
  return descriptor;
}

type Started = { start(): Required<StartedProcess>; release(): Promise<void> };

function tell(child: ChildProcess, texts: readonly { descriptor: number; text: string }[]): void {
  for (const { descriptor, text } of texts) (child.stdio[descriptor] as Writable).end(text);
}

function readFailure(report: string, errorText: string): { exitCode: number } | { notStarted?: string } {
  if (exitCodeIn(report) !== undefined) return {};
  // as a shell says it
  if (errorText.startsWith("bwrap: execvp")) return { exitCode: 127 };
  return { notStarted: `The sandbox could not be set up: ${lastLineOf(errorText, "bwrap gave no reason")}` };
}
