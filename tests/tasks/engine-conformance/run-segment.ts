// A task as a worker runs it: seven effects in three segments, with a wait after the second and a question after the fourth.
import { setTimeout as pause } from "node:timers/promises";
import type { NewEvent } from "../../../src/contract/event.ts";
import type { Claim } from "../../../src/tasks/engine/engine.ts";
import type { OpenedEngine } from "./adapters.ts";
import { type Deed, deedFile } from "./line-files.ts";

export const stepsOf: Readonly<Record<number, readonly number[]>> = { 0: [1, 2], 1: [3, 4], 2: [5, 6, 7] };
const parkedMs = 1_500;

export function segmentJob(task: number, segment: number) {
  return { id: `task:${task}:${segment}`, lane: `task:${task}`, payload: { task, segment } };
}

export type SegmentDeps = OpenedEngine & { folder: string; random(): number };

/** Runs to its end or to where it must wait; a claim that was lost meanwhile is somebody else's. */
export async function runSegment(deps: SegmentDeps, claim: Claim): Promise<void> {
  const { engine } = deps;
  const { task, segment } = claim.job.payload as { task: number; segment: number };
  for (const step of stepsOf[segment] ?? []) {
    if ((await engine.heartbeat(claim)) !== "held") return;
    await runStep(deps, claim, { task, step });
  }
  const untilMs = Date.now() + parkedMs;
  if (segment === 0) {
    note(deps, { kind: "parked", task, untilMs });
    await engine.delay(segmentJob(task, 1), untilMs);
  } else note(deps, { kind: segment === 1 ? "asked" : "finished", task });
  await engine.finish(claim, { kind: "done" });
}

/** Claimed before it acts; a claim that is already there without a result is unknown, and never acted on again. */
async function runStep(deps: SegmentDeps, claim: Claim, at: { task: number; step: number }): Promise<void> {
  const place = {
    ...{ conversation: `task--${at.task}`, turn: `turn_${at.task}` },
    ...{ callId: `call_${at.task}_${at.step}`, tool: "effect" },
  };
  const isFirst = await append({ type: "tool.sent", ...place }, `sent:${place.callId}`);
  if (isFirst) {
    note(deps, { kind: "effect began", ...at });
    await pause(20 + deps.random() * 130);
    note(deps, { kind: "effect ended", ...at });
  }
  const outcome = isFirst ? "done" : "unknown";
  const returned = { type: "tool.returned", ...place, outcome, output: "" } as const;
  await append({ ...returned, attachments: [], labels: [], files: [], changes: [] }, `returned:${place.callId}`);
  const result = await resultOf(deps, place);
  if (result === "unknown") note(deps, { kind: "unknown", ...at });

  async function append(event: NewEvent, idempotencyKey: string): Promise<boolean> {
    const decide: Parameters<typeof deps.log.appendDecided>[0] = async (tx) => {
      if (!(await deps.holds(tx, claim))) throw new Error(`${claim.worker} has lost ${claim.job.id}`);
      return [event];
    };
    return !(await deps.log.appendDecided(decide, { idempotencyKey })).repeated;
  }
}

async function resultOf({ log }: SegmentDeps, { turn, callId }: { turn: string; callId: string }) {
  for (const event of await log.ofTurn(turn))
    if (event.type === "tool.returned" && event.callId === callId) return event.outcome;
  return undefined;
}

function note({ folder }: SegmentDeps, deed: Omit<Deed, "atMs">): void {
  deedFile.add(folder, { ...deed, atMs: Date.now() });
}
