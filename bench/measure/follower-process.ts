/**
 * Many clients that follow the events of one address and write down when each event came to the first and to the last of
 * them. Started by bench/measure/followers.ts, which it tells its figures over the channel of child processes.
 */
import { connect, type Socket } from "node:net";
import { parseArgs } from "node:util";
import { openFrames } from "./follower-frames.ts";
import type { Arrival, FollowerRequest, RecordedFrame } from "./followers.ts";
import { wallMs } from "./wall-clock.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    token: { type: "string", default: "" },
    kind: { type: "string", default: "events" },
    count: { type: "string", default: "1" },
    since: { type: "string", default: "0" },
  },
});
const kind = values.kind === "socket" ? "socket" : "events";
const count = Number(values.count);
const arrivals = new Map<number, Arrival>();
const recorded: RecordedFrame[] = [];
const sockets: Socket[] = [];

process.on("message", (request: FollowerRequest) => {
  if (request === "arrivals") process.send?.([...arrivals.values()]);
  if (request === "recorded") process.send?.(recorded);
});
process.on("disconnect", () => process.exit());

// a few at a time, as the door lets strangers in
for (let at = 0; at < count; at += 4)
  sockets.push(...(await Promise.all(Array.from({ length: Math.min(4, count - at) }, (_, lane) => follow(at + lane)))));
process.send?.("ready");

function follow(number: number): Promise<Socket> {
  const socket = connect(Number(values.port), "127.0.0.1");
  const place = { port: Number(values.port), token: values.token, since: Number(values.since) };
  const frames = openFrames(kind, { ...place, records: number === 0 });
  socket.write(frames.greeting);
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    // one that is gone would be waited for in vain
    socket.on("close", () => {
      throw new Error(`follower ${number} was cut off after ${socket.bytesRead} bytes`);
    });
    socket.on("data", (chunk: Buffer) => {
      const atMs = wallMs();
      for (const frame of frames.take(chunk)) {
        if (frame.kind === "ready") resolve(socket);
        else if (frame.kind === "say") socket.write(frame.bytes);
        else note(frame, atMs);
      }
    });
  });
}

function note({ seq, text }: { seq: number; text: string }, atMs: number): void {
  if (text !== "") recorded.push({ atMs, seq, text });
  if (seq === 0) return;
  const known = arrivals.get(seq);
  const arrival = known ?? { seq, saidMs: 0, firstMs: atMs, lastMs: atMs, count: 0 };
  arrival.lastMs = atMs;
  arrival.count += 1;
  if (text !== "") arrival.saidMs = Number(/"atMs":(\d+)/.exec(text)?.[1] ?? 0);
  if (!known) arrivals.set(seq, arrival);
}
