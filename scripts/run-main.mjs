// Runs the program that its first argument names, which then sees the rest of them, with what keeps its memory small.
import module from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";
import vm from "node:vm";
import { projectRoot } from "./project-root.mjs";

const calmShare = 0.1;
const worthwhileGrowth = 1.25;

// inside the project and not in the shared temporary folder, where another user could plant compiled code
const [program] = process.argv.splice(2, 1);
const isBuilt = program.startsWith(join(projectRoot, "dist"));
module.enableCompileCache(join(isBuilt ? dirname(program) : join(projectRoot, "node_modules"), ".steward-compiled"));
// room that was made once for garbage stays resident: the young part of the heap keeps its size, the old one grows by a third at a time
v8.setFlagsFromString("--semi-space-growth-factor=1");
v8.setFlagsFromString("--heap-growing-percent=30");
// a small heap is looked through often, and code thrown away each time would have to be compiled again for the next turn
v8.setFlagsFromString("--no-flush-bytecode");
v8.setFlagsFromString("--expose-gc");
giveBackWhenCalm();
await import(pathToFileURL(program));

// what loading or a busy hour has left behind is given back to the system in the first second in which hardly anything happens
function giveBackWhenCalm() {
  let before = performance.eventLoopUtilization();
  let keptBytes = 0;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization > calmShare || heapBytes() < worthwhileGrowth * keptBytes) return;
    // only a context that is made after the flag was set knows the word
    vm.runInNewContext("gc")({ type: "major", flavor: "last-resort" });
    keptBytes = heapBytes();
  }, 1_000);
  timer.unref();
}

function heapBytes() {
  return v8.getHeapStatistics().total_physical_size;
}
