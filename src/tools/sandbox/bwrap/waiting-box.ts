import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { endProcess } from "../end-process.ts";

/** A sandbox that is set up and waits to be told its command. It runs one command, or none, and is never used again. */
export type Box = {
  child: ChildProcess;
  /** The first process inside, by the host's number. */
  innerPid: number;
  /** Called once, after the child has ended. */
  release(): Promise<void>;
};

export type WaitingBox = {
  /** The box that waits for just this plan, if it still holds; it is then the caller's. */
  take(plan: string, stillHolds: (box: Box) => boolean): Promise<Box | undefined>;
  /** Told after every command; a box is made ahead when the same plan has come twice in a row. */
  commandEnded(plan: string, make: MakeBox): void;
};

export type MakeBox = () => Promise<{ plan: string; box: Box } | undefined>;

type Waiting = { plan: string; box: Box; expiry: NodeJS.Timeout };

/** A model thinks longer than this between two commands, and one after the other in haste need no help. */
const pauseMs = 100;
const expiryMs = 60_000;

/** At most one box waits. */
export function openWaitingBox(): WaitingBox {
  let waiting: Waiting | undefined;
  let making: Promise<void> | undefined;
  let leaving: Promise<void> = Promise.resolve();
  let pause: NodeJS.Timeout | undefined;
  let lastPlan: string | undefined;
  let hopeless: string | undefined;
  return { take, commandEnded };

  async function take(plan: string, stillHolds: (box: Box) => boolean): Promise<Box | undefined> {
    clearTimeout(pause);
    await making;
    const found = waiting;
    if (!found) return undefined;
    waiting = undefined;
    clearTimeout(found.expiry);
    if (found.plan === plan && isAlive(found.box.child) && stillHolds(found.box)) return keptAlive(found.box, true);
    leave(found.box);
    return undefined;
  }

  function commandEnded(plan: string, make: MakeBox): void {
    const repeated = plan === lastPlan;
    lastPlan = plan;
    clearTimeout(pause);
    if (repeated && !waiting && !making && plan !== hopeless) pause = setTimeout(begin, pauseMs, plan, make).unref();
  }

  function begin(plan: string, make: MakeBox): void {
    making = keep(plan, make).finally(() => {
      making = undefined;
    });
  }

  async function keep(plan: string, make: MakeBox): Promise<void> {
    try {
      const made = await make();
      if (made) waiting = { ...made, expiry: setTimeout(expire, expiryMs, made.box).unref() };
      else hopeless = plan;
    } catch {
      // the workspace may be gone by now; the next command is told what is wrong with it
      hopeless = plan;
    }
  }

  function expire(box: Box): void {
    if (waiting?.box !== box) return;
    waiting = undefined;
    leave(box);
  }

  function leave(box: Box): void {
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
