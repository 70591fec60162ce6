import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Refused } from "../../proxy/checked-proxy.ts";
import type { CheckedAddress } from "../../proxy/reach-checked.ts";
import { type BrowserProxy, openBrowserProxy, type ProxyPass } from "./browser-proxy.ts";

const reached: string[] = [];
const site = createServer((request, response) => {
  reached.push(`${request.headers.host}${request.url}`);
  expect(request.headers["proxy-authorization"]).toBeUndefined();
  response.end("hello");
});
let port: number;
let proxy: BrowserProxy;
let pass: ProxyPass;
let answer: () => Promise<CheckedAddress>;
const refused: Refused[] = [];

beforeEach(async () => {
  reached.length = 0;
  refused.length = 0;
  answer = async () => ({ ok: true, addresses: ["127.0.0.1"] });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  port = (site.address() as AddressInfo).port;
  proxy = await openBrowserProxy({ checkAddress: () => answer() });
  pass = proxy.admit((each) => refused.push(each));
});
afterEach(async () => {
  await proxy.close();
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

test("without the pass nobody gets through, neither with a request nor with a tunnel", async () => {
  const wrong = `proxy-authorization: Basic ${btoa(`${pass.username}:guess`)}\r\n`;
  for (const line of [`GET http://site.test:${port}/ HTTP/1.1`, `CONNECT site.test:${port} HTTP/1.1`]) {
    expect(await say(line)).toMatch(/^HTTP\/1\.1 407 /);
    expect(await say(line, wrong)).toMatch(/^HTTP\/1\.1 407 /);
  }
  expect(reached).toEqual([]);
});

test("with the pass a request goes to the address that was checked, whatever its name", async () => {
  expect(await say(`GET http://site.test:${port}/a?b HTTP/1.1`, authorization())).toMatch(/hello$/);
  expect(reached).toEqual([`site.test:${port}/a?b`]);
});

test("a tunnel leads to the address that was checked", async () => {
  const inside = `GET /inside HTTP/1.1\r\nhost: site.test\r\nconnection: close\r\n\r\n`;
  expect(await say(`CONNECT site.test:${port} HTTP/1.1`, authorization(), inside)).toMatch(/ 200 [\s\S]*hello$/);
});

test("a refused address is refused with no words of ours under its name, and the reason is told", async () => {
  answer = async () => ({ ok: false, reason: "not public" });
  const plain = await say(`GET http://site.test:${port}/ HTTP/1.1`, authorization());
  const tunnel = await say(`CONNECT site.test:${port} HTTP/1.1`, authorization());
  expect(plain).toMatch(/^HTTP\/1\.1 403 [\s\S]*\r\n\r\n$/);
  expect(tunnel).toMatch(/^HTTP\/1\.1 403 [\s\S]*\r\n\r\n$/);
  expect(refused).toEqual([
    { url: `http://site.test:${port}/`, reason: "not public", isRefused: true },
    { url: `https://site.test:${port}/`, reason: "not public", isRefused: true },
  ]);
});

test("an address that cannot be checked is refused", async () => {
  answer = () => Promise.reject(new Error("the name server is silent"));
  expect(await say(`GET http://site.test:${port}/ HTTP/1.1`, authorization())).toMatch(/^HTTP\/1\.1 403 /);
  expect(refused[0]?.reason).toBe("the address could not be checked: the name server is silent");
  expect(reached).toEqual([]);
});

test.each(["099 Odd", "999 Odd", "407 Give me your pass", "200 OK\r\ncontent-length: -1", "rubbish"])(
  "a server that answers %j harms nobody but itself",
  async (answerLine) => {
    const rude = createTcpServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.end(`HTTP/1.1 ${answerLine}\r\n\r\n`);
    });
    await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve));
    const { port: rudePort } = rude.address() as AddressInfo;
    expect(await say(`GET http://site.test:${rudePort}/ HTTP/1.1`, authorization())).toMatch(/^HTTP\/1\.1 502 /);
    rude.close();
  },
);

test("when the first address does not answer the next one is tried", async () => {
  answer = async () => ({ ok: true, addresses: ["127.0.0.9", "127.0.0.1"] });
  expect(await say(`GET http://site.test:${port}/ HTTP/1.1`, authorization())).toMatch(/hello$/);
});

test("a refusal that cannot be told ends one request, not the proxy", async () => {
  answer = async () => ({ ok: false, reason: "not public" });
  pass = proxy.admit(() => {
    throw new Error("nobody listens");
  });
  expect(await say(`GET http://site.test:${port}/ HTTP/1.1`, authorization())).toBe("");
  expect(await say(`CONNECT site.test:${port} HTTP/1.1`, authorization())).toBe("");
  answer = async () => ({ ok: true, addresses: ["127.0.0.1"] });
  expect(await say(`GET http://site.test:${port}/ HTTP/1.1`, authorization())).toMatch(/hello$/);
});

test("a pass that was taken back is worth nothing", async () => {
  pass.revoke();
  expect(await say(`GET http://site.test:${port}/ HTTP/1.1`, authorization())).toMatch(/^HTTP\/1\.1 407 /);
});

function authorization(): string {
  return `proxy-authorization: Basic ${btoa(`${pass.username}:${pass.password}`)}\r\n`;
}

function say(line: string, headers = "", afterwards = ""): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let heard = "";
  const socket = connect(proxy.port, "127.0.0.1", () => {
    socket.write(`${line}\r\nhost: site.test\r\nconnection: close\r\n${headers}\r\n`);
  });
  socket.on("data", (data) => {
    heard += data;
    if (afterwards !== "" && heard.endsWith("established\r\n\r\n")) socket.write(afterwards);
  });
  socket.on("error", reject);
  socket.on("close", () => resolve(heard));
  return promise;
}
