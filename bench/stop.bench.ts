// How soon something ends that was told to: an answer that streams, a command that runs, the daemon in the middle of an answer.
import type { Followed, GatewayClient } from "../src/contract/wire/client.ts";
import { startModelProcess, writeSettings } from "../tests/scenes/steward-process.ts";
import { median, steadyMs } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { startDaemon } from "./measure/program.ts";
import { printReport } from "./measure/report.ts";

type Stop = { message: string; stopAt: Followed["type"] };

const answer: Stop = { message: "SLOW:8000 tell me of it", stopAt: "live.text" };
const command: Stop = { message: 'TOOL:bash:{"command":"sleep 60"}END', stopAt: "tool.sent" };

await using folder = await benchFolder();
const model = await startModelProcess();
await writeSettings(folder.path, model.port);
const daemon = await startDaemon({ home: folder.path });
const answersMs = await stopTimes(daemon.client, answer, 10);
const commandsMs = await stopTimes(daemon.client, command, 5);
await begin(daemon.client, "terminal--last", answer);
const toldMs = steadyMs();
await daemon[Symbol.asyncDispose]();
const endedMs = steadyMs() - toldMs;
model.stop();

printReport([
  {
    what: "an answer that streams, until its turn has ended",
    value: median(answersMs),
    unit: "ms",
    goal: { atMost: 100 },
  },
  { what: "a command, until its turn has ended", value: median(commandsMs), unit: "ms", goal: { atMost: 1_000 } },
  { what: "the daemon in the middle of a long answer", value: endedMs, unit: "ms", goal: { atMost: 5_000 } },
]);

async function stopTimes(client: GatewayClient, what: Stop, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    const sessionKey = `terminal--${what.stopAt.replace(".", "-")}${round}`;
    const { hasEnded } = await begin(client, sessionKey, what);
    const stoppedMs = steadyMs();
    await client.call("chat.abort", { sessionKey });
    times.push((await hasEnded) - stoppedMs);
  }
  return times;
}

/** Resolves when there is something to stop; questions on the way are answered with yes. */
async function begin(client: GatewayClient, sessionKey: string, { message, stopAt }: Stop) {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();
  const { lastSeq } = await client.call("health.check", {});
  const unfollow = client.follow(lastSeq, (followed) => {
    if (!("conversation" in followed) || followed.conversation !== sessionKey) return;
    if (followed.type === stopAt) begun.resolve();
    if (followed.type === "approval.asked") void client.call("exec.approve", { approvalId: followed.approvalId });
    if (followed.type !== "turn.finished") return;
    ended.resolve(steadyMs());
    unfollow();
  });
  await client.call("chat.send", { sessionKey, message });
  await begun.promise;
  return { hasEnded: ended.promise };
}
