import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import { eventually } from "../../scenes/eventually.ts";
import { bearer, errorOf, firefox, json, openDoorScene, owner } from "../../scenes/gateway/http-scene.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const connected = (...all: readonly { socket: Socket }[]) =>
  eventually(() => all.every(({ socket }) => !socket.connecting));
const page = `<!doctype html><title>Steward</title>${"<p>words</p>".repeat(200)}`;

async function pageFolder(home: string): Promise<void> {
  await mkdir(join(home, "page", "assets"), { recursive: true });
  await writeFile(join(home, "page", "index.html"), page);
  await writeFile(join(home, "page", "service-worker.js"), "self.onfetch = null;");
  await writeFile(join(home, "page", "assets", "main-1a2b.js"), `export {};${"/* words */".repeat(200)}`);
}

describe("coming in", () => {
  test("the very first visitors are served, all of what they sent before anything was loaded included", async () => {
    const scene = await openDoorScene();
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
    await expect(openDoorScene({ port })).rejects.toThrow(
      `The gateway cannot listen on 127.0.0.1:${port}: another program does, probably another Steward or an OpenClaw gateway. Stop it, or set gateway.port to another number.`,
    );
  });

  test("a proxy that is neither an address nor a range is a mistake in the settings that is named", async () => {
    await expect(openDoorScene({ trustedProxies: ["10.0.0.0/33"] })).rejects.toThrow(
      'gateway.trustedProxies holds "10.0.0.0/33"',
    );
  });

  test("closing ends open streams and lets the port go", async () => {
    const scene = await openDoorScene();
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

describe("limits before anybody is known", () => {
  test("who sends the headers of a request too slowly is cut off", async () => {
    const scene = await openDoorScene({ limits: { headersMs: 300, checkEveryMs: 50 } });
    const { socket, received } = scene.connect();
    socket.write("GET /api/open HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    const drip = setInterval(() => socket.write("X-A: b\r\n"), 50);
    onTestFinished(() => clearInterval(drip));
    expect(await received).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("who connects and says nothing is cut off, also on the connection that loads everything", async () => {
    const scene = await openDoorScene({ limits: { headersMs: 300, checkEveryMs: 50 } });
    expect(await scene.connect().received).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test("who sends a body too slowly is cut off, but a slow answer is waited for", async () => {
    const scene = await openDoorScene({ limits: { headersMs: 300, requestMs: 400, checkEveryMs: 50 } });
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
    const scene = await openDoorScene({ limits: { maxUnknownPerAddress: 2, waitMs: 2_000, headersMs: 60_000 } });
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
    const scene = await openDoorScene({ limits: { maxConnections: 3 } });
    const held = [scene.connect(), scene.connect(), scene.connect()];
    await connected(...held);
    expect(await scene.connect().received).toBe("");
    for (const { socket } of held) socket.destroy();
    await eventually(async () => (await scene.send("GET", "/api/open")).status, 200);
  });

  test("headers and bodies have a size, and the refusal can be read", async () => {
    const scene = await openDoorScene();
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
    const scene = await openDoorScene({ limits: { maxBodyBytes: 1000 } });
    const piece = `1f4\r\n${" ".repeat(500)}\r\n`;
    const answer = await scene.raw(
      `POST /api/things/1 HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nAuthorization: Bearer ${await scene.token()}\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${piece.repeat(4)}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("a stranger's body is not read: the refusal comes first, and no invitation to send it", async () => {
    const scene = await openDoorScene();
    const { socket, received } = scene.connect();
    socket.write(
      `POST /api/things/1 HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    const answer = await received;
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).not.toContain("100 Continue");
  });

  test("a body that says it is too large is not asked for", async () => {
    const scene = await openDoorScene();
    const { socket, received } = scene.connect();
    socket.write(
      `POST /api/things/1 HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nAuthorization: Bearer ${await scene.token()}\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    expect(await received).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("who waits to be asked for the body is asked, once it is known who it is", async () => {
    const scene = await openDoorScene();
    const { socket, received } = scene.connect();
    socket.write(
      `POST /api/things/1 HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nAuthorization: Bearer ${await scene.token()}\r\nContent-Type: application/json\r\nContent-Length: 13\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once("data", resolve));
    socket.write('{"text":"hi"}');
    expect(await received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  test("an answer that nobody reads is given up, and one that is read slowly is not", async () => {
    const scene = await openDoorScene({ limits: { unreadMs: 1_000, checkEveryMs: 50 } });
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
    const scene = await openDoorScene();
    const answer = await scene.raw(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(scene.seen).toEqual([]);
  });

  test("what no route has is not found, and another method is told which ones there are", async () => {
    const scene = await openDoorScene();
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
    const scene = await openDoorScene();
    const { headers } = bearer(await scene.token());
    const heads = [await scene.send("HEAD", "/api/open"), await scene.send("HEAD", "/api/events", { headers })];
    expect(heads.map(({ status, text }) => [status, text])).toEqual([
      [200, ""],
      [200, ""],
    ]);
  });

  test("an unknown key, a key twice, a wrong type and a broken body are told apart in words", async () => {
    const scene = await openDoorScene();
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
  const asks = async (host: string, options: Parameters<typeof openDoorScene>[0] = {}, more = {}) => {
    const scene = await openDoorScene(options);
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
    const scene = await openDoorScene();
    const host = `Host: 127.0.0.1:${scene.port}\r\n`;
    const answer = await scene.raw(`GET /api/open HTTP/1.1\r\n${host}Host: evil.example\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 4(00|21) /);
  });

  test("encryption is asked for only when the public address has it", async () => {
    const plain = await openDoorScene();
    expect((await plain.send("GET", "/api/open")).headers["strict-transport-security"]).toBeUndefined();
    const secure = await openDoorScene({ publicUrl: "https://steward.example" });
    expect((await secure.send("GET", "/api/open")).headers["strict-transport-security"]).toBe("max-age=31536000");
  });

  test("a WebSocket is handed over at /ws only, to whoever serves it, with the address it comes from", async () => {
    const scene = await openDoorScene();
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
    const scene = await openDoorScene();
    const answer = await scene.raw(
      `GET /api/open HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("codes and sessions", () => {
  test("a code lets one browser in once, by a cookie that no script and no other site can use", async () => {
    const scene = await openDoorScene();
    const { code, url, expiresAtMs } = await scene.methods["access.createCode"](owner, {});
    expect(url).toBe(`http://127.0.0.1:${scene.port}/#code=${code}`);
    expect(expiresAtMs - Date.now()).toBeGreaterThan(9 * minuteMs);
    const first = await scene.send("POST", "/api/session", json({ code }, { "User-Agent": firefox }));
    const second = await scene.send("POST", "/api/session", json({ code }));
    expect([first.status, first.text, second.status]).toEqual([204, "", 401]);
    const [cookie = ""] = first.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^steward_${scene.port}=stw_[\\w-]{43}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict$`),
    );
    const headers = { Cookie: cookie.split(";")[0] ?? "" };
    expect(JSON.parse((await scene.send("GET", "/api/session", { headers })).text)).toEqual({
      scope: "owner",
      name: "Firefox on Linux",
    });
    expect((await scene.send("GET", "/api/owner", { headers })).status).toBe(200);
  });

  test("a code runs out after ten minutes", async () => {
    const scene = await openDoorScene();
    const { code } = scene.access.createCode();
    scene.advance(10 * minuteMs);
    expect((await scene.send("POST", "/api/session", json({ code }))).status).toBe(401);
  });

  test("of more than twenty open codes the oldest ones are void", async () => {
    const scene = await openDoorScene();
    const codes = Array.from({ length: 21 }, () => scene.access.createCode().code);
    const [oldest = "", second = ""] = codes;
    expect((await scene.send("POST", "/api/session", json({ code: oldest }))).status).toBe(401);
    expect((await scene.send("POST", "/api/session", json({ code: second }))).status).toBe(204);
  });

  test("over an encrypted public address the cookie is for encrypted connections only", async () => {
    const scene = await openDoorScene({ publicUrl: "https://steward.example" });
    const { answer } = await scene.signIn({ Host: "steward.example", Origin: "https://steward.example" });
    expect(answer.headers["set-cookie"]?.[0]).toMatch(/; SameSite=Strict; Secure$/);
  });

  test("a session that is used lasts, one that is left alone for thirty days does not", async () => {
    const scene = await openDoorScene();
    const { cookie } = await scene.signIn();
    const status = async () => (await scene.send("GET", "/api/owner", { headers: { Cookie: cookie } })).status;
    scene.advance(20 * dayMs);
    expect(await status()).toBe(200);
    scene.advance(20 * dayMs);
    expect(await status()).toBe(200);
    scene.advance(31 * dayMs);
    expect(await status()).toBe(401);
  });

  test("signing out ends the session for good and takes the cookie away", async () => {
    const scene = await openDoorScene();
    const { cookie } = await scene.signIn();
    const out = await scene.send("DELETE", "/api/session", { headers: { Cookie: cookie } });
    expect([out.status, out.headers["set-cookie"]?.[0]]).toEqual([
      204,
      `steward_${scene.port}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`,
    ]);
    expect((await scene.send("GET", "/api/session", { headers: { Cookie: cookie } })).status).toBe(401);
  });

  test("a second cookie that another port has planted does not lock the browser out", async () => {
    const scene = await openDoorScene();
    const { cookie } = await scene.signIn();
    const headers = { Cookie: `steward_${scene.port}=planted; other=1; ${cookie}` };
    expect((await scene.send("GET", "/api/owner", { headers })).status).toBe(200);
  });
});

describe("tokens", () => {
  test("each scope reaches its own routes and no others", async () => {
    const scene = await openDoorScene();
    const tokens = {
      owner: await scene.token(),
      read: await scene.token({ scope: "read" }),
      approve: await scene.token({ scope: "approve" }),
      task: await scene.token({ scope: "task", conversation: "web--one", name: "the errand" }),
    };
    const reached: Record<string, string[]> = {};
    for (const [scope, token] of Object.entries(tokens)) {
      reached[scope] = [];
      for (const path of ["/api/owner", "/api/read", "/api/approve", "/api/task", "/api/session"]) {
        const { status } = await scene.send("GET", path, bearer(token));
        if (status === 200) reached[scope].push(path);
        else expect(status).toBe(403);
      }
    }
    expect(reached).toEqual({
      owner: ["/api/owner", "/api/read", "/api/approve", "/api/task", "/api/session"],
      read: ["/api/read", "/api/session"],
      approve: ["/api/approve", "/api/session"],
      task: ["/api/task", "/api/session"],
    });
    expect(scene.seen.at(-1)).toMatchObject({
      scope: "task",
      conversation: "web--one",
      sender: { kind: "group", name: "the errand" },
    });
  });

  test("a token works in the next process, its secret is in no file's row, and revoked it stays revoked there", async () => {
    const home = await temporaryFolder();
    const first = await openDoorScene({ home });
    const [kept, gone] = [await first.token({ name: "kept" }), await first.token({ name: "gone" })];
    const { tokens } = await first.methods["access.list"](owner, {});
    const id = tokens.find((token) => token.name === "gone")?.id ?? "";
    expect(await first.methods["access.revoke"](owner, { id })).toEqual({ ok: true });
    expect(await first.methods["access.revoke"](owner, { id })).toEqual({ ok: false });
    const rows = JSON.stringify(await first.store.database.query("SELECT * FROM access_tokens"));
    expect(rows).not.toContain(kept.slice(4));
    await first.close();
    const second = await openDoorScene({ home });
    expect((await second.send("GET", "/api/owner", bearer(kept))).status).toBe(200);
    expect((await second.send("GET", "/api/owner", bearer(gone))).status).toBe(401);
    expect((await second.methods["access.list"](owner, {})).tokens.map((token) => token.name)).toEqual(["kept"]);
  });

  test("a token with an end works until then and not a moment longer", async () => {
    const scene = await openDoorScene();
    const { token } = await scene.methods["access.create"](owner, {
      name: "for a day",
      scope: "read",
      expiresAfterDays: 1,
    });
    scene.advance(dayMs - minuteMs);
    expect((await scene.send("GET", "/api/read", bearer(token))).status).toBe(200);
    scene.advance(minuteMs);
    expect((await scene.send("GET", "/api/read", bearer(token))).status).toBe(401);
  });

  test("whoever holds a connection hears when its token is revoked or has run out", async () => {
    const scene = await openDoorScene();
    const ended: string[] = [];
    const created = await Promise.all(
      ["revoked", "run out", "stays"].map((name) =>
        scene.access.create(owner, { name, scope: "read", ...(name === "run out" && { expiresAfterMs: minuteMs }) }),
      ),
    );
    for (const { record } of created) scene.access.onEnd(record.id, () => ended.push(record.name));
    await scene.access.revoke(owner, created[0]?.record.id ?? "");
    expect(ended).toEqual(["revoked"]);
    scene.advance(minuteMs);
    await eventually(() => ended.length === 2);
    expect(ended).toEqual(["revoked", "run out"]);
  });

  test("one that was revoked before anybody began to listen is heard of too", async () => {
    const scene = await openDoorScene({ checkEndingsEveryMs: 3_600_000 });
    const { record } = await scene.access.create(owner, { name: "short", scope: "read" });
    await scene.access.revoke(owner, record.id);
    await new Promise<void>((resolve) => scene.access.onEnd(record.id, resolve));
  });

  test("granting and revoking stand in the log, and the secret does not", async () => {
    const scene = await openDoorScene();
    const { token, record } = await scene.access.create(owner, { name: "a program", scope: "approve" });
    await scene.access.revoke(owner, record.id);
    const events = await scene.store.log.since(0, 100);
    expect(events.map((event: Event) => event.type)).toEqual(["access.granted", "access.revoked"]);
    expect(events[0]).toMatchObject({ tokenId: record.id, name: "a program", scope: "approve", by: owner.sender });
    expect(JSON.stringify(events)).not.toContain(token.slice(4));
  });

  test("when a token was last used is written at most once a minute", async () => {
    const scene = await openDoorScene();
    const token = await scene.token();
    const lastUsed = async () => {
      await scene.send("GET", "/api/owner", bearer(token));
      return (await scene.access.list())[0]?.lastUsedAtMs;
    };
    const first = await lastUsed();
    scene.advance(minuteMs / 2);
    expect(await lastUsed()).toBe(first);
    scene.advance(minuteMs / 2);
    expect(await lastUsed()).toBeGreaterThan(first ?? 0);
  });

  test("the token from the environment opens everything, is listed, and cannot be revoked here", async () => {
    const environmentToken = "a-long-secret-that-a-person-has-chosen";
    const scene = await openDoorScene({ environmentToken });
    expect((await scene.send("GET", "/api/owner", bearer(environmentToken))).status).toBe(200);
    expect((await scene.send("GET", "/api/owner", bearer(`${environmentToken}x`))).status).toBe(401);
    expect((await scene.access.list()).map((token) => token.name)).toEqual(["STEWARD_GATEWAY_TOKEN"]);
    const out = await scene.send("DELETE", "/api/session", bearer(environmentToken));
    expect([out.status, errorOf(out).message]).toEqual([409, expect.stringContaining("STEWARD_GATEWAY_TOKEN")]);
  });

  test("a short token from the environment is refused before anybody can use it", async () => {
    await expect(openDoorScene({ environmentToken: "short" })).rejects.toThrow(
      "STEWARD_GATEWAY_TOKEN has 5 characters; at least 32 are needed",
    );
  });

  test("a token of one conversation needs to be told which, and no other kind may name one", async () => {
    const scene = await openDoorScene();
    const create = scene.methods["access.create"];
    await expect(create(owner, { name: "x", scope: "task" })).rejects.toThrow("the scope task needs one");
    await expect(create(owner, { name: "x", scope: "read", sessionKey: "web--1" })).rejects.toThrow("belongs to");
  });
});

describe("the page", () => {
  test("is served at every address that could be one, under its own strict policy", async () => {
    const scene = await openDoorScene();
    await pageFolder(scene.home);
    for (const path of ["/", "/chat/web--default", "/settings?x=1"]) {
      const answer = await scene.send("GET", path, { headers: { Accept: "text/html,*/*" } });
      expect([answer.status, answer.text]).toEqual([200, page]);
      expect(answer.headers["content-security-policy"]).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html dompurify steward",
      );
      expect(answer.headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
    }
    expect((await scene.send("GET", "/chat")).status).toBe(404);
    expect((await scene.send("GET", "/missing.js", { headers: { Accept: "text/html" } })).status).toBe(404);
  });

  test("its files are packed, typed, and kept by the browser as long as they may be", async () => {
    const scene = await openDoorScene();
    await pageFolder(scene.home);
    const script = await scene.send("GET", "/assets/main-1a2b.js", { headers: { "Accept-Encoding": "br, gzip" } });
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-encoding": "gzip",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    expect(String(gunzipSync(Buffer.from(script.text, "latin1")))).toMatch(/^export \{\};/);
    const worker = await scene.send("GET", "/service-worker.js");
    expect(worker.headers["cache-control"]).toBe("no-cache");
    const again = await scene.send("GET", "/service-worker.js", {
      headers: { "If-None-Match": String(worker.headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
    await writeFile(join(scene.home, "page", "service-worker.js"), "self.onpush = null; // new");
    expect((await scene.send("GET", "/service-worker.js")).text).toContain("new");
    const head = await scene.send("HEAD", "/");
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", String(page.length)]);
  });

  test("nothing outside its folder is served, by no spelling and no link, and no hidden file", async () => {
    const scene = await openDoorScene();
    await pageFolder(scene.home);
    await writeFile(join(scene.home, "secret.txt"), "secret");
    await writeFile(join(scene.home, "page", ".hidden.txt"), "secret");
    await mkdir(join(scene.home, "page-other"));
    await writeFile(join(scene.home, "page-other", "secret.txt"), "secret");
    await symlink(join(scene.home, "secret.txt"), join(scene.home, "page", "link.txt"));
    await symlink(join(scene.home, "page-other"), join(scene.home, "page", "other"));
    for (const path of ["/link.txt", "/other/secret.txt", "/.hidden.txt", "/assets", "/assets/", "/data/steward.db"]) {
      const { status, text } = await scene.send("GET", path);
      expect([path, status, text.includes("secret")]).toEqual([path, 404, false]);
    }
    for (const path of ["/../secret.txt", "/assets/..%2f..%2fsecret.txt", "/%2e%2e/secret.txt", "/..\\secret.txt"]) {
      const answer = await scene.raw(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  test("that has not been built says how to build it", async () => {
    const scene = await openDoorScene();
    const answer = await scene.send("GET", "/");
    expect([answer.status, answer.headers["content-type"]]).toEqual([503, "text/plain; charset=utf-8"]);
    expect(answer.text).toContain('run "npm start"');
  });

  test("answers for programs are never kept and may do nothing in a browser", async () => {
    const scene = await openDoorScene();
    expect((await scene.send("GET", "/api/open")).headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });
});
