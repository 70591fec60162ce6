import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { BoxRecord } from "../record/box-record.ts";
import { endProcess } from "../start-process.ts";

/** A sandbox that is set up and waits to be told its command. It runs one command, or none, and is never used again. */
export type Box = {
  child: ChildProcess;
  /** The first process inside, by the host's number. */
  innerPid: number;
  record: BoxRecord;
  /** Called once, after the child has ended. */
  release(): Promise<void>;
};

export type WaitingBox = {
  /** The box that waits for just this plan, if it still holds; it is then the caller's. */
  take(plan: string, stillHolds: (box: Box) => boolean): Promise<Box | undefined>;
  /** Told of every command, so that the next one like it finds a box. */
  commandStarted(plan: string, make: MakeBox): void;
  commandEnded(plan: string, make: MakeBox): void;
  /** Waits for a box that is just being made, whose stand-ins lie in the workspace. */
  settled(): Promise<void>;
  /** Ends the box that waits; from then on none is made. */
  close(): Promise<void>;
};

/** Undefined: none could be made. */
export type MakeBox = () => Promise<{ plan: string; box: Box } | undefined>;

type Waiting = { plan: string; box: Box; expiry: NodeJS.Timeout };

/**
 * While a box is made, stand-ins lie in the workspace: whatever looks at the files right after a command comes first.
 * A model thinks much longer than both take.
 */
const pauseMs = 100;
/** A command that has run this long may run on while others come. */
const longRunMs = 2_000;
const expiryMs = 180_000;
/** A machine on which boxes cannot wait is not tried with every command. */
const hopelessMs = 60_000;

/** At most one box waits. */
export function openWaitingBox(): WaitingBox {
  let waiting: Waiting | undefined;
  let making: { plan: string; done: Promise<void> } | undefined;
  let leaving: Promise<void> = Promise.resolve();
  let pause: NodeJS.Timeout | undefined;
  let lastPlan: string | undefined;
  let isClosed = false;
  let hopeless: { plan: string; untilMs: number } | undefined;
  const commandStarted = makeIn.bind(undefined, longRunMs);
  return { take, commandStarted, commandEnded, settled: async () => making?.done, close };

  async function take(plan: string, stillHolds: (box: Box) => boolean): Promise<Box | undefined> {
    clearTimeout(pause);
    if (making?.plan === plan) await making.done;
    if (waiting?.plan !== plan) return undefined;
    const box = putOut(waiting);
    if (isAlive(box.child) && stillHolds(box)) return keptAlive(box, true);
    leave(box);
    return undefined;
  }

  function commandEnded(plan: string, make: MakeBox): void {
    // one that waits for another kind of command stays until this kind has come twice
    if (waiting && waiting.plan !== plan && plan === lastPlan) leave(putOut(waiting));
    lastPlan = plan;
    makeIn(pauseMs, plan, make);
  }

  function makeIn(delayMs: number, plan: string, make: MakeBox): void {
    clearTimeout(pause);
    const isHopeless = hopeless?.plan === plan && performance.now() < hopeless.untilMs;
    if (!isClosed && !waiting && !making && !isHopeless) pause = setTimeout(begin, delayMs, plan, make).unref();
  }

  function begin(plan: string, make: MakeBox): void {
    const done = keep(plan, make).finally(() => {
      making = undefined;
    });
    making = { plan, done };
  }

  async function keep(plan: string, make: MakeBox): Promise<void> {
    // the stand-ins of one that is just being cleared away would look like files of the workspace
    await leaving;
    // the workspace may be gone by now; the next command is told what is wrong with it
    const made = await make().catch(() => undefined);
    if (made) waiting = { ...made, expiry: setTimeout(expire, expiryMs, made.box).unref() };
    else hopeless = { plan, untilMs: performance.now() + hopelessMs };
  }

  function expire(box: Box): void {
    if (waiting?.box === box) leave(putOut(waiting));
  }

  function putOut({ box, expiry }: Waiting): Box {
    clearTimeout(expiry);
    waiting = undefined;
    return box;
  }

  async function close(): Promise<void> {
    isClosed = true;
    clearTimeout(pause);
    await making?.done;
    if (waiting) leave(putOut(waiting));
    await leaving;
  }

  function leave(box: Box): void {
    // it must not end with Steward's last other work, before its record is gone
    keptAlive(box, true);
    // what cannot be cleared away now is cleared away by the next start
    leaving = leaving.then(() => discard(box)).catch(() => {});
  }
}

/** Ends a box that will not be used. */
export async function discard(box: Pick<Box, "child" | "release">): Promise<void> {
  const { child } = box;
  if (child.pid !== undefined) endProcess(-child.pid);
  if (isAlive(child) && child.pid !== undefined) await new Promise((resolve) => child.once("exit", resolve));
  for (const stream of child.stdio) stream?.destroy();
  await box.release();
}

/** A box that only waits is no reason for Steward to go on running. */
export function keptAlive(box: Box, kept: boolean): Box {
  const handles = [box.child, ...box.child.stdio.filter((stream) => stream !== null)] as (ChildProcess | Socket)[];
  for (const handle of handles) kept ? handle.ref() : handle.unref();
  return box;
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
