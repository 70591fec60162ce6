/**
 * The least that can send events to many: Node's HTTP server and one write for each follower. Started by
 * bench/measure/bare-events.ts, it plays what was recorded at the pace at which it was recorded.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordedFrame } from "./followers.ts";
import { wallMs } from "./wall-clock.ts";

const followers = new Set<ServerResponse>();
const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.flushHeaders();
  followers.add(response);
  request.on("close", () => followers.delete(response));
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());
process.on(
  "message",
  (frames: readonly RecordedFrame[]) => void play(frames).then((writtenMs) => process.send?.(writtenMs)),
);

/** When each frame began to be written; what arrived together is written together. */
async function play(frames: readonly RecordedFrame[]): Promise<readonly number[]> {
  const recordedMs = frames[0]?.atMs ?? 0;
  const startedMs = wallMs();
  const writtenMs: number[] = [];
  for (let at = 0; at < frames.length; at = writtenMs.length) {
    const arrivedMs = frames[at]?.atMs ?? 0;
    const together = frames.slice(at, indexOfLater(frames, at));
    const waitMs = arrivedMs - recordedMs - (wallMs() - startedMs);
    if (waitMs > 1) await sleep(waitMs);
    const nowMs = wallMs();
    for (const _frame of together) writtenMs.push(nowMs);
    const text = together.map((frame) => `${frame.text}\n\n`).join("");
    for (const response of followers) response.write(text);
    // the sockets get their turn between two writes, as they would anywhere
    await sleep(0);
  }
  return writtenMs;
}

function indexOfLater(frames: readonly RecordedFrame[], at: number): number {
  let next = at + 1;
  while (next < frames.length && frames[next]?.atMs === frames[at]?.atMs) next += 1;
  return next;
}
