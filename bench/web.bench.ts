// What it costs to read a page of 10 MB and an ordinary article, against taking the same bytes as plain text.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline/promises";
import { SearchSettings } from "../src/contract/settings.ts";
import { realWorld } from "../src/contract/world.ts";
import { guardedFetch } from "../src/guard/address/guarded-fetch.ts";
import { openTransport } from "../src/guard/address/real-network.ts";
import { webTools } from "../src/tools/web/web-tools.ts";
import { median, pause, steadyMs } from "./measure/figures.ts";
import { treeMemory } from "./measure/process-figures.ts";
import { type Figure, printReport } from "./measure/report.ts";

type Cost = { ms: number; grownMb: number };

const rounds = 5;
const sentence = "The mill by the river has been turning since the spring in which the bridge was built, they say. ";
const paragraph = `<p>${sentence.repeat(3)}See <a href="/map">the map</a>, it is <b>free</b>.</p>\n`;
const pages: Record<string, string> = {
  "/large": pageOf(Math.floor(10_000_000 / paragraph.length)),
  // every kind of mark-up in small pieces: the most elements that a page of this size can hold
  "/busy": `<table>${"<tr><td>a<td><b>b</b>".repeat(450_000)}</table>`,
  "/article": pageOf(100),
};

const [mode, url] = process.argv.slice(2);
if (mode === undefined || url === undefined) await compareAll();
else await beMeasured(mode, url);

async function compareAll(): Promise<void> {
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(pages[request.url ?? ""]);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const figures: Figure[] = [];
  for (const [path, name] of [
    ["/large", "10 MB of paragraphs"],
    ["/busy", "10 MB of table cells"],
    ["/article", "article of 35 KB"],
  ] as const) {
    const place = `http://127.0.0.1:${port}${path}`;
    const read: Cost[] = [];
    const plain: Cost[] = [];
    // in turns, so that whatever disturbs one disturbs the other
    for (let round = 0; round < rounds; round++) {
      read.push(await measure("read", place));
      plain.push(await measure("plain", place));
    }
    figures.push(...figuresOf(name, read, plain, path === "/article"));
  }
  server.close();
  printReport(figures);
}

function figuresOf(name: string, read: readonly Cost[], plain: readonly Cost[], isSmall: boolean): Figure[] {
  const of = (costs: readonly Cost[], part: keyof Cost) => median(costs.map((cost) => cost[part]));
  return [
    {
      what: `${name}: time`,
      value: of(read, "ms"),
      unit: "ms",
      against: { name: "plain text", value: of(plain, "ms") },
      goal: { atMost: isSmall ? 1_000 : 5_000 },
    },
    {
      what: `${name}: memory at its peak, all processes`,
      value: of(read, "grownMb"),
      unit: "MB",
      against: { name: "plain text", value: of(plain, "grownMb") },
      goal: { atMost: 200 },
    },
  ];
}

/** A fresh process each time, so that nothing is left over from the one before. */
async function measure(what: "read" | "plain", place: string): Promise<Cost> {
  const child = spawn(process.execPath, [import.meta.filename, what, place], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  if ((await lines.next()).value !== "ready") throw new Error("the measured process did not start");
  const before = treeMemory(child.pid as number).rssMb;
  let peak = before;
  let answer: string | undefined;
  const answered = lines.next().then(({ value }) => {
    answer = String(value);
  });
  child.stdin.write("go\n");
  while (answer === undefined) {
    peak = Math.max(peak, memoryNow(child.pid as number));
    await pause(5);
  }
  await answered;
  child.stdin.end("end\n");
  await once(child, "exit");
  return { ms: Number(answer), grownMb: peak - before };
}

function memoryNow(pid: number): number {
  try {
    return treeMemory(pid).rssMb;
  } catch {
    // one of its children ended during the look; the next look comes soon
    return 0;
  }
}

async function beMeasured(what: string, place: string): Promise<void> {
  const act = what === "read" ? readTool() : readPlainly;
  const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  console.log("ready");
  await orders.next();
  const beganMs = steadyMs();
  await act(place);
  console.log(String(steadyMs() - beganMs));
  await orders.next();
  process.exit();
}

function readTool(): (place: string) => Promise<void> {
  const fetchPage = (request: Parameters<typeof guardedFetch>[1]) => guardedFetch(fetchDeps(), request);
  const [tool] = webTools({
    version: "bench",
    fetchPage,
    fetchSearch: fetchPage,
    world: realWorld,
    search: SearchSettings.parse({}),
    readKey: async () => undefined,
  });
  return async (place) => {
    const bound = tool?.bind({ url: place });
    if (!bound?.ok) throw new Error("the tool does not take its arguments");
    const signal = new AbortController().signal;
    const context = {
      conversation: "c",
      turn: "t",
      callId: "k",
      asker: { kind: "owner", id: "owner" } as const,
      workspace: "/",
      signal,
      progress: () => {},
    };
    const result = await bound.call.run(context);
    if (result.outcome !== "done") throw new Error(result.output);
  };
}

async function readPlainly(place: string): Promise<void> {
  const limits = { maxBytes: 20_000_000, timeoutMs: 30_000, maxDecompressionRatio: 100 };
  const signal = new AbortController().signal;
  const outcome = await guardedFetch(fetchDeps(), { url: place, method: "GET", headers: {}, signal, limits });
  if (outcome.kind !== "response") throw new Error(outcome.reason);
  if (new TextDecoder().decode(outcome.body).length === 0) throw new Error("the page is empty");
}

function fetchDeps() {
  return {
    resolve: async () => ["127.0.0.1"],
    connect: openTransport(),
    nowMs: Date.now,
    allowAddress: (address: string) => address === "127.0.0.1",
  };
}

function pageOf(paragraphs: number): string {
  const body = `<nav><a href="/">Home</a></nav><article><h1>The mill</h1>${paragraph.repeat(paragraphs)}</article>`;
  return `<!doctype html><html><head><title>The mill</title></head><body>${body}</body></html>`;
}
