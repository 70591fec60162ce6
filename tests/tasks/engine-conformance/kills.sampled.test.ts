import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { EventOf } from "../../../src/contract/event.ts";
import { eventually } from "../../scenes/eventually.ts";
import { isLong, openRandom } from "../../scenes/sample.ts";
import { ended } from "../../scenes/steward-process.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";
import { type Adapter, adapters } from "./adapters.ts";
import { type Deed, deedFile, orderFile } from "./line-files.ts";
import { stepsOf } from "./run-segment.ts";

const kills = isLong ? 45 : 5;
const tasksInFlight = 24;
const steps = Object.values(stepsOf).flat();
const node = fileURLToPath(new URL("../../../node_modules/node/bin/node", import.meta.url));
const workerProcess = fileURLToPath(new URL("./task-worker-process.ts", import.meta.url));

test.each(adapters)(
  `killed at ${kills} random moments, the $name engine loses no task and no step, and no effect begins twice`,
  async (adapter) => {
    const folder = await temporaryFolder();
    const driver = openDriver(folder);
    const random = openRandom();
    for (let kill = 0; kill < kills; kill++) {
      const worker = spawnWorker(adapter, folder);
      // some die while they start, most while they work
      if (kill % 5 === 0) await pause(random() * 400);
      else {
        await worker.ready;
        await pause(random() * 1_200);
      }
      driver.play();
      worker.child.kill("SIGKILL");
      expect(await ended(worker.child), worker.errors()).toBe("SIGKILL");
    }
    driver.beginNoMore();
    const last = spawnWorker(adapter, folder);
    await eventually(() => {
      driver.play();
      return last.child.exitCode ?? driver.open();
    }, []);
    last.child.kill("SIGKILL");
    await ended(last.child);
    await expectAllWell(adapter, folder, driver.begun());
  },
  1_800_000,
);

/** The owner: keeps so many tasks under way, and says yes to whatever is asked. */
function openDriver(folder: string) {
  let begun = 0;
  let beginsMore = true;
  const answered = new Set<number>();
  const timer = setInterval(play, 25);
  onTestFinished(() => clearInterval(timer));
  play();
  return { play, open, begun: () => begun, beginNoMore };

  function play(): void {
    for (const { kind, task } of deedFile.read(folder)) {
      if (kind !== "asked" || answered.has(task)) continue;
      answered.add(task);
      orderFile.add(folder, { kind: "answer", task });
    }
    while (beginsMore && open().length < tasksInFlight) {
      orderFile.add(folder, { kind: "task", task: begun });
      begun += 1;
    }
  }

  function open(): readonly number[] {
    const finished = new Set(deedFile.read(folder).flatMap(({ kind, task }) => (kind === "finished" ? [task] : [])));
    return Array.from({ length: begun }, (_, task) => task).filter((task) => !finished.has(task));
  }

  function beginNoMore(): void {
    beginsMore = false;
  }
}

function spawnWorker(adapter: Adapter, folder: string) {
  const child: ChildProcess = spawn(node, [workerProcess, adapter.name, folder], {
    env: { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: join(folder, "compiled") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let errors = "";
  child.stderr?.on("data", (said) => {
    errors += said;
  });
  const ready = new Promise<void>((resolve) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", () => resolve());
  });
  return { child, ready, errors: () => errors };
}

async function expectAllWell(adapter: Adapter, folder: string, tasks: number): Promise<void> {
  const deeds = deedFile.read(folder);
  const results = await resultsIn(adapter, folder);
  const byStep = Map.groupBy(deeds, ({ task, step }) => `${task} ${step}`);
  const problems: string[] = [];
  for (let task = 0; task < tasks; task++)
    for (const step of steps) {
      const kinds = (byStep.get(`${task} ${step}`) ?? []).map(({ kind }) => kind);
      problems.push(...faultsOf(kinds, results.get(`call_${task}_${step}`) ?? []).map((it) => `${task}.${step} ${it}`));
    }
  expect(problems).toEqual([]);
  expect(waitsTooShort(deeds)).toEqual([]);
  const unknown = [...results.values()].flat().filter((outcome) => outcome === "unknown").length;
  console.log(
    `${adapter.name}: ${kills} kills, ${tasks} tasks, ${tasks * steps.length} effects, none begun twice, ${unknown} told as unknown`,
  );
}

/** What the world saw of an effect, held against what the log says became of it. */
function faultsOf(kinds: readonly Deed["kind"][], outcomes: readonly string[]): readonly string[] {
  const count = (wanted: Deed["kind"]) => kinds.filter((kind) => kind === wanted).length;
  const [outcome] = outcomes;
  const isDone = outcome === "done" && count("effect began") === 1 && count("effect ended") === 1;
  const isTold = outcome === "unknown" && count("unknown") > 0;
  return [
    ...(count("effect began") > 1 ? [`began ${count("effect began")} times`] : []),
    ...(outcomes.length === 1 ? [] : [`has ${outcomes.length} results`]),
    ...(isDone || isTold ? [] : [`is lost: ${outcome}, ${kinds.join(", ")}`]),
  ];
}

function waitsTooShort(deeds: readonly Deed[]): readonly Deed[] {
  const parked = deeds.filter(({ kind }) => kind === "parked");
  return deeds.filter(({ kind, step, task, atMs }) => {
    const until = parked.find((deed) => deed.task === task)?.untilMs ?? Number.POSITIVE_INFINITY;
    return kind === "effect began" && step === 3 && atMs < until;
  });
}

async function resultsIn(adapter: Adapter, folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { log, close } = await adapter.open(folder);
  const events = await log.since(0, log.lastSeq());
  await close();
  const returned = events.filter((event): event is EventOf<"tool.returned"> => event.type === "tool.returned");
  const byCall = Map.groupBy(returned, ({ callId }) => callId);
  return new Map([...byCall].map(([callId, all]) => [callId, all.map(({ outcome }) => outcome)]));
}
