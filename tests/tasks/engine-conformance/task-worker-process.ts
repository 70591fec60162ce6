// A process that works until it is killed: task-worker-process.ts <engine> <folder>. It says "ready" when it has begun.
import { setTimeout as pause } from "node:timers/promises";
import { adapterCalled } from "./adapters.ts";
import { orderFile } from "./line-files.ts";
import { runSegment, segmentJob } from "./run-segment.ts";

const [name, folder = ""] = process.argv.slice(2);
const workers = 32;
const leaseMs = 5_000;

const opened = await adapterCalled(name).open(folder);
const { signal } = new AbortController();
for (let number = 0; number < workers; number++) void work(`${process.pid}.${number}`);
console.log("ready");
for (let read = 0; ; ) {
  // every order is read again by each process: starting twice is starting once
  const orders = orderFile.read(folder).slice(read);
  for (const { kind, task } of orders) await opened.engine.start(segmentJob(task, kind === "task" ? 0 : 2));
  read += orders.length;
  await pause(20);
}

async function work(worker: string): Promise<void> {
  for (;;) {
    const claim = await opened.engine.claim(worker, { leaseMs, signal });
    if (claim) await runSegment({ ...opened, folder, random: Math.random }, claim);
  }
}
