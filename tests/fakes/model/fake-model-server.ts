/**
 * A model server on a free loopback port that speaks Anthropic Messages, OpenAI Responses and chat completions, with faults.
 *
 *   const server = await startFakeModelServer({
 *     answers: [
 *       { toolCalls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
 *       { fault: { kind: "status", status: 429, retryAfter: "1" } },
 *       { text: "The file says hello." },
 *     ],
 *   });
 *   // point a provider's baseUrl at `${server.url}/v1`, run the turn, then look at what came over the wire:
 *   expect(server.requests[1]?.toolOutputs).toEqual(["hello"]);
 *   await server.close();
 *
 * `answers` may be a function of the request instead of a list; a list that has run out answers 400, so that a test fails at
 * once. `answerByRules` of model-rules.ts makes it steerable by marks in the text; model-server-process.ts runs it alone.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FakeAnswer, FakeFault, FakeRequest, Frame, Protocol } from "./model-answer.ts";
import { readConversation } from "./model-request-reading.ts";
import { anthropicErrorBody, anthropicErrorEvent, anthropicFrames } from "./model-wire-anthropic.ts";
import { chatErrorEvent, chatFrames, openaiErrorBody } from "./model-wire-chat.ts";
import { responsesErrorEvent, responsesFrames } from "./model-wire-responses.ts";

export type FakeModelServerOptions = {
  answers: readonly FakeAnswer[] | ((request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>);
  port?: number;
  /** Names that /api/tags and /v1/models list. */
  models?: readonly string[];
  /** Requests kept for asserting; 0 for load tests. */
  keepRequests?: number;
};

export type FakeModelServer = {
  url: string;
  port: number;
  requests: FakeRequest[];
  close(): Promise<void>;
};

const protocols: Record<string, Protocol> = {
  "/v1/messages": "anthropic",
  "/v1/responses": "responses",
  "/v1/chat/completions": "chat",
};
const framesOf = { anthropic: anthropicFrames, responses: responsesFrames, chat: chatFrames };
const errorEventOf = { anthropic: anthropicErrorEvent, responses: responsesErrorEvent, chat: chatErrorEvent };

export async function startFakeModelServer(options: FakeModelServerOptions): Promise<FakeModelServer> {
  const requests: FakeRequest[] = [];
  const keep = options.keepRequests ?? 10_000;
  const closing = new AbortController();
  let count = 0;
  const server = createServer((incoming, response) => {
    // a client that goes away in the middle of an answer is what the tests provoke; there is nobody left to tell
    serve(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    async close() {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? "").split("?")[0] ?? "";
    if (incoming.method === "GET") return sendList(path, response);
    const protocol = protocols[path];
    if (!protocol) return sendJson(response, 404, openaiErrorBody(404, `There is no ${path} here.`, "not_found"));
    const body: Record<string, unknown> = JSON.parse(await readAll(incoming));
    count += 1;
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const request: FakeRequest = {
      ...{ number: count, atMs: Date.now(), protocol, path, headers, body, closedByClient: false },
      ...readConversation(protocol, body),
    };
    if (keep > 0) requests.push(request);
    if (requests.length > keep) requests.shift();
    response.on("close", () => {
      request.closedByClient = !response.writableFinished;
    });
    await sendAnswer(request, await nextAnswer(request), response, closing.signal);
  }

  async function nextAnswer(request: FakeRequest): Promise<FakeAnswer> {
    if (typeof options.answers === "function") return options.answers(request);
    const message = `The fake has no answer for request ${request.number}.`;
    return options.answers[request.number - 1] ?? { fault: { kind: "status", status: 400, message } };
  }

  function sendList(path: string, response: ServerResponse): void {
    const models = options.models ?? [];
    const lists: Record<string, unknown> = {
      "/api/tags": { models: models.map((name) => ({ name, model: name })) },
      "/v1/models": { object: "list", data: models.map((id) => ({ id, object: "model" })) },
      "/requests": requests,
    };
    if (path in lists) sendJson(response, 200, lists[path]);
    else sendJson(response, 404, openaiErrorBody(404, `There is no ${path} here.`, "not_found"));
  }
}

async function sendAnswer(
  request: FakeRequest,
  answer: FakeAnswer,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (answer.delayMs) await sleep(answer.delayMs, undefined, { signal });
  const fault = answer.fault;
  if (fault?.kind === "silence") return;
  if (fault?.kind === "status") return sendStatus(request, fault, response);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const frames = framesOf[request.protocol](answer, request);
  if (!fault && !answer.delayPerPieceMs) {
    response.end(frames.map((frame) => frame.text).join(""));
    return;
  }
  await playFrames(request, answer, frames, response, signal);
}

async function playFrames(
  request: FakeRequest,
  answer: FakeAnswer,
  frames: readonly Frame[],
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  let pieces = 0;
  for (const frame of frames) {
    if (response.destroyed) return;
    response.write(frame.text);
    if (frame.piece) pieces += 1;
    const fault = answer.fault;
    if (fault && fault.kind !== "status" && fault.kind !== "silence" && pieces === fault.afterPieces) {
      // what was written before has to reach the client, or the fault would look like one before the first byte
      await sleep(20, undefined, { signal });
      return strike(request.protocol, fault, response);
    }
    if (frame.piece && answer.delayPerPieceMs) await sleep(answer.delayPerPieceMs, undefined, { signal });
  }
  response.end();
}

type StreamFault = Exclude<FakeFault, { kind: "status" } | { kind: "silence" }>;

function strike(protocol: Protocol, fault: StreamFault, response: ServerResponse): void {
  switch (fault.kind) {
    case "drop":
      response.destroy();
      return;
    case "end":
      response.end();
      return;
    case "error event":
      response.end(errorEventOf[protocol](fault.errorType, fault.message));
      return;
    case "garbled line":
      response.end('data: {"type": "content_blo\n\n');
      return;
    case "hang":
      return;
    default:
      fault satisfies never;
  }
}

function sendStatus(request: FakeRequest, fault: FakeFault & { kind: "status" }, response: ServerResponse): void {
  const message = fault.message ?? `The fake answers ${fault.status}.`;
  if (fault.retryAfter !== undefined) response.setHeader("retry-after", fault.retryAfter);
  const body =
    request.protocol === "anthropic"
      ? anthropicErrorBody(fault.status, message)
      : openaiErrorBody(fault.status, message, fault.code);
  sendJson(response, fault.status, body);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
