import { expect, test } from "vitest";
import { usualLimits } from "../sandbox.ts";
import { processLimitWords } from "./process-limits.ts";

test("without a cgroup memory and processes are limited on the process itself", () => {
  expect(processLimitWords("/usr/bin/prlimit", usualLimits, { time: false, memory: true })).toEqual([
    "/usr/bin/prlimit",
    `--data=${usualLimits.memoryBytes}`,
    `--nproc=${usualLimits.processes}`,
    "--",
  ]);
});

test("time, file size and core dumps are limited on the process where no launcher has done so", () => {
  expect(processLimitWords("/usr/bin/prlimit", usualLimits, { time: true, memory: false })).toEqual([
    "/usr/bin/prlimit",
    "--core=0",
    `--cpu=${usualLimits.cpuSeconds}`,
    `--fsize=${usualLimits.fileBytes}`,
    "--",
  ]);
});

test("where everything is held outside, nothing stands before the command", () => {
  expect(processLimitWords("/usr/bin/prlimit", usualLimits, { time: false, memory: false })).toEqual([]);
});
