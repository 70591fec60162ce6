import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../tests/scenes/eventually.ts";
import type { FetchOutcome, FetchRequest } from "./fetch-outcome.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { openTransport } from "./real-network.ts";

const megabyte = 1024 * 1024;

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["identity", (text: string) => Buffer.from(text)],
])("a body packed with %s arrives unpacked", async (encoding, pack) => {
  const outcome = await fetchFrom((_request, response) => send(response, encoding, pack("plain words")));
  expect(outcome.kind === "response" && Buffer.from(outcome.body).toString()).toBe("plain words");
});

test.each([
  ["announces more than the limit", { "content-length": "1000000" }, "size"],
  ["has an encoding nobody asked for", { "content-encoding": "zstd" }, "encoding"],
])("a body that %s is not read, and the server notices", async (_what, headers, failure) => {
  let isClosed = false;
  const outcome = await fetchFrom((_request, response) => {
    response.on("close", () => {
      isClosed = true;
    });
    response.writeHead(200, headers).write("x");
  });
  expect(outcome).toMatchObject({ kind: "failed", failure });
  await eventually(() => isClosed);
});

test("packed bytes that unpack to nothing count against the limit too", async () => {
  const nothings = Buffer.concat(Array.from({ length: 6000 }, () => gzipSync("")));
  const outcome = await fetchFrom((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).write(nothings);
    response.end();
  });
  expect(outcome).toMatchObject({ kind: "failed", failure: "size", reason: "the body is larger than 100000 bytes" });
});

test("an endless body is cut off at the limit, and the server notices", async () => {
  let isClosed = false;
  const outcome = await fetchFrom(async (_request, response) => {
    response.on("close", () => {
      isClosed = true;
    });
    for (; !response.destroyed; await sleep(1)) response.write(Buffer.alloc(10_000));
  });
  expect(outcome).toMatchObject({ kind: "failed", failure: "size" });
  await eventually(() => isClosed);
});

test("a body of exactly the limit is read whole", async () => {
  const outcome = await fetchFrom((_request, response) => response.end(Buffer.alloc(100_000)));
  expect(outcome.kind === "response" && outcome.body.length).toBe(100_000);
});

test.each([
  ["gzip", gzipSync],
  // the quickest setting, since the slow one takes seconds to build the bomb
  ["br", (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
])("a %s bomb stops at the ratio long before it is unpacked", async (encoding, pack) => {
  const bomb = pack(Buffer.alloc(64 * megabyte));
  const before = process.memoryUsage().arrayBuffers;
  const outcome = await fetchFrom((_request, response) => send(response, encoding, bomb), {
    maxBytes: 1000 * megabyte,
  });
  expect(outcome).toMatchObject({ kind: "failed", failure: "size" });
  expect(outcome.kind === "failed" && outcome.reason).toContain("more than 100 times its size");
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * megabyte);
});

test("the size limit counts unpacked bytes", async () => {
  const packed = gzipSync(Buffer.alloc(150_000));
  const outcome = await fetchFrom((_request, response) => send(response, "gzip", packed));
  expect(outcome).toMatchObject({ kind: "failed", failure: "size", reason: "the body is larger than 100000 bytes" });
});

test.each(["gzip, gzip", "zstd", "compress", "br, identity"])("a body encoded with %s is refused", async (encoding) => {
  const outcome = await fetchFrom((_request, response) => send(response, encoding, gzipSync("x")));
  expect(outcome).toMatchObject({ kind: "failed", failure: "encoding" });
});

test("a packed body that is cut short or is not packed at all is a failure, not half a page", async () => {
  const packed = gzipSync("plain words");
  const cut = await fetchFrom((_request, response) => send(response, "gzip", packed.subarray(0, -9)));
  const plain = await fetchFrom((_request, response) => send(response, "gzip", Buffer.from("plain words")));
  expect([cut, plain]).toMatchObject([{ kind: "failed" }, { kind: "failed" }]);
});

test("a body that ends before its announced length is a failure", async () => {
  const outcome = await fetchFrom((_request, response) => {
    response.writeHead(200, { "content-length": "10" });
    response.write("half", () => response.destroy());
  });
  expect(outcome).toMatchObject({ kind: "failed", failure: "connection" });
});

test("the answer to HEAD has no body, whatever length it announces", async () => {
  const announce: RequestListener = (_request, response) =>
    response.writeHead(200, { "content-length": 10 ** 9 }).end();
  const outcome = await fetchFrom(announce, {}, { method: "HEAD" });
  expect(outcome).toMatchObject({ kind: "response", status: 200, headers: { "content-length": "1000000000" } });
  expect(outcome.kind === "response" && outcome.body.length).toBe(0);
});

test.each([
  ["never answers", () => {}],
  ["sends its body drop by drop", drip],
])("a server that %s is left when the time is over", async (_what, answer: RequestListener) => {
  const outcome = await fetchFrom(answer, { timeoutMs: 200 });
  expect(outcome).toMatchObject({ kind: "failed", failure: "time", reason: "no whole answer within 200 ms" });
});

test("the time limit is for all hops together", async () => {
  const outcome = await fetchFrom(
    async (_request, response) => {
      await sleep(80);
      response.writeHead(302, { location: "/" }).end();
    },
    { timeoutMs: 200, maxRedirects: 10 },
  );
  expect(outcome).toMatchObject({ kind: "failed", failure: "time" });
});

test("a caller can stop before and in the middle of a body", async () => {
  const before = await fetchFrom(drip, {}, { signal: AbortSignal.abort() });
  const stop = new AbortController();
  const stopInTheMiddle: RequestListener = (request, response) => {
    setTimeout(() => stop.abort(), 50);
    return drip(request, response);
  };
  const during = await fetchFrom(stopInTheMiddle, {}, { signal: stop.signal });
  expect([before, during]).toMatchObject([
    { kind: "failed", failure: "stopped", connected: [] },
    { kind: "failed", failure: "stopped", connected: ["127.0.0.1"] },
  ]);
});

test("a look-up that never ends is left when the time is over", async () => {
  const deps = { resolve: () => new Promise<never>(() => {}), connect: openTransport(), nowMs: () => 0 };
  const outcome = await guardedFetch(deps, requestFor("http://page.example/", { timeoutMs: 50 }));
  expect(outcome).toMatchObject({ kind: "failed", failure: "time", connected: [] });
});

test.each([
  ["two framings at once", "HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nabcde"],
  ["endless headers", `HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(64 * 1024)}\r\n\r\n`],
  ["no HTTP at all", "SSH-2.0-OpenSSH_9.2\r\n"],
  ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
  ["nothing but an end", ""],
])("an answer with %s is a failure", async (_what, answer) => {
  const server = createRawServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(answer)));
  const outcome = await fetchFromPort(await listen(server));
  expect(outcome).toMatchObject({ kind: "failed", failure: "connection", connected: ["127.0.0.1"] });
});

async function drip(_request: unknown, response: Parameters<RequestListener>[1]): Promise<void> {
  for (; !response.destroyed; await sleep(20)) response.write("x");
}

function send(response: Parameters<RequestListener>[1], encoding: string, body: Buffer): void {
  response.writeHead(200, { "content-encoding": encoding }).end(body);
}

async function fetchFrom(
  answer: RequestListener,
  limits: Partial<FetchRequest["limits"]> = {},
  wish: Partial<FetchRequest> = {},
): Promise<FetchOutcome> {
  const server = createServer(answer);
  onTestFinished(() => server.closeAllConnections());
  return fetchFromPort(await listen(server), limits, wish);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function fetchFromPort(
  port: number,
  limits: Partial<FetchRequest["limits"]> = {},
  wish: Partial<FetchRequest> = {},
): Promise<FetchOutcome> {
  const allowAddress = (address: string, asked: number) => address === "127.0.0.1" && asked === port;
  const deps = { resolve: async () => ["127.0.0.1"], connect: openTransport(), nowMs: () => Date.now(), allowAddress };
  return guardedFetch(deps, { ...requestFor(`http://page.example:${port}/`, limits), ...wish });
}

function requestFor(url: string, limits: Partial<FetchRequest["limits"]>): FetchRequest {
  return {
    url,
    method: "GET",
    headers: {},
    signal: new AbortController().signal,
    limits: { maxBytes: 100_000, timeoutMs: 10_000, maxDecompressionRatio: 100, ...limits },
  };
}
