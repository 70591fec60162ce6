// Whether a long life slows Steward down: reading and writing at 10³ to 10⁶ events, as ratios to the shortest log.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { loadWindow } from "../src/agent/conversation-window.ts";
import type { AttachmentStore } from "../src/contract/attachment.ts";
import { median, steadyMs } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { type LongLog, longConversation, openLongLog } from "./measure/long-log.ts";
import { type Figure, printReport } from "./measure/report.ts";

const sizes = [1_000, 10_000, 100_000, 1_000_000];
const rounds = 40;
const noAttachments: AttachmentStore = {
  add: () => Promise.reject(new Error("the bench attaches nothing")),
  read: () => Promise.reject(new Error("the bench attaches nothing")),
};

const acts: Record<string, (long: LongLog) => Promise<unknown>> = {
  "last 100 messages for the model": ({ log }) => loadWindow({ log, attachments: noAttachments }, longConversation, 0),
  "last 100 events for a client": ({ log }) => log.latest(longConversation, 100),
  "message on the disk": (long) => appendMessage(long, true),
  "message written, not forced to the disk": (long) => appendMessage(long, false),
};

await using folder = await benchFolder();
await using logs = await openLogs();
await using forcedFile = await open(join(folder.path, "forced"), "w");
const times = new Map<string, number[]>();
const forced: number[] = [];
await refuseOtherWindows(logs.all);
for (const long of logs.all) await fillWriteAhead(long);
for (let round = 0; round < rounds; round++) {
  // each log comes first as often as the others, since the first one waits for what the disk still has to do
  const order = logs.all.map((_, at) => logs.all[(at + round) % sizes.length] as LongLog);
  for (const [what, act] of Object.entries(acts))
    for (const long of order) note(`${what}, ${long.events}`, await timed(() => act(long)));
  forced.push(await timed(forceToDisk));
}
const figures = Object.keys(acts).flatMap((what) => sizes.map((events) => figureOf(what, events)));
printReport([
  ...figures,
  {
    what: "message on the disk, against a bare forced write",
    value: timeOf("message on the disk", 1_000),
    unit: "ms",
    against: { name: "fdatasync", value: median(forced) },
  },
]);

/** Equal work in every log, or the ratios would mean nothing. */
async function refuseOtherWindows(all: readonly LongLog[]): Promise<void> {
  for (const { log, events } of all) {
    const window = await loadWindow({ log, attachments: noAttachments }, longConversation, 0);
    const spoken = window.filter((event) => event.type === "message.received" || event.type === "reply.written").length;
    if (spoken !== 100)
      throw new Error(`The window of the log with ${events} events holds ${spoken} messages, not 100.`);
  }
}

function figureOf(what: string, events: number): Figure {
  const value = timeOf(what, events);
  const figure: Figure = { what: `${what}, 10^${Math.log10(events)} events`, value, unit: "ms" };
  if (events === 1_000) return figure;
  return { ...figure, against: { name: "10^3", value: timeOf(what, 1_000) }, goal: { ratioAtMost: 1.5 } };
}

function timeOf(what: string, events: number): number {
  return median(times.get(`${what}, ${events}`) ?? []);
}

function note(name: string, ms: number): void {
  times.set(name, [...(times.get(name) ?? []), ms]);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const beganMs = steadyMs();
  await act();
  return steadyMs() - beganMs;
}

async function openLogs(): Promise<AsyncDisposable & { all: readonly LongLog[] }> {
  const stack = new AsyncDisposableStack();
  const all: LongLog[] = [];
  for (const events of sizes) {
    const beganMs = steadyMs();
    all.push(stack.use(await openLongLog(folder.path, events)));
    if (events === sizes.at(-1))
      console.log(`a log of ${events} events was made in ${((steadyMs() - beganMs) / 1000).toFixed(1)} s`);
  }
  return { all, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

// to a conversation of its own, so that what is read stays the same
function appendMessage({ log }: LongLog, durable: boolean): Promise<unknown> {
  return log.append(
    [
      {
        type: "message.received",
        conversation: "terminal--other",
        messageId: "message_x",
        channel: "terminal",
        sender: { kind: "owner", id: "owner" },
        text: "What about this one?",
        attachments: [],
      },
    ],
    { durable },
  );
}

// the database writes ahead into a file that grows at first and is then used again; only the second state lasts
async function fillWriteAhead(long: LongLog): Promise<void> {
  for (let at = 0; at < 500; at++) await appendMessage(long, false);
}

async function forceToDisk(): Promise<void> {
  await forcedFile.write(Buffer.alloc(4_096), 0, 4_096, 0);
  await forcedFile.datasync();
}
