import { execFile } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { FetchOutcome } from "./fetch-outcome.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { openTransport, realResolve } from "./real-network.ts";

test("TLS speaks to the pinned address, but names and checks the host of the URL", async () => {
  const site = await serveSecurely("page.example");
  const outcome = await fetchSecurely(`https://page.example:${site.port}/`, site);
  expect(outcome).toMatchObject({ kind: "response", status: 200, connected: ["127.0.0.1"] });
  expect(site.seen).toEqual([{ serverName: "page.example", host: `page.example:${site.port}` }]);
});

test("a name with a final dot is named without it, as certificates have it", async () => {
  const site = await serveSecurely("page.example");
  const outcome = await fetchSecurely(`https://page.example.:${site.port}/`, site);
  expect(outcome).toMatchObject({ kind: "response", status: 200 });
  expect(site.seen).toMatchObject([{ serverName: "page.example" }]);
});

test("a certificate for another name is refused before the request is sent", async () => {
  const site = await serveSecurely("other.example");
  const outcome = await fetchSecurely(`https://page.example:${site.port}/`, site);
  expect(outcome).toMatchObject({ kind: "failed", failure: "connection" });
  expect(outcome.kind === "failed" && outcome.reason).toContain("does not match certificate");
  expect(site.seen).toEqual([]);
});

test("a certificate that nobody vouches for is refused before the request is sent", async () => {
  const site = await serveSecurely("page.example");
  const outcome = await fetchSecurely(`https://page.example:${site.port}/`, { port: site.port });
  expect(outcome).toMatchObject({ kind: "failed", failure: "connection" });
  expect(site.seen).toEqual([]);
});

test("a certificate for a name does not do for a literal address", async () => {
  const site = await serveSecurely("page.example");
  const outcome = await fetchSecurely(`https://127.0.0.1:${site.port}/`, site);
  expect(outcome).toMatchObject({ kind: "failed", failure: "connection" });
  expect(site.seen).toEqual([]);
});

test("neither a proxy nor a loosened certificate check is taken from the environment", async () => {
  const site = await serveSecurely("page.example");
  const reached: string[] = [];
  const proxyPort = await listen(
    createServer((request, response) => {
      reached.push(request.url ?? "");
      response.end("from the proxy");
    }),
  );
  const plainPort = await listen(createServer((_request, response) => response.end("from the site")));
  const answers = await runInChild(
    `
    const bare = await fetch("http://page.example:${plainPort}/plain").then((answer) => answer.text());
    const guarded = await ask("http://page.example:${plainPort}/guarded");
    const secure = await ask("https://page.example:${site.port}/");
    console.log(JSON.stringify([bare, guarded.body && Buffer.from(guarded.body).toString(), secure.kind]));`,
    { proxy: `http://127.0.0.1:${proxyPort}` },
  );
  // the plain fetch shows that the environment is in force
  expect(answers).toEqual(["from the proxy", "from the site", "failed"]);
  expect(reached).toEqual([`http://page.example:${plainPort}/plain`]);
  expect(site.seen).toEqual([]);
});

test("the system's resolver is asked, so that names from the hosts file are judged too", async () => {
  const addresses = await realResolve("localhost");
  expect(addresses.length).toBeGreaterThan(0);
  expect(["127.0.0.1", "::1"]).toEqual(expect.arrayContaining([...addresses]));
});

async function runInChild(script: string, environment: { proxy: string }): Promise<unknown> {
  const room = new URL(".", import.meta.url).href;
  const scene = `
    import { guardedFetch } from "${room}guarded-fetch.ts";
    import { openTransport } from "${room}real-network.ts";
    const deps = { resolve: async () => ["127.0.0.1"], connect: openTransport(), nowMs: Date.now, allowAddress: () => true };
    const limits = { maxBytes: 1000, timeoutMs: 10000, maxDecompressionRatio: 10 };
    const signal = new AbortController().signal;
    const ask = (url) => guardedFetch(deps, { url, method: "GET", headers: {}, signal, limits });`;
  const { proxy } = environment;
  const env = {
    NODE_USE_ENV_PROXY: "1",
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  };
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", scene + script], { env });
  return JSON.parse(stdout);
}

async function serveSecurely(name: string) {
  const seen: { serverName: unknown; host: unknown }[] = [];
  const { key, certificate } = selfSign(name);
  const server = createSecureServer({ key, cert: certificate }, (request, response) => {
    seen.push({ serverName: (request.socket as TLSSocket).servername, host: request.headers.host });
    response.end();
  });
  return { port: await listen(server), ca: certificate, seen };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function fetchSecurely(url: string, { port, ca }: { port: number; ca?: string }): Promise<FetchOutcome> {
  return guardedFetch(
    {
      resolve: async () => ["127.0.0.1"],
      connect: openTransport(ca === undefined ? {} : { ca }),
      nowMs: () => Date.now(),
      allowAddress: (address, asked) => address === "127.0.0.1" && asked === port,
    },
    {
      url,
      method: "GET",
      headers: {},
      signal: new AbortController().signal,
      limits: { maxBytes: 1000, timeoutMs: 10_000, maxDecompressionRatio: 10 },
    },
  );
}

/** An X.509 certificate written by hand, so that no key lies in the repository and no other program is needed. */
function selfSign(name: string): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(0x30, der(0x06, hex("2a8648ce3d040302")));
  const owner = der(0x30, der(0x31, der(0x30, der(0x06, hex("550403")), der(0x0c, Buffer.from(name)))));
  const validity = der(0x30, der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z")));
  const alternativeNames = der(0x30, der(0x82, Buffer.from(name)));
  const isAuthority = der(0x30, der(0x01, hex("ff")));
  const extensions = der(
    0x30,
    der(0x30, der(0x06, hex("551d11")), der(0x04, alternativeNames)),
    der(0x30, der(0x06, hex("551d13")), der(0x04, isAuthority)),
  );
  const content = der(
    0x30,
    der(0xa0, der(0x02, hex("02"))),
    der(0x02, hex("01")),
    algorithm,
    owner,
    validity,
    owner,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, hex("00"), sign("sha256", content, privateKey));
  const base64 = der(0x30, content, algorithm, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    certificate: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, "hex");
}
