import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { answerOf, type RecordedFrame } from "./followers.ts";

/** The server of bench/measure/bare-events-process.ts, in a process of its own. */
export type BareEvents = Disposable & {
  pid: number;
  port: number;
  /** Sends what was recorded to everybody who follows; resolves with when each frame began to be written. */
  play(frames: readonly RecordedFrame[]): Promise<readonly number[]>;
};

export async function startBareEvents(): Promise<BareEvents> {
  const child = fork(fileURLToPath(new URL("./bare-events-process.ts", import.meta.url)));
  const { port } = await answerOf<{ port: number }>(child);
  return {
    pid: Number(child.pid),
    port,
    async play(frames) {
      child.send([...frames]);
      return answerOf<number[]>(child);
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}
