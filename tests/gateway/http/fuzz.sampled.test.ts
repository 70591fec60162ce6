// The whole program behind its own port, and thousands of requests that nobody should send: in the long run every round of
// them, otherwise one that the seed chooses.
import type { ChildProcess } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { GatewayClient } from "../../../src/contract/wire/client.ts";
import { type MethodName, methods } from "../../../src/contract/wire/method.ts";
import { brokenFrames, damagedRequest, malformedRequests } from "../../corpora/malformed-bytes.ts";
import { brokenRequest, type HttpInput, routeNames } from "../../corpora/malformed-http.ts";
import { breakBytes, breakText, breakValue, type Dice, openDice, strangeValues } from "../../corpora/malformed-json.ts";
import { validCalls } from "../../corpora/valid-calls.ts";
import { breakWebSocket, openLine, openRequests, type Sent, sendRaw } from "../../scenes/gateway/send-malformed.ts";
import { isLong, sample } from "../../scenes/sample.ts";
import {
  clientOf,
  ended,
  type ModelProcess,
  spawnSteward,
  startModelProcess,
  writeSettings,
} from "../../scenes/steward-process.ts";

const names = Object.keys(validCalls) as MethodName[];
const rpcBroken = -32603;
const rpcBadParams = -32602;
// asked by a signal, it frees what can be freed and tells what is still held
const collector = `import v8 from "node:v8";
import vm from "node:vm";
v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc");
process.on("SIGUSR2", () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  console.log("held " + (heapUsed + external));
});`;

let home: string;
let model: ModelProcess;
let child: ChildProcess;
let client: GatewayClient;
let port: number;
let token: string;
let said = "";
let sentCount = 0;
const rounds = sample([1, 2, 3, 4, 5], 1);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "steward-gateway-fuzz-"));
  model = await startModelProcess();
  await writeSettings(home, model.port, { gateway: { port: 0 } });
  child = spawnSteward({ home, preload: `data:text/javascript,${encodeURIComponent(collector)}` });
  child.stderr?.on("data", (piece) => {
    said += piece;
  });
  child.stdout?.resume();
  const connected = await clientOf(child, home);
  if (!connected) throw new Error(`Steward did not start: ${said}`);
  client = connected;
  port = Number(new URL((await client.call("health.check", {})).page).port);
  ({ token } = await client.call("access.create", { name: "fuzz", scope: "owner" }));
});

afterAll(async () => {
  child.kill("SIGTERM");
  await ended(child);
  model.stop();
  await rm(home, { recursive: true, force: true });
});

test("every method says what is wrong with parameters that its schema does not take", async () => {
  for (const round of rounds) expect(await callWrongly(openDice(10 + round), 10)).toEqual([]);
});

test("a frame that is no request gets an error, and who goes on sending such is hung up on", async () => {
  for (const round of rounds) expect(await sendBrokenFrames(openDice(20 + round), 180)).toEqual([]);
});

test("a client that breaks the WebSocket protocol is hung up on, let in or not", async () => {
  expect(await breakProtocol()).toEqual([]);
});

test("every address refuses every broken path, query, header and body", async () => {
  const { body } = await getJson("/openapi.json");
  const served = Object.entries(body.paths as Record<string, object>).flatMap(([path, ways]) =>
    Object.keys(ways).map((method) => `${method.toUpperCase()} ${path.replace(/call\/.+$/, "call/{method}")}`),
  );
  expect(routeNames.toSorted()).toEqual([...new Set(served)].toSorted());
  for (const round of rounds) expect(await askWrongly(openDice(30 + round), 16)).toEqual([]);
});

test("bytes that are no HTTP are refused or cut off", async () => {
  for (const round of rounds) expect(await sendBadBytes(openDice(40 + round), 140)).toEqual([]);
});

test("values that a schema takes and nobody expects break nothing inside", async () => {
  expect(await sendStrangeValues()).toEqual([]);
});

test("after thousands of them the same Steward answers, remembers nothing of them and holds no more memory", async () => {
  expect(sentCount).toBeGreaterThan(isLong ? 5_000 : 1_000);
  const before = await heldMb();
  const again = [
    await callWrongly(openDice(11), 25),
    await sendBrokenFrames(openDice(12), 300),
    await breakProtocol(),
    await askWrongly(openDice(13), 40),
    await sendBadBytes(openDice(14), 300),
  ];
  expect(again.flat()).toEqual([]);
  expect((await heldMb()) - before).toBeLessThan(0.7);

  const health = await client.call("health.check", {});
  expect([child.exitCode, health.status, health.pid]).toEqual([null, "ok", child.pid]);
  expect(await chat("web--afterwards", "are you there?")).toBe("echo: are you there?");
  expect(JSON.stringify((await getJson("/api/tasks?limit=200")).body)).not.toContain("smuggled");
  expect([said, await errorsInLog()]).toEqual(["", []]);
});

/** Parameters that are sound JSON; every one of them must be named as invalid. */
async function callWrongly(dice: Dice, each: number): Promise<unknown[]> {
  const line = await openLine(port, token);
  const wrong: unknown[] = [];
  for (const method of names) {
    const texts = Array.from({ length: each }, () => breakUntilRefusable(dice, method));
    for (const [at, params] of texts.entries()) line.send(`{"id":${at},"method":"${method}","params":${params}}`);
    const answers = await Promise.all(texts.map(() => line.next()));
    for (const answer of answers) {
      const right = "error" in answer && answer.error?.code === rpcBadParams && answer.error.data.reason === "invalid";
      if (!right) wrong.push([method, answer, texts[Number("id" in answer ? answer.id : 0)]?.slice(0, 300)]);
    }
    sentCount += each;
  }
  line.close();
  return wrong;
}

function breakUntilRefusable(dice: Dice, method: MethodName): string {
  for (;;) {
    const text = breakValue(dice, validCalls[method]);
    if (!methods[method].params.safeParse(JSON.parse(text) ?? {}).success) return text;
  }
}

async function sendBrokenFrames(dice: Dice, count: number): Promise<unknown[]> {
  const wrong: unknown[] = [];
  let line = await openLine(port, token);
  for (let at = 0; at < count; at++) {
    const params = validCalls[dice.pick(names)];
    // damage may leave it a request, but there is nothing by that name to be asked
    const sound = JSON.stringify({ id: "x", method: "none.such", params });
    const kind = dice.below(6);
    const frame =
      kind === 0
        ? breakBytes(dice, sound)
        : kind === 1
          ? breakValue(dice, { id: 1, method: "none" })
          : breakText(dice, sound);
    line.send(frame);
    const answer = await line.next();
    if ("closed" in answer) {
      if (![1007, 1008].includes(answer.closed)) wrong.push([frame, answer]);
      line = await openLine(port, token);
    } else if (!answer.error || answer.error.code === rpcBroken) wrong.push([frame, answer]);
  }
  sentCount += count;
  line.close();
  return wrong;
}

async function breakProtocol(): Promise<unknown[]> {
  const tries = [undefined, token].flatMap((as) => brokenFrames.map((bytes) => ({ as, bytes })));
  sentCount += tries.length;
  // those who have not said who they are wait in a small room
  const ends = await inLanes(4, tries, ({ as, bytes }) => breakWebSocket(port, as, bytes));
  return tries.filter((_, at) => ends[at] !== "closed");
}

async function askWrongly(dice: Dice, each: number): Promise<unknown[]> {
  const requests = openRequests(port);
  const inputs = routeNames.flatMap((name) => Array.from({ length: each }, () => brokenRequest(dice, name, token)));
  sentCount += inputs.length;
  const answers = await inLanes(12, inputs, requests.send);
  requests.close();
  return answers.flatMap((answer, at) => (isRefusal(answer) ? [] : [shown(inputs[at], answer)]));
}

function isRefusal({ status, text }: Sent): boolean {
  if (status < 400 || status >= 500) return false;
  return status === 400 && text === "" ? true : typeof JSON.parse(text).error.message === "string";
}

function shown(input: HttpInput | undefined, answer: Sent): unknown {
  return [input?.method, input?.path.slice(0, 100), input?.headers, String(input?.body).slice(0, 200), answer];
}

async function sendBadBytes(dice: Dice, count: number): Promise<unknown[]> {
  const damaged = Array.from({ length: count }, () => damagedRequest(dice, port, token));
  const inputs = [...malformedRequests(port, token), ...damaged];
  sentCount += inputs.length;
  const answers = await inLanes(24, inputs, (bytes) => sendRaw(port, bytes));
  return answers.flatMap(({ statuses, end }, at) => {
    const last = statuses.at(-1) ?? (end === "closed" ? 400 : 0);
    const bad = last < 400 || statuses.some((status) => status >= 500 || status === 101);
    return bad ? [[String(inputs[at]).slice(0, 400), statuses, end]] : [];
  });
}

/** Not called: what would restart or end the assistant, or speak to a server whose name a test has made up. */
const leftOut: readonly MethodName[] = [
  ...(["settings.apply", "program.stop"] as const),
  ...(["models.test", "models.connect", "push.subscribe"] as const),
];
const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

async function sendStrangeValues(): Promise<unknown[]> {
  const line = await openLine(port, token);
  const calls = names
    .filter((name) => !leftOut.includes(name))
    .flatMap((method) => strangeValues(validCalls[method]).map((params) => ({ method, params })))
    .filter(({ method, params }) => methods[method].params.safeParse(JSON.parse(params)).success);
  const deep = [
    { method: "settings.set", params: `{"revision":"r","changes":[{"key":"agent.name","value":${nested}}]}` },
    { method: "settings.set", params: `{"revision":"r","changes":[{"key":"__proto__.scope","value":"owner"}]}` },
    { method: "tools.try", params: `{"tool":"read","arguments":{"path":${nested}}}` },
    { method: "tools.try", params: `{"tool":"constructor","arguments":{"__proto__":{"path":"a"}}}` },
  ];
  const wrong: unknown[] = [];
  for (const { method, params } of [...calls, ...deep]) {
    line.send(`{"id":1,"method":"${method}","params":${params}}`);
    const answer = await line.next();
    if (!("id" in answer) || answer.error?.code === rpcBroken) wrong.push([method, params.slice(0, 200), answer]);
  }
  sentCount += calls.length + deep.length;
  line.close();
  return wrong;
}

async function inLanes<Input, Output>(
  lanes: number,
  inputs: readonly Input[],
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const outputs: Output[] = [];
  const waiting = inputs.entries();
  const runLane = async () => {
    for (const [at, input] of waiting) outputs[at] = await work(input);
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return outputs;
}

async function getJson(path: string): Promise<{ body: Record<string, unknown> }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { body: (await response.json()) as Record<string, unknown> };
}

/** The least of several looks: work that was under way may still hold something. */
async function heldMb(): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < 4; look++) {
    const told = new Promise<string>((resolve) => child.stdout?.once("data", (piece) => resolve(String(piece))));
    child.kill("SIGUSR2");
    looks.push(Number((await told).replace("held ", "")) / 1024 / 1024);
    await sleep(100);
  }
  return Math.min(...looks);
}

async function chat(sessionKey: string, message: string): Promise<string | undefined> {
  const done = new Promise<void>((resolve) => {
    const stop = client.follow(0, (followed) => {
      if (followed.type !== "turn.finished" || followed.conversation !== sessionKey) return;
      stop();
      resolve();
    });
  });
  await client.call("chat.send", { sessionKey, message });
  await done;
  const { messages } = await client.call("chat.history", { sessionKey });
  return messages.find(({ role }) => role === "assistant")?.content;
}

/** That somebody tried many wrong tokens is what the log is for. */
async function errorsInLog(): Promise<string[]> {
  const files = (await readdir(join(home, "logs"))).filter((name) => name.endsWith(".jsonl"));
  const texts = await Promise.all(files.map((name) => readFile(join(home, "logs", name), "utf8")));
  const lines = texts.flatMap((text) => text.trim().split("\n"));
  return lines.filter((line) => JSON.parse(line).level >= 50 && !line.includes("Too many wrong tokens or codes"));
}
