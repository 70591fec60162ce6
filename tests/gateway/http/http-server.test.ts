import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { bearer, errorOf, json, openHttpScene } from "../../scenes/gateway/http-scene.ts";

describe("coming in", () => {
  test("the very first visitors are served, all of what they sent before anything was loaded included", async () => {
    const scene = await openHttpScene();
    const token = await scene.token();
    const text = "x".repeat(200_000);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        scene.send("POST", "/api/things/7?limit=3", json({ text }, bearer(token).headers)),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    expect(JSON.parse(answers[0]?.text ?? "")).toEqual({ id: "7", limit: 3, text });
  });

  test("a port that is taken is named, with the setting that changes it", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    await expect(openHttpScene({ port })).rejects.toThrow(
      `The gateway cannot listen on 127.0.0.1:${port}: another program does, probably another Steward or an OpenClaw gateway. Stop it, or set gateway.port to another number.`,
    );
  });

  test("a proxy that is neither an address nor a range is a mistake in the settings that is named", async () => {
    await expect(openHttpScene({ trustedProxies: ["10.0.0.0/33"] })).rejects.toThrow(
      'gateway.trustedProxies holds "10.0.0.0/33"',
    );
  });

  test("closing ends open streams and lets the port go", async () => {
    const scene = await openHttpScene();
    const { socket, received } = scene.connect();
    socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\n`);
    socket.write(`Authorization: Bearer ${await scene.token()}\r\n\r\n`);
    await new Promise((resolve) => socket.once("data", resolve));
    await scene.close();
    expect(await received).toContain("data: first");
    const again = createServer();
    await new Promise<void>((resolve, reject) => again.once("error", reject).listen(scene.port, "127.0.0.1", resolve));
    again.close();
  });
});

describe("addresses", () => {
  test.each([
    ["an encoded dot", "/api/%2e%2e/owner"],
    ["a dot segment", "/api/../api/open"],
    ["a single dot", "/api/./open"],
    ["an encoded slash", "/api%2fopen"],
    ["an encoded backslash", "/api%5copen"],
    ["a backslash", "/api\\open"],
    ["two slashes", "//api/open"],
    ["a slash twice inside", "/api//open"],
    ["a doubly encoded dot", "/%252e%252e/open"],
    ["an encoded line break", "/api/open%0d%0aX-A:%20b"],
    ["an encoded zero", "/api/open%00"],
    ["half an encoding", "/api/%e0%a4"],
    ["the absolute form", "http://127.0.0.1/api/open"],
    ["a star", "*"],
    ["a fragment", "/api/open#x"],
    ["a letter that is not encoded", "/api/\u00fcber"],
    ["more than 8 KB", `/api/open?x=${"y".repeat(8200)}`],
  ])("%s is refused", async (_what, path) => {
    const scene = await openHttpScene();
    const answer = await scene.raw(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(scene.seen).toEqual([]);
  });

  test("what no route has is not found, and another method is told which ones there are", async () => {
    const scene = await openHttpScene();
    expect((await scene.send("GET", "/api/nothing", { headers: { Accept: "text/html" } })).status).toBe(404);
    expect((await scene.send("GET", "/api")).status).toBe(404);
    const wrong = await scene.send("DELETE", "/api/open");
    expect([wrong.status, wrong.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await scene.send("POST", "/", json({}))).status).toBe(405);
    const options = await scene.send("OPTIONS", "/api/things/1");
    expect([options.status, options.headers.allow, options.headers["access-control-allow-origin"]]).toEqual([
      204,
      "POST, OPTIONS",
      undefined,
    ]);
  });

  test("a head is the answer without its body, also that of a stream", async () => {
    const scene = await openHttpScene();
    const { headers } = bearer(await scene.token());
    const heads = [await scene.send("HEAD", "/api/open"), await scene.send("HEAD", "/api/events", { headers })];
    expect(heads.map(({ status, text }) => [status, text])).toEqual([
      [200, ""],
      [200, ""],
    ]);
  });

  test("an unknown key, a key twice, a wrong type and a broken body are told apart in words", async () => {
    const scene = await openHttpScene();
    const { headers } = bearer(await scene.token());
    const post = (path: string, body: string, type = "application/json") =>
      scene.send("POST", path, { body, headers: { ...headers, "Content-Type": type } });
    expect(errorOf(await post("/api/things/1?limit=1&limit=2", '{"text":""}')).message).toMatch(/twice/);
    expect(errorOf(await post("/api/things/1?token=x", '{"text":""}')).message).toMatch(/^query: .*token/);
    expect(errorOf(await post("/api/things/1", '{"text":5,"more":1}')).message).toMatch(/body\.text: .*body: .*more/);
    expect(errorOf(await post("/api/things/1", "{")).message).toBe("The body is not JSON.");
    expect((await post("/api/things/1", "text=a", "application/x-www-form-urlencoded")).status).toBe(415);
    expect((await post("/api/things/1", '{"text":""}', "text/plain")).status).toBe(415);
    expect((await post("/api/things/1", '{"text":""}', "application/json; charset=utf-8")).status).toBe(200);
  });
});

describe("names and origins", () => {
  const asks = async (host: string, options: Parameters<typeof openHttpScene>[0] = {}, more = {}) => {
    const scene = await openHttpScene(options);
    const headers = { Host: host.replace("PORT", String(scene.port)), ...more };
    return (await scene.send("GET", "/api/open", { headers })).status;
  };

  test.each(["127.0.0.1:PORT", "localhost:PORT", "LocalHost:PORT", "[::1]:PORT"])("%s is us", async (host) => {
    expect(await asks(host)).toBe(200);
  });

  test.each(["evil.example", "evil.example:PORT", "127.0.0.1", "localhost:1", "localhost.:PORT", "127.1:PORT"])(
    "%s is not us, whatever address it points at",
    async (host) => {
      expect(await asks(host)).toBe(421);
    },
  );

  test("names from the settings are us, with our port or behind a proxy", async () => {
    const options = { allowedHosts: ["steward.lan"], publicUrl: "https://steward.example" };
    expect(await asks("steward.lan:PORT", options)).toBe(200);
    expect(await asks("steward.lan", options)).toBe(200);
    expect(await asks("steward.example", options)).toBe(200);
    expect(await asks("www.steward.example", options)).toBe(421);
  });

  test("listening everywhere, the address that was reached is a name, and another one is not", async () => {
    expect(await asks("127.0.0.1:PORT", { host: "0.0.0.0" })).toBe(200);
    expect(await asks("192.0.2.7:PORT", { host: "0.0.0.0" })).toBe(421);
  });

  test("two Host headers are refused", async () => {
    const scene = await openHttpScene();
    const host = `Host: 127.0.0.1:${scene.port}\r\n`;
    const answer = await scene.raw(`GET /api/open HTTP/1.1\r\n${host}Host: evil.example\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 4(00|21) /);
  });

  test("encryption is asked for only when the public address has it", async () => {
    const plain = await openHttpScene();
    expect((await plain.send("GET", "/api/open")).headers["strict-transport-security"]).toBeUndefined();
    const secure = await openHttpScene({ publicUrl: "https://steward.example" });
    expect((await secure.send("GET", "/api/open")).headers["strict-transport-security"]).toBe("max-age=31536000");
  });

  test("a WebSocket is handed over at /ws only, to whoever serves it, with the address it comes from", async () => {
    const scene = await openHttpScene();
    const upgrade = (path: string, more = "") =>
      scene.raw(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${more}\r\n`,
      );
    expect(await upgrade("/ws")).toMatch(/^HTTP\/1\.1 101 .*\r\nX-From: 127\.0\.0\.1/);
    expect(await upgrade("/api/open")).toMatch(/^HTTP\/1\.1 404 /);
    expect(await upgrade("/ws", `Origin: http://127.0.0.1:${scene.port}\r\n`)).toMatch(/^HTTP\/1\.1 101 /);
    expect(await upgrade("/ws", "Origin: https://evil.example\r\n")).toMatch(/^HTTP\/1\.1 403 /);
    expect(await upgrade("/ws", "Origin: null\r\n")).toMatch(/^HTTP\/1\.1 403 /);
    expect(await upgrade("/ws", "Sec-Fetch-Site: cross-site\r\n")).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("a client that offers another protocol is answered in this one", async () => {
    const scene = await openHttpScene();
    const answer = await scene.raw(
      `GET /api/open HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});
