/**
 * A provider that costs next to nothing and writes down when each request arrived and when its answer had gone out:
 *
 *   node bench/measure/timed-model-process.ts [--tokens 20] [--tokens-in-piece 1] [--gap-ms 0]
 *
 * The first line it prints is {"port":12345}. GET /exchanges?from=0 tells the times, GET /last-body the last request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { chatFrames } from "../../tests/fakes/model/model-wire-chat.ts";
import { steadyMs } from "./figures.ts";
import type { Exchange } from "./timed-model.ts";

const { values } = parseArgs({
  options: {
    tokens: { type: "string", default: "20" },
    "tokens-in-piece": { type: "string", default: "1" },
    "gap-ms": { type: "string", default: "0" },
  },
});
const gapMs = Number(values["gap-ms"]);
const tokens = Number(values.tokens);
const frames = chatFrames(
  {
    text: "word ".repeat(tokens).trimEnd(),
    usage: { input: 1000, output: tokens },
    pieces: Math.ceil(tokens / Number(values["tokens-in-piece"])),
  },
  {
    ...{ number: 1, atMs: 0, protocol: "chat", path: "", headers: {}, body: { model: "fake-model" } },
    ...{ lastUserText: "", toolOutputs: [], closedByClient: false },
  },
);
const wholeAnswer = frames.map((frame) => frame.text).join("");
const exchanges: Exchange[] = [];
let lastBody = "";

const server = createServer((incoming, response) => {
  // a client that goes away is what a stopped bench does; there is nobody left to tell
  serve(incoming, response).catch(() => response.destroy());
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));

async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedMs = steadyMs();
  const url = new URL(incoming.url ?? "/", "http://localhost");
  if (incoming.method === "GET") return tell(url, response);
  let body = "";
  for await (const piece of incoming.setEncoding("utf8")) body += piece;
  lastBody = body;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  if (gapMs > 0) await playSlowly(response);
  else response.write(wholeAnswer);
  response.end();
  exchanges.push({ arrivedMs, endedMs: steadyMs() });
}

async function playSlowly(response: ServerResponse): Promise<void> {
  for (const frame of frames) {
    response.write(frame.text);
    if (frame.piece) await sleep(gapMs);
  }
}

function tell(url: URL, response: ServerResponse): void {
  const answers: Record<string, () => string> = {
    "/exchanges": () => JSON.stringify(exchanges.slice(Number(url.searchParams.get("from") ?? 0))),
    "/last-body": () => lastBody,
    "/v1/models": () => JSON.stringify({ object: "list", data: [{ id: "fake-model", object: "model" }] }),
  };
  const answer = answers[url.pathname];
  response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
  response.end(answer ? answer() : "{}");
}
