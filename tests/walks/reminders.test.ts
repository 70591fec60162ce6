// Reminders from the first word to the last, with the real program and no model at all.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Event, EventOf } from "../../src/contract/event.ts";
import type { GatewayClient } from "../../src/contract/wire/client.ts";
import { eventually } from "../scenes/eventually.ts";
import { clientOf, ended, runSteward, spawnSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

type Reply = EventOf<"reply.written">;

test("a reminder comes back into the conversation where it was asked for, without a turn and without a model", async () => {
  const home = await stewardHome();
  const { client } = await startDaemon(home);
  const said = await say(client, "api--kitchen", "remind me in 2 seconds to take the bread out");
  expect(said).toMatch(/^I will remind you: take the bread out\nWhen: \w{3} \d+ \w{3} \d\d:\d\d$/);
  const [reminder] = await remindersIn(client, "api--kitchen", 1);
  expect(reminder).toMatchObject({ text: "take the bread out", task: { title: "take the bread out" } });
  const events = await eventsOf(client, "api--kitchen");
  expect(events.filter(({ type }) => type === "turn.started")).toHaveLength(1);
  expect(reminder?.turn).toBeUndefined();
  // it leaves the list with its only time
  expect(await say(client, "api--kitchen", "what is planned?")).toBe("Nothing is planned.");
});

test("a reminder survives a kill before its time, and is said once however often Steward starts again", async () => {
  const home = await stewardHome();
  const first = await startDaemon(home);
  await say(first.client, "api--kitchen", "remind me in 30 minutes to take the bread out");
  first.daemon.kill("SIGKILL");
  await ended(first.daemon);
  // a few seconds before its time, or just after it on a busy machine
  const second = await startDaemon(home, minutesLater(29.95));
  const [reminder] = await remindersIn(second.client, "api--kitchen", 1);
  expect(reminder?.text).toBe("take the bread out");
  second.daemon.kill("SIGKILL");
  await ended(second.daemon);
  const third = await startDaemon(home, minutesLater(45));
  await say(third.client, "api--kitchen", "hello");
  expect(await remindersIn(third.client, "api--kitchen", 1)).toHaveLength(1);
});

test("what came due while Steward was off is said at the next start, with a word about it", async () => {
  const home = await stewardHome();
  const { client, daemon } = await startDaemon(home);
  await say(client, "api--kitchen", "remind me in 30 minutes to take the bread out");
  await stop(daemon);
  const later = await startDaemon(home, minutesLater(120));
  const [reminder] = await remindersIn(later.client, "api--kitchen", 1);
  expect(reminder?.text).toMatch(/^take the bread out\n\(Late: this was due \w{3} \d+ \w{3} \d\d:\d\d\.\)$/);
});

test("of a daily reminder that was missed for days, one comes late and the next is still to come", async () => {
  const home = await stewardHome();
  const { client, daemon } = await startDaemon(home);
  await say(client, "api--kitchen", "remind me every day at 7:00 to water the plants");
  await stop(daemon);
  const later = await startDaemon(home, minutesLater(72 * 60));
  const [reminder] = await remindersIn(later.client, "api--kitchen", 1);
  expect(reminder?.text).toMatch(/^water the plants\n\(Late: this was due .+, and [23] times before that\.\)$/);
  const planned = await say(later.client, "api--kitchen", "what is planned?");
  expect(planned).toMatch(/^Planned:\n1\. water the plants — every day at 07:00; next \w{3} \d+ \w+ 07:00$/);
  expect(await remindersIn(later.client, "api--kitchen", 1)).toHaveLength(1);
});

test("in a chat, what is planned is listed, paused, resumed and cancelled in plain words", async () => {
  const home = await stewardHome();
  const lines = [
    "remind me every other day at 8 to water the plants",
    "remind me tomorrow at six to call mum",
    "set a timer for 3 hours",
    "what is planned?",
    "pause the plants",
    "cancel all reminders",
    "resume the plants",
    "stop the timer",
    "cancel mum",
    "what is planned?",
    "cancel the violin",
  ];
  const { code, output } = await runSteward({ home, args: ["chat", "--plain"], input: `${lines.join("\n")}\n` });
  expect(code).toBe(0);
  for (const words of [
    "I will remind you: water the plants",
    "I will remind you: call mum",
    "Timer: 3 hours",
    "Paused: “water the plants”.",
    "I cancel one at a time. Say “cancel reminder 1”, or name it:",
    "Goes on: “water the plants”.",
    "Cancelled: “Timer: 3 hours”.",
    "Cancelled: “call mum”.",
    "No task fits “violin”.",
  ])
    expect(output).toContain(words);
  const last = output.slice(output.lastIndexOf("Planned:\n"));
  expect(last).toMatch(/^Planned:\n1\. water the plants — every 2 days, counted from [^\n]+; next [^\n;]+\n/);
  expect(last).not.toContain("call mum");
});

async function stewardHome(): Promise<string> {
  const home = await temporaryFolder();
  await writeFile(join(home, "config.json"), JSON.stringify({ models: { probeLocal: false } }), { mode: 0o600 });
  return home;
}

async function startDaemon(home: string, preload?: string) {
  const daemon = spawnSteward({ home, ...(preload !== undefined && { preload }) });
  onTestFinished(() => stop(daemon));
  const client = await clientOf(daemon, home);
  if (!client) return expect.unreachable("the daemon ended before it answered");
  return { daemon, client };
}

async function stop(daemon: ReturnType<typeof spawnSteward>): Promise<void> {
  daemon.kill("SIGTERM");
  await ended(daemon);
}

/** Loaded before the program: its clock runs ahead. */
function minutesLater(minutes: number): string {
  return `data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${minutes * 60_000};`)}`;
}

async function eventsOf(client: GatewayClient, sessionKey: string): Promise<readonly Event[]> {
  return (await client.call("chat.history", { sessionKey, maxEvents: 1000 })).events;
}

async function repliesIn(client: GatewayClient, sessionKey: string): Promise<readonly Reply[]> {
  return (await eventsOf(client, sessionKey)).filter((event): event is Reply => event.type === "reply.written");
}

/** Says it and waits for the answer to it. */
async function say(client: GatewayClient, sessionKey: string, message: string): Promise<string> {
  const { seq } = await client.call("chat.send", { sessionKey, message });
  const answer = await eventually(
    async () => (await repliesIn(client, sessionKey)).find((reply) => reply.seq > seq && reply.turn !== undefined),
    expect.anything(),
  );
  return answer.text;
}

/** What tasks have said there, once it is this much. */
function remindersIn(client: GatewayClient, sessionKey: string, count: number): Promise<readonly Reply[]> {
  return eventually(
    async () => (await repliesIn(client, sessionKey)).filter((reply) => reply.task !== undefined),
    expect.objectContaining({ length: count }),
  );
}
