/**
 * A process that holds one memory and does nothing else, so that what it costs can be told; started by bench/measure/memory/speed.ts
 * with the folders of the home and the workspace. It answers what it is asked for.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Memory } from "../../../src/memory/memory.ts";
import { giveBackWhenCalm } from "../../../src/memory/thread/give-back-when-calm.ts";

export type SpeedRequest =
  | { kind: "rest"; ms: number }
  | { kind: "read" }
  | { kind: "ask"; query: string }
  | { kind: "held up" };
export type HeldUp = { p99Ms: number; maxMs: number };
export type ReadWhole = { units: number; seconds: number };
export type Asked = { ms: number; found: number };

const [home = "", workspace = ""] = process.argv.slice(2);
// looks every millisecond how late it is
const delay = monitorEventLoopDelay({ resolution: 1 });
let memory: Memory | undefined;

process.on("message", (request: SpeedRequest) => void answer(request).then((value) => process.send?.(value)));
process.on("disconnect", () => void close());
delay.enable();
giveBackWhenCalm();
process.send?.("ready");

async function answer(request: SpeedRequest): Promise<"rested" | ReadWhole | Asked | HeldUp> {
  switch (request.kind) {
    case "rest":
      // as in the program, whose settings are read before anybody asks for the memory
      await import("./own-memory.ts");
      await new Promise((resolve) => setTimeout(resolve, request.ms));
      return "rested";
    case "read": {
      const { openOwnMemory, readWhole } = await import("./own-memory.ts");
      delay.reset();
      const startedMs = performance.now();
      memory = openOwnMemory({ home, workspace });
      const units = await readWhole(memory);
      return { units, seconds: (performance.now() - startedMs) / 1_000 };
    }
    case "ask": {
      const { openOwnMemory, resultsOf } = await import("./own-memory.ts");
      const startedMs = performance.now();
      memory ??= openOwnMemory({ home, workspace });
      const { results } = await resultsOf(memory, request.query, { limit: 10 });
      return { ms: performance.now() - startedMs, found: results.length };
    }
    case "held up": {
      const heldUp = { p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 };
      delay.reset();
      return heldUp;
    }
    default:
      return request satisfies never;
  }
}

async function close(): Promise<void> {
  await memory?.close();
  process.exit();
}
