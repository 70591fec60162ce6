import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Event, EventOf } from "../../src/contract/event.ts";
import type { GatewayClient } from "../../src/contract/wire/client.ts";
import { openSqliteReader } from "../../src/store/database/sqlite-reader.ts";
import { readEvent } from "../../src/store/log/event-row.ts";
import { isLong, openRandom, sample } from "../scenes/sample.ts";
import {
  clientOf,
  ended,
  runSteward,
  spawnSteward,
  startModelProcess,
  writeSettings,
} from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

// what the owner asks for: a line added to a file, which must never be there twice, or a change that needs an approval
type Wish = { key: string; sessionKey: string; message: string; line?: { file: string; text: string } };

function wish(number: number): Wish {
  const sessionKey = `terminal--c${number % 3}`;
  const key = `wish-${number}`;
  const slow = number % 4 === 0 ? "SLOW:60 " : "";
  if (number % 5 === 4) return { key, sessionKey, message: `${slow}just talk ${number}` };
  if (number % 5 === 3) {
    const args = JSON.stringify({ path: "AGENTS.md", content: `be kind ${number}` });
    return { key, sessionKey, message: `${slow}TOOL:write:${args}END` };
  }
  const file = `notes-${number % 3}.txt`;
  const text = `line ${number};`;
  const args = JSON.stringify({ path: file, edits: [{ oldText: "MARK", newText: `${text}\nMARK` }] });
  return { key, sessionKey, message: `${slow}TOOL:edit:${args}END`, line: { file, text } };
}

async function scene() {
  const home = await temporaryFolder();
  const model = await startModelProcess();
  onTestFinished(() => model.stop());
  // each message has a turn of its own, so that each wish has a reply of its own
  await writeSettings(home, model.port, { queue: { whenBusy: "wait", maxWaiting: 1000 }, guard: { mode: "auto" } });
  const child = spawnSteward({ home });
  const client = await clientOf(child, home);
  for (const number of [0, 1, 2]) await prepareFile(client, number);
  child.kill("SIGTERM");
  await ended(child);
  return home;
}

async function prepareFile(client: GatewayClient | undefined, number: number): Promise<void> {
  const args = JSON.stringify({ path: `notes-${number}.txt`, content: "MARK" });
  await client?.call("chat.send", {
    sessionKey: "terminal--setup",
    message: `TOOL:write:${args}END`,
    idempotencyKey: `setup-${number}`,
  });
  await untilQuiet(client);
}

async function untilQuiet(client: GatewayClient | undefined, alsoAnswer = false): Promise<void> {
  for (let quiet = 0; client && quiet < 3; ) {
    if (alsoAnswer) await approveAll(client);
    const { sessions } = await client.call("sessions.list", {});
    quiet = sessions.some((session) => session.state !== "idle") ? 0 : quiet + 1;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

async function approveAll(client: GatewayClient): Promise<void> {
  const { approvals } = await client.call("approvals.list", {});
  // somebody may have answered, or the process may die, between the two calls
  for (const { approvalId } of approvals) await client.call("exec.approve", { approvalId }).catch(() => undefined);
}

async function send(client: GatewayClient, wishes: readonly Wish[], acknowledged: Set<string>): Promise<void> {
  for (const { key, sessionKey, message } of wishes) {
    const sent = await client.call("chat.send", { sessionKey, message, idempotencyKey: key });
    if (sent.accepted) acknowledged.add(key);
  }
}

async function eventsIn(home: string): Promise<readonly Event[]> {
  const reader = openSqliteReader(join(home, "data", "steward.db"));
  const rows = await reader.query("SELECT * FROM events ORDER BY seq");
  reader.close();
  return rows.map(readEvent);
}

const of = <Type extends Event["type"]>(events: readonly Event[], type: Type) =>
  events.filter((event): event is EventOf<Type> => event.type === type);

/** Nothing lost, nothing answered twice, nothing done twice. */
async function expectAllWell(home: string, wishes: readonly Wish[]): Promise<void> {
  const events = await eventsIn(home);
  const messages = of(events, "message.received");
  const starts = of(events, "turn.started");
  const replies = of(events, "reply.written");
  const returned = of(events, "tool.returned");
  const problems: string[] = [];
  for (const each of wishes) {
    const received = messages.filter((event) => event.text === each.message);
    const turns = starts
      .filter((event) => received.some(({ seq }) => event.messages.includes(seq)))
      .map((event) => event.turn);
    const answers = replies.filter((event) => event.turn && turns.includes(event.turn));
    if (received.length !== 1) problems.push(`${each.key} was received ${received.length} times`);
    if (answers.length !== 1) problems.push(`${each.key} was answered ${answers.length} times`);
    if (!each.line) continue;
    const count = (await readFile(join(home, "workspace", each.line.file), "utf8")).split(each.line.text).length - 1;
    const outcome = returned.find((event) => turns.includes(event.turn))?.outcome;
    if (outcome === "done" ? count !== 1 : count > 1)
      problems.push(`${each.key} is in the file ${count} times, reported as ${outcome}`);
  }
  expect(problems).toEqual([]);
  const doctor = await runSteward({ home, args: ["doctor"] });
  expect([doctor.code, doctor.output]).toEqual([0, expect.stringContaining("Everything looks well.")]);
}

async function finishAll(home: string, wishes: readonly Wish[]): Promise<void> {
  const child = spawnSteward({ home });
  const client = await clientOf(child, home);
  if (client) await send(client, wishes, new Set());
  await untilQuiet(client, true);
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
}

const killsAtRandom = isLong ? 200 : 8;

test(`killed at ${killsAtRandom} random moments, no message is lost, none is answered twice, and nothing is done twice`, async () => {
  const home = await scene();
  const wishes: Wish[] = [];
  const acknowledged = new Set<string>();
  const random = openRandom();
  for (let kills = 0; kills < killsAtRandom; kills++) {
    wishes.push(wish(wishes.length), wish(wishes.length + 1));
    const child = spawnSteward({ home });
    // some die while they start, most while they work
    const timer = setTimeout(() => child.kill("SIGKILL"), kills % 5 === 0 ? 100 + random() * 300 : 5_000);
    const client = await clientOf(child, home);
    if (client) {
      clearTimeout(timer);
      setTimeout(() => child.kill("SIGKILL"), random() * 150);
      // what is not acknowledged is sent again with the same key, as every client does
      const unsent = wishes.filter(({ key }) => !acknowledged.has(key));
      await Promise.allSettled([send(client, unsent, acknowledged), approveAll(client)]);
    }
    await ended(child);
  }
  await finishAll(home, wishes);
  await expectAllWell(home, wishes);
}, 1_800_000);

const namedSteps = [
  "message.received",
  "turn.started",
  "step.finished",
  "tool.sent",
  "tool.returned",
  "approval.asked",
  "turn.waiting",
  "approval.answered",
  "reply.written",
  "turn.finished",
  "turn.resumed",
] as const;

for (const step of sample(namedSteps, 1)) {
  test(`killed right before and right after ${step} is on disk, the next process goes on from there`, async () => {
    const home = await scene();
    const wishes = [wish(0), wish(1), wish(3), wish(4)];
    let deaths = 0;
    // only a turn that another process left can be resumed
    const first = step === "turn.resumed" ? ["turn.started:after"] : [];
    for (const moment of [...first, `${step}:before`, `${step}:after`, `${step}:after`]) {
      const child = spawnSteward({
        home,
        preload: "./tests/scenes/kill-at-event.ts",
        environment: { KILL_AT: `${moment}:1` },
      });
      child.stderr?.on("data", (said) => {
        if (String(said).includes(`dies at ${step}`)) deaths += 1;
      });
      const client = await clientOf(child, home);
      const done = ended(child);
      if (client)
        await Promise.race([done, send(client, wishes, new Set()).then(() => untilQuiet(client, true))]).catch(
          () => undefined,
        );
      child.kill("SIGKILL");
      await done;
    }
    expect(deaths).toBeGreaterThan(0);
    await finishAll(home, wishes);
    await expectAllWell(home, wishes);
  }, 300_000);
}
