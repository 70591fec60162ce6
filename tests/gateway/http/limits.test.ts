import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../scenes/eventually.ts";
import { bearer, errorOf, openHttpScene } from "../../scenes/gateway/http-scene.ts";

const connected = (...all: readonly { socket: Socket }[]) =>
  eventually(() => all.every(({ socket }) => !socket.connecting));

describe("limits before anybody is known", () => {
  test("who sends the headers of a request too slowly is cut off", async () => {
    const scene = await openHttpScene({ limits: { headersMs: 300, checkEveryMs: 50 } });
    const { socket, received } = scene.connect();
    socket.write("GET /api/open HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    const drip = setInterval(() => socket.write("X-A: b\r\n"), 50);
    onTestFinished(() => clearInterval(drip));
    expect(await received).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("who connects and says nothing is cut off, also on the connection that loads everything", async () => {
    const scene = await openHttpScene({ limits: { headersMs: 300, checkEveryMs: 50 } });
    expect(await scene.connect().received).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test("who sends a body too slowly is cut off, but a slow answer is waited for", async () => {
    const scene = await openHttpScene({ limits: { headersMs: 300, requestMs: 400, checkEveryMs: 50 } });
    const token = await scene.token();
    const head = (line: string) =>
      `${line} HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nAuthorization: Bearer ${token}\r\n`;
    const slow = scene.connect();
    slow.socket.write(`${head("POST /api/things/1")}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    const stream = scene.connect();
    let events = "";
    stream.socket.on("data", (piece) => {
      events += String(piece);
    });
    stream.socket.write(`${head("GET /api/events")}\r\n`);
    expect(await slow.received).not.toContain(" 200 ");
    await eventually(() => events.split("data: next").length > 8);
  });

  test("strangers of one address wait in line behind a few, and one who shows a token makes room", async () => {
    const scene = await openHttpScene({ limits: { maxUnknownPerAddress: 2, waitMs: 2_000, headersMs: 60_000 } });
    const known = scene.connect();
    known.socket.write(`GET /api/owner HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\n`);
    const idle = scene.connect();
    await connected(known, idle);
    const waiting = scene.send("GET", "/api/open");
    const first = await Promise.race([
      waiting.then(() => "answered"),
      new Promise((resolve) => setTimeout(resolve, 150, "waits")),
    ]);
    known.socket.write(`Authorization: Bearer ${await scene.token()}\r\n\r\n`);
    expect([first, (await waiting).status]).toEqual(["waits", 200]);
    const third = scene.connect();
    await connected(third);
    // both places are taken again, and nobody makes room in time
    expect(await scene.connect().received).toBe("");
    idle.socket.destroy();
    third.socket.destroy();
  });

  test("no more connections are held than the limit says", async () => {
    const scene = await openHttpScene({ limits: { maxConnections: 3 } });
    const held = [scene.connect(), scene.connect(), scene.connect()];
    await connected(...held);
    expect(await scene.connect().received).toBe("");
    for (const { socket } of held) socket.destroy();
    await eventually(async () => (await scene.send("GET", "/api/open")).status, 200);
  });

  test("headers and bodies have a size, and the refusal can be read", async () => {
    const scene = await openHttpScene();
    const token = await scene.token();
    const long = await scene.send("GET", "/api/open", { headers: { "X-Long": "x".repeat(20_000) } });
    expect(long.status).toBe(431);
    const large = await scene.send("POST", "/api/things/1", {
      body: Buffer.alloc(3 * 1024 * 1024, 32),
      headers: { ...bearer(token).headers, "Content-Type": "application/json" },
    });
    expect([large.status, errorOf(large).code]).toEqual([413, "too_large"]);
  });

  test("a body in pieces of unknown length is counted as it comes", async () => {
    const scene = await openHttpScene({ limits: { maxBodyBytes: 1000 } });
    const piece = `1f4\r\n${" ".repeat(500)}\r\n`;
    const answer = await scene.raw(
      `POST /api/things/1 HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nAuthorization: Bearer ${await scene.token()}\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${piece.repeat(4)}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("a stranger's body is not read: the refusal comes first, and no invitation to send it", async () => {
    const scene = await openHttpScene();
    const { socket, received } = scene.connect();
    socket.write(
      `POST /api/things/1 HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    const answer = await received;
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).not.toContain("100 Continue");
  });

  test("a body that says it is too large is not asked for", async () => {
    const scene = await openHttpScene();
    const { socket, received } = scene.connect();
    socket.write(
      `POST /api/things/1 HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nAuthorization: Bearer ${await scene.token()}\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    expect(await received).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("who waits to be asked for the body is asked, once it is known who it is", async () => {
    const scene = await openHttpScene();
    const { socket, received } = scene.connect();
    socket.write(
      `POST /api/things/1 HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nAuthorization: Bearer ${await scene.token()}\r\nContent-Type: application/json\r\nContent-Length: 13\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once("data", resolve));
    socket.write('{"text":"hi"}');
    expect(await received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  test("requests sent all at once are answered one after another, and whoever sends too many is cut off", async () => {
    const scene = await openHttpScene({ limits: { maxPipelined: 10 } });
    const request = `GET /api/open HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\n`;
    const some = scene.connect();
    some.socket.write(`${`${request}\r\n`.repeat(9)}${request}Connection: close\r\n\r\n`);
    expect((await some.received).match(/HTTP\/1\.1 200 /g)).toHaveLength(10);
    const many = scene.connect();
    many.socket.write(`${request}\r\n`.repeat(1_000));
    expect((await many.received).match(/HTTP\/1\.1 200 /g)?.length ?? 0).toBeLessThan(10);
  });

  test("a request behind an answer that nobody reads is not even begun", async () => {
    const scene = await openHttpScene();
    const request = (token: string, path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const [one, two] = [await scene.token(), await scene.token({ name: "the other" })];
    const deaf = scene.connect();
    deaf.socket.pause();
    deaf.socket.write(request(one, "/api/large") + request(one, "/api/owner"));
    const other = scene.connect();
    other.socket.write(request(two, "/api/large"));
    await once(other.socket, "data");
    other.socket.write(request(two, "/api/owner"));
    await eventually(() => scene.seen.length > 0);
    const first = scene.seen[0]?.tokenId;
    deaf.socket.resume();
    await eventually(() => scene.seen.length, 2);
    expect(scene.seen.map(({ tokenId }) => tokenId === first)).toEqual([true, false]);
    const tokens = await scene.access.list();
    expect(tokens.find(({ id }) => id === first)?.name).toBe("the other");
    deaf.socket.destroy();
    other.socket.destroy();
  });

  test("an answer that nobody reads is given up, and one that is read slowly is not", async () => {
    const scene = await openHttpScene({ limits: { unreadMs: 1_000, checkEveryMs: 50 } });
    const token = await scene.token();
    const request = `GET /api/large HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nAuthorization: Bearer ${token}\r\n`;
    const deaf = scene.connect();
    deaf.socket.write(`${request}\r\n`);
    deaf.socket.pause();
    // sending meanwhile does not help
    const chatter = setInterval(() => deaf.socket.write(`${request}\r\n`), 100);
    onTestFinished(() => clearInterval(chatter));
    const slow = scene.connect();
    slow.socket.write(`${request}Connection: close\r\n\r\n`);
    slow.socket.on("data", () => {
      slow.socket.pause();
      setTimeout(() => slow.socket.resume(), 4);
    });
    const startedMs = Date.now();
    expect((await slow.received).length).toBeGreaterThan(40 * 1024 * 1024);
    // it took longer than anybody may read nothing
    expect(Date.now() - startedMs).toBeGreaterThan(1_000);
    deaf.socket.resume();
    expect((await deaf.received).length).toBeLessThan(39 * 1024 * 1024);
  });
});
