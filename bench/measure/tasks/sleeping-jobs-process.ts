// sleeping-jobs-process.ts <home>: opens the engine there, waits for jobs that do not come, and says when it has begun.
import { openEngineIn } from "./opened-engine.ts";

const { engine } = await openEngineIn(process.argv[2] ?? "");
void engine.claim("worker", { leaseMs: 60_000, signal: new AbortController().signal });
// the engine's own timer keeps no process alive
setInterval(() => undefined, 2 ** 30);
console.log("ready");
