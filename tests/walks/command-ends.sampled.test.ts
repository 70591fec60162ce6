// The program is killed again and again while commands run: whatever had ended is told with its exit code and its output.
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Event, EventOf } from "../../src/contract/event.ts";
import type { GatewayClient } from "../../src/contract/wire/client.ts";
import { openSqliteReader } from "../../src/store/database/sqlite-reader.ts";
import { readEvent } from "../../src/store/log/event-row.ts";
import { eventually } from "../scenes/eventually.ts";
import { isLong, openRandom } from "../scenes/sample.ts";
import { clientOf, ended, spawnSteward, startModelProcess, writeSettings } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

type Asked = { number: number; key: string; sessionKey: string; message: string; isBehind: boolean; printed: string };

const rounds = isLong ? 30 : 3;
const lanes = 4;
const lines = 3_000;

/** A command that says when it begins, prints, and as its last act leaves a mark; its exit code is its own. */
function ask(number: number): Asked {
  const kind = (["short", "middling", "printing", "long", "behind"] as const)[number % 5] ?? "short";
  const work = {
    short: "",
    middling: "sleep 0.2;",
    printing: `seq 1 ${lines};`,
    long: "sleep 30;",
    behind: "sleep 0.3;",
  }[kind];
  const command = `echo begin ${number}; echo x >> began-${number}; ${work} echo end ${number}; echo x > ended-${number}; exit ${exitCodeOf(number)}`;
  const isBehind = kind === "behind";
  const call = isBehind ? { tool: "exec", args: { command, background: true } } : { tool: "bash", args: { command } };
  const counted = Array.from({ length: kind === "printing" ? lines : 0 }, (_, at) => `${at + 1}\n`).join("");
  return {
    ...{ number, isBehind, key: `ask-${number}`, sessionKey: `terminal--lane${number % lanes}` },
    message: `TOOL:${call.tool}:${JSON.stringify(call.args)}END`,
    printed: `begin ${number}\n${counted}end ${number}\n`,
  };
}

function exitCodeOf(number: number): number {
  return 3 + (number % 90);
}

async function untilQuiet(client: GatewayClient): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    await approveAll(client);
    const { sessions } = await client.call("sessions.list", {});
    quiet = sessions.some((session) => session.state !== "idle") ? 0 : quiet + 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The process may die, and a question may be withdrawn, at any moment. */
async function approveAll(client: GatewayClient): Promise<void> {
  const list = await client.call("approvals.list", {}).catch(() => undefined);
  for (const { approvalId } of list?.approvals ?? [])
    await client.call("exec.approve", { approvalId }).catch(() => undefined);
}

async function approveUntil(over: Promise<unknown>, client: GatewayClient): Promise<void> {
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await approveAll(client);
    await new Promise((resolve) => setTimeout(resolve, 10));
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

/** What the conversation was told of the command's end; undefined: nothing, or that it is not known. */
function told(
  events: readonly Event[],
  asked: Asked,
): { returned: EventOf<"tool.returned"> | undefined; text: string } {
  const messages = of(events, "message.received").filter((event) => event.text === asked.message);
  const turns = of(events, "turn.started")
    .filter((event) => messages.some(({ seq }) => event.messages.includes(seq)))
    .map(({ turn }) => turn);
  const returned = of(events, "tool.returned").find((event) => turns.includes(event.turn));
  if (!asked.isBehind || !returned?.output.startsWith("Goes on")) return { returned, text: returned?.output ?? "" };
  const sender = `process:${returned.turn}:${returned.callId}`;
  const ends = of(events, "message.received").filter((event) => event.sender.id === sender);
  return { returned, text: ends.map(({ text }) => text).join("\n") };
}

/** Sends the commands and kills the program a while after the first of them has begun. */
async function killWhileTheyRun(home: string, fresh: readonly Asked[], afterMs: number): Promise<void> {
  const child = spawnSteward({ home });
  const over = ended(child);
  const client = await clientOf(child, home);
  if (!client) throw new Error("Steward did not start");
  // a turn with which two processes have died would be set aside
  await untilQuiet(client);
  for (const { key, sessionKey, message } of fresh)
    await client.call("chat.send", { sessionKey, message, idempotencyKey: key });
  const approving = approveUntil(over, client);
  await eventually(() => fresh.some((asked) => timesBegun(home, asked) > 0));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await over;
  await approving;
}

async function finishAll(home: string): Promise<void> {
  const child = spawnSteward({ home });
  const client = await clientOf(child, home);
  if (!client) throw new Error("Steward did not start");
  await untilQuiet(client);
  child.kill("SIGTERM");
  await ended(child);
}

function timesBegun(home: string, { number }: Asked): number {
  const path = join(home, "workspace", `began-${number}`);
  return existsSync(path) ? readFileSync(path, "utf8").length / 2 : 0;
}

type Judged = { hasEnded: boolean; isKnown: boolean; isUnknown: boolean; problem: string | undefined };

function judge(home: string, events: readonly Event[], asked: Asked): Judged {
  const { number } = asked;
  const { returned, text } = told(events, asked);
  const begun = timesBegun(home, asked);
  const hasEnded = existsSync(join(home, "workspace", `ended-${number}`));
  const isKnown = text.includes(`exit code ${exitCodeOf(number)}`);
  // a message carries no labels: what may need some is fetched by the tool
  const isElsewhere = text.includes("See process output");
  const tells = (printed: string) => isElsewhere || text.includes(printed);
  const problems = [
    begun > 1 && `was run ${begun} times`,
    !returned && "has no result",
    hasEnded !== isKnown && `had ${hasEnded ? "" : "not "}ended`,
    isKnown && !tells(asked.printed.trimEnd()) && "misses output",
    begun === 1 && !isKnown && !text.includes("cut off with Steward") && "was cut off, and that is not told",
    begun === 1 && !isKnown && !tells(`begin ${number}`) && "was cut off, and how far it came is not told",
  ].filter((one) => one !== false);
  const problem =
    problems.length > 0 ? `${number} ${problems.join(", ")}: ${returned?.outcome} ${text.slice(-300)}` : undefined;
  return { hasEnded, isKnown, isUnknown: returned?.outcome === "unknown", problem };
}

test(`killed ${rounds} times while ${lanes} commands run, every one that had ended is told with its exit code`, async () => {
  const home = await temporaryFolder();
  const model = await startModelProcess();
  onTestFinished(() => model.stop());
  await writeSettings(home, model.port, { queue: { whenBusy: "wait", maxWaiting: 1000 }, guard: { mode: "auto" } });
  const random = openRandom();
  const all = Array.from({ length: rounds * lanes }, (_, number) => ask(number));
  for (let first = 0; first < all.length; first += lanes) {
    await killWhileTheyRun(home, all.slice(first, first + lanes), random() * 600);
    // a turn that is killed twice at the same place is set aside
    await finishAll(home);
  }
  const events = await eventsIn(home);
  const judged = all.map((asked) => judge(home, events, asked));
  const count = (is: (one: Judged) => boolean) => judged.filter(is).length;
  console.log(
    `${all.length} commands, ${rounds} kills: ${count((one) => one.hasEnded)} had ended, of ${count((one) => one.isKnown)} the exit code is told, ${count((one) => one.isUnknown)} are unknown`,
  );
  expect(judged.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  expect(await readdir(join(home, "data", "commands"))).toEqual([]);
}, 1_800_000);
