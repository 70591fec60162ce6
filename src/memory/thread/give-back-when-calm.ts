import v8 from "node:v8";
import vm from "node:vm";

const calmShare = 0.1;
const worthwhileGrowth = 1.25;
const lookEveryMs = 1_000;

/** What loading or a busy hour has left on the heap of this thread is given back to the system in the first second in which hardly anything happens. */
export function giveBackWhenCalm(): void {
  v8.setFlagsFromString("--expose-gc");
  let before = performance.eventLoopUtilization();
  let keptBytes = 0;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization > calmShare || heapBytes() < worthwhileGrowth * keptBytes) return;
    // only a context that is made after the flag was set knows the word
    vm.runInNewContext("gc")({ type: "major", flavor: "last-resort" });
    keptBytes = heapBytes();
  }, lookEveryMs);
  timer.unref();
}

function heapBytes(): number {
  return v8.getHeapStatistics().total_physical_size;
}
