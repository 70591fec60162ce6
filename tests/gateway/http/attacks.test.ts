// What has been done to assistants of this kind, done to ours: one test an attack, named by what the attacker wants.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../src/contract/access.ts";
import type { Caller } from "../../../src/contract/caller.ts";
import { hashSecret } from "../../../src/gateway/access/secret.ts";
import { bearer, type DoorSceneOptions, errorOf, json, openDoorScene, owner } from "../../scenes/gateway/http-scene.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

const minuteMs = 60_000;
const wrong = `stw_${"A".repeat(43)}`;
const narrow: readonly Scope[] = ["read", "approve", "task"];
const wishOf = (scope: Scope) => ({ scope, ...(scope === "task" && { conversation: "web--one" }) });

async function sceneWithPage(options: DoorSceneOptions = {}) {
  const scene = await openDoorScene(options);
  await mkdir(join(scene.home, "page"), { recursive: true });
  await writeFile(join(scene.home, "page", "index.html"), "<!doctype html><title>Steward</title>");
  return scene;
}

describe("tokens in addresses (CVE-2026-25253)", () => {
  test("a link that names another gateway changes nothing, and the page may speak to no other host", async () => {
    const scene = await sceneWithPage();
    const plain = await scene.send("GET", "/");
    const lured = await scene.send("GET", "/?gatewayUrl=wss://evil.example&token=x");
    expect(lured.text).toBe(plain.text);
    expect(lured.headers["content-security-policy"]).toContain("connect-src 'self';");
    expect(lured.headers["referrer-policy"]).toBe("no-referrer");
  });

  test.each(["token", "access_token", "auth", "code"])("a right token as ?%s= opens nothing", async (key) => {
    const scene = await openDoorScene();
    const answer = await scene.send("GET", `/api/owner?${key}=${await scene.token()}`);
    expect([answer.status, scene.seen]).toEqual([401, []]);
  });
});

describe("rights that a client gives itself (CVE-2026-22172, -41299, -32042, -32001)", () => {
  test("scopes, roles and senders that a request claims are not heard", async () => {
    const scene = await openDoorScene();
    const token = await scene.token({ ...wishOf("task"), name: "the errand" });
    const claims = {
      "X-Scopes": "owner",
      "X-Steward-Scope": "owner",
      "X-Role": "admin",
      "X-Sender": "owner",
      Cookie: "scope=owner",
    };
    expect((await scene.send("GET", "/api/owner", { headers: { ...bearer(token).headers, ...claims } })).status).toBe(
      403,
    );
    await scene.send("GET", "/api/task", { headers: { ...bearer(token).headers, ...claims } });
    expect(scene.seen).toEqual([
      {
        scope: "task",
        conversation: "web--one",
        sender: { kind: "group", id: expect.stringMatching(/^tok_/), name: "the errand" },
        tokenId: expect.stringMatching(/^tok_/),
      },
    ]);
  });

  test("a code cannot be exchanged for a scope of the client's choice", async () => {
    const scene = await openDoorScene();
    const { code } = scene.access.createCode();
    const answer = await scene.send("POST", "/api/session", json({ code, scope: "owner", name: "<b>x</b>" }));
    expect(answer.status).toBe(400);
  });

  test("a token whose record has lost its conversation reaches no conversation instead of all", async () => {
    const scene = await openDoorScene();
    const token = await scene.token(wishOf("task"));
    await scene.store.database.transaction(true, (tx) => tx.query("UPDATE access_tokens SET conversation = NULL"));
    await scene.send("GET", "/api/task", bearer(token));
    expect(scene.seen.map((caller) => caller.conversation)).toEqual([""]);
  });

  test("a browser's session is no token, and a token is no session", async () => {
    const scene = await openDoorScene();
    const { cookie } = await scene.signIn();
    const secret = cookie.split("=")[1] ?? "";
    expect((await scene.send("GET", "/api/owner", bearer(secret))).status).toBe(401);
    const planted = { Cookie: `steward_${scene.port}=${await scene.token()}` };
    expect((await scene.send("GET", "/api/owner", { headers: planted })).status).toBe(401);
  });
});

describe("doors without a lock (CVE-2026-25593, -34512, -41359, -45001)", () => {
  test("a route that names nobody is closed to strangers and to every narrow token", async () => {
    const scene = await openDoorScene();
    const narrowTokens = await Promise.all(narrow.map((scope) => scene.token(wishOf(scope))));
    const answers = await Promise.all([
      scene.send("GET", "/api/owner"),
      scene.send("POST", "/api/kill"),
      ...narrowTokens.flatMap((token) => [
        scene.send("GET", "/api/owner", bearer(token)),
        scene.send("POST", "/api/kill", bearer(token)),
      ]),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 403, 403, 403, 403, 403, 403]);
    expect(scene.seen).toEqual([]);
  });

  test("a HEAD or an OPTIONS does not get past the lock either", async () => {
    const scene = await openDoorScene();
    expect((await scene.send("HEAD", "/api/owner")).status).toBe(401);
    await scene.send("OPTIONS", "/api/kill");
    expect(scene.seen).toEqual([]);
  });
});

describe("foreign pages (CVE-2026-32302, -26317)", () => {
  const origins = (port: number) => [
    "https://evil.example",
    "null",
    "http://127.0.0.1:1",
    `http://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}.evil.example`,
    `http://127.0.0.1:${port}@evil.example`,
  ];

  test("no page of another origin may ask anything, whichever way it shows who it is", async () => {
    const environmentToken = "a-long-secret-that-a-person-has-chosen";
    const scene = await openDoorScene({ environmentToken });
    const { cookie } = await scene.signIn();
    const ways = [{}, { Cookie: cookie }, bearer(await scene.token()).headers, bearer(environmentToken).headers];
    const statuses = new Set<number>();
    for (const Origin of origins(scene.port))
      for (const way of ways)
        statuses.add((await scene.send("POST", "/api/kill", { headers: { Origin, ...way } })).status);
    expect([...statuses]).toEqual([403]);
    const own = { Origin: `http://127.0.0.1:${scene.port}`, Cookie: cookie };
    expect((await scene.send("POST", "/api/kill", { headers: own })).status).toBe(200);
  });

  test("behind a trusted proxy the rule is the same", async () => {
    const scene = await openDoorScene({ trustedProxies: ["127.0.0.1"], publicUrl: "https://steward.example" });
    const { cookie } = await scene.signIn();
    const ask = (more: Record<string, string>) =>
      scene.send("POST", "/api/kill", {
        headers: { Cookie: cookie, "X-Forwarded-Host": "steward.example", "X-Forwarded-Proto": "https", ...more },
      });
    expect((await ask({ Origin: "https://evil.example" })).status).toBe(403);
    expect((await ask({ Origin: "http://steward.example" })).status).toBe(403);
    expect((await ask({ Origin: "https://steward.example" })).status).toBe(200);
    expect((await ask({ "X-Forwarded-Host": "evil.example", Origin: "https://evil.example" })).status).toBe(421);
  });

  test.each(["cross-site", "same-site", "anything"])("a request that its browser calls %s is refused", async (site) => {
    const scene = await sceneWithPage();
    const { cookie } = await scene.signIn();
    const headers = { Cookie: cookie, "Sec-Fetch-Site": site };
    const link = { ...headers, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", Accept: "text/html" };
    expect((await scene.send("GET", "/api/owner", { headers })).status).toBe(403);
    expect((await scene.send("POST", "/api/kill", { headers })).status).toBe(403);
    // a link may lead to the page, but not to an answer, and a frame or a script may lead nowhere
    expect((await scene.send("GET", "/", { headers: link })).status).toBe(200);
    expect((await scene.send("GET", "/api/owner", { headers: link })).status).toBe(403);
    expect((await scene.send("GET", "/", { headers: { ...link, "Sec-Fetch-Dest": "iframe" } })).status).toBe(403);
    expect(
      (
        await scene.send("GET", "/", {
          headers: { ...headers, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script" },
        })
      ).status,
    ).toBe(403);
    expect(scene.seen).toEqual([]);
  });

  test("a form cannot send what we read as JSON, even from a browser that says nothing about itself", async () => {
    const scene = await openDoorScene();
    const { cookie } = await scene.signIn();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]) {
      const headers = { Cookie: cookie, "Content-Type": type };
      expect((await scene.send("POST", "/api/things/1", { headers, body: '{"text":"x"}' })).status).toBe(415);
    }
  });

  test("no answer ever invites another origin", async () => {
    const scene = await sceneWithPage();
    const asks = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization" };
    const answers = [
      await scene.send("OPTIONS", "/api/kill", { headers: { ...asks, Origin: "https://evil.example" } }),
      await scene.send("OPTIONS", "/api/kill", { headers: asks }),
      await scene.send("GET", "/"),
      await scene.send("GET", "/api/open"),
    ];
    const invitations = answers.flatMap(({ headers }) =>
      Object.keys(headers).filter((name) => name.startsWith("access-control")),
    );
    expect([answers[0]?.status, invitations]).toEqual([403, []]);
  });

  test("a page that points its own name at this machine is not answered, with a cookie or without", async () => {
    const scene = await sceneWithPage();
    const { cookie } = await scene.signIn();
    const Host = `rebound.example:${scene.port}`;
    for (const path of ["/", "/api/open", "/api/owner", "/api/session"]) {
      const { status } = await scene.send("GET", path, { headers: { Host, Origin: `http://${Host}`, Cookie: cookie } });
      expect(status).toBe(421);
    }
    const empty = await scene.raw("GET /api/open HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n");
    const none = await scene.raw("GET /api/open HTTP/1.0\r\n\r\n");
    expect([empty, none]).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 421 /),
      expect.stringMatching(/^HTTP\/1\.1 421 /),
    ]);
  });
});

describe("wider rights for oneself (GHSA-4jpw-hj22-2xmc, CVE-2026-35639, -35663, -42422)", () => {
  test.each(narrow)(
    "a caller of the scope %s can neither make, see nor revoke tokens, nor let a browser in",
    async (scope) => {
      const scene = await openDoorScene();
      const { record } = await scene.access.create(owner, { name: "another", scope: "owner" });
      const caller: Caller = { sender: { kind: "owner", id: "owner" }, scope, tokenId: "tok_x" };
      const { methods } = scene;
      const attempts = await Promise.allSettled([
        methods["access.create"](caller, { name: "mine", scope: "owner" }),
        methods["access.create"](caller, { name: "mine", ...wishOf(scope) }),
        methods["access.createCode"](caller, {}),
        methods["access.revoke"](caller, { id: record.id }),
        methods["access.list"](caller, {}),
      ]);
      expect(attempts.map((attempt) => attempt.status === "rejected" && attempt.reason.code)).toEqual(
        Array(5).fill("forbidden"),
      );
      expect((await scene.access.list()).map((token) => token.name)).toEqual(["another"]);
    },
  );
});

describe("tokens that come back (CVE-2026-53843, GHSA-m8wm-r5vq-qjpg)", () => {
  test("a session that is revoked while it is in use is over with the next request, and no use of it revives it", async () => {
    const home = await temporaryFolder();
    const scene = await openDoorScene({ home });
    const { cookie } = await scene.signIn();
    const headers = { Cookie: cookie };
    expect((await scene.send("GET", "/api/owner", { headers })).status).toBe(200);
    const [session] = await scene.access.list();
    await scene.access.revoke(owner, session?.id ?? "");
    scene.advance(2 * minuteMs);
    expect((await scene.send("GET", "/api/owner", { headers })).status).toBe(401);
    await scene.close();
    const next = await openDoorScene({ home });
    const again = { Cookie: `steward_${next.port}=${cookie.split("=")[1]}` };
    expect((await next.send("GET", "/api/owner", { headers: again })).status).toBe(401);
  });

  test("what another process has revoked is refused at once: nothing about a token is remembered", async () => {
    const scene = await openDoorScene();
    const token = await scene.token();
    expect((await scene.send("GET", "/api/owner", bearer(token))).status).toBe(200);
    await scene.store.database.transaction(true, (tx) => tx.query("UPDATE access_tokens SET revoked_at_ms = 1"));
    expect((await scene.send("GET", "/api/owner", bearer(token))).status).toBe(401);
  });

  test("a revoked secret cannot be granted a second time", async () => {
    const scene = await openDoorScene();
    const token = await scene.token();
    const [record] = await scene.access.list();
    await scene.access.revoke(owner, record?.id ?? "");
    const { openAccessTokens } = await import("../../../src/store/tables/access-tokens.ts");
    const again = openAccessTokens(scene.store).grant(
      { id: "tok_again", hash: hashSecret(token), name: "again", scope: "owner", kind: "token", createdAtMs: 1 },
      owner.sender,
    );
    await expect(again).rejects.toThrow();
    expect((await scene.send("GET", "/api/owner", bearer(token))).status).toBe(401);
  });
});

describe("pretending to be near (CVE-2026-53817, -32029, -35656)", () => {
  const fromOf = async (options: DoorSceneOptions, forwarded: string) => {
    const scene = await openDoorScene(options);
    const answer = await scene.send("GET", "/api/open", { headers: { "X-Forwarded-For": forwarded } });
    return JSON.parse(answer.text).from;
  };

  test("what a stranger says about where it comes from is not believed", async () => {
    expect(await fromOf({}, "10.9.8.7")).toBe("127.0.0.1");
    expect(await fromOf({ trustedProxies: ["10.0.0.1"] }, "10.9.8.7")).toBe("127.0.0.1");
  });

  test("of what a trusted proxy passes on only its own word counts, not what the client put before it", async () => {
    const trustedProxies = ["127.0.0.1", "10.0.0.0/8"];
    expect(await fromOf({ trustedProxies }, "127.0.0.1, 203.0.113.9")).toBe("203.0.113.9");
    expect(await fromOf({ trustedProxies }, "127.0.0.1, 203.0.113.9, 10.1.2.3")).toBe("203.0.113.9");
    expect(await fromOf({ trustedProxies }, "203.0.113.9, invented")).toBe("127.0.0.1");
  });

  test("a new invented address with every guess does not help a guesser", async () => {
    const scene = await openDoorScene();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      const headers = { ...bearer(wrong).headers, "X-Forwarded-For": `203.0.113.${guess}`, "X-Real-IP": "127.0.0.1" };
      statuses.push((await scene.send("GET", "/api/owner", { headers })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test("being on this machine opens nothing by itself, and neither does X-Forwarded-Host", async () => {
    const scene = await openDoorScene({ publicUrl: "https://steward.example" });
    const headers = { Host: "evil.example", "X-Forwarded-Host": "steward.example", Forwarded: "host=steward.example" };
    expect((await scene.send("GET", "/api/open", { headers })).status).toBe(421);
    expect((await scene.send("GET", "/api/owner")).status).toBe(401);
  });
});

describe("paths that mean two things (CVE-2026-32036)", () => {
  test.each([
    "/api/open/%2e%2e/owner",
    "/api/open/%2E%2E/owner",
    "/api/open/.%2e/owner",
    "/api/open/%252e%252e/owner",
    "/api/open/../owner",
    "/api/open%2f..%2fowner",
    "/api/open/..%5cowner",
    "/api/open/..;/owner",
    "/api/owner;/open",
    "/API/owner",
    "/api/owner/",
    "/api/owner%20",
    "/./api/owner",
    "/%61pi/owner",
  ])("%s reaches nothing behind the lock", async (path) => {
    const scene = await openDoorScene();
    const answer = await scene.raw(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (400|401|404) /);
    expect(scene.seen).toEqual([]);
  });
});

describe("secrets that leak (CVE-2026-41335, -27003)", () => {
  test("what a stranger can fetch holds nothing of this house", async () => {
    const environmentToken = "a-long-secret-that-a-person-has-chosen";
    const scene = await sceneWithPage({ environmentToken });
    await scene.signIn();
    const answers = [];
    for (const path of [
      "/",
      "/chat",
      "/api/open",
      "/api/session",
      "/api/owner",
      "/api/x",
      "/config.json",
      "/data/steward.db",
    ])
      answers.push(await scene.send("GET", path, { headers: { Accept: "text/html" } }));
    const told = JSON.stringify(answers);
    for (const secret of [environmentToken, scene.home, "stw_", "access_tokens"]) expect(told).not.toContain(secret);
    expect(answers[0]?.text).toBe("<!doctype html><title>Steward</title>");
  });

  test("what goes wrong inside is told in general words, without paths, keys or a stack", async () => {
    const scene = await openDoorScene();
    const answer = await scene.send("GET", "/api/broken");
    expect([answer.status, errorOf(answer)]).toEqual([
      500,
      { code: "failed", message: "Something went wrong inside. The log has more." },
    ]);
    expect(scene.troubles.join()).toContain("ENOENT");
  });

  test("no token and no code that anybody shows gets into the log", async () => {
    const scene = await openDoorScene();
    const token = await scene.token();
    await scene.send("GET", "/api/broken", bearer(token));
    for (let guess = 0; guess < 12; guess++) await scene.send("GET", "/api/owner", bearer(wrong));
    await scene.send("POST", "/api/session", json({ code: "a-code-that-is-wrong" }));
    expect(scene.troubles.join()).toContain("Too many wrong tokens or codes came from 127.0.0.1");
    for (const secret of [token, wrong, "a-code-that-is-wrong"]) expect(scene.troubles.join()).not.toContain(secret);
  });
});

describe("names that are programs (CVE-2026-27485)", () => {
  test("a browser that calls itself a script is listed in our own words", async () => {
    const scene = await openDoorScene();
    await scene.signIn({ "User-Agent": "<img src=x onerror=alert(1)> Firefox/140.0 Linux" });
    expect((await scene.access.list()).map((token) => token.name)).toEqual(["Firefox on Linux"]);
  });

  test("a token's name comes back as data that no browser runs", async () => {
    const scene = await openDoorScene();
    const token = await scene.token({ name: "<script>alert(1)</script>" });
    const answer = await scene.send("GET", "/api/session", bearer(token));
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none'; sandbox/),
    });
  });
});

describe("guessing (CVE-2026-62220, -33580, -28464)", () => {
  const guess = async (scene: Awaited<ReturnType<typeof openDoorScene>>, times: number) => {
    const answers = [];
    for (let at = 0; at < times; at++) answers.push(await scene.send("GET", "/api/owner", bearer(wrong)));
    return answers;
  };

  test("ten wrong tokens in a minute, also from this machine, and the address has to wait; longer each time", async () => {
    const scene = await openDoorScene();
    const first = await guess(scene, 11);
    expect(first.map((answer) => answer.status)).toEqual([...Array(10).fill(401), 429]);
    expect(Number(first[10]?.headers["retry-after"])).toBeGreaterThan(50);
    expect(Number(first[10]?.headers["retry-after"])).toBeLessThanOrEqual(60);
    scene.advance(61_000);
    const second = await guess(scene, 11);
    expect(second.map((answer) => answer.status)).toEqual([...Array(10).fill(401), 429]);
    expect(Number(second[10]?.headers["retry-after"])).toBeGreaterThan(110);
  });

  test("wrong codes and wrong cookies are counted together with wrong tokens", async () => {
    const scene = await openDoorScene();
    await guess(scene, 4);
    for (let at = 0; at < 3; at++) await scene.send("POST", "/api/session", json({ code: `guess ${at}` }));
    const headers = { Cookie: `steward_${scene.port}=${wrong}` };
    for (let at = 0; at < 3; at++) await scene.send("GET", "/api/owner", { headers });
    expect((await scene.send("POST", "/api/session", json({ code: "guess" }))).status).toBe(429);
    expect((await scene.send("GET", "/api/owner", { headers })).status).toBe(429);
  });

  test("who guesses locks nobody out: a token or code that we have made is let in meanwhile", async () => {
    const scene = await openDoorScene();
    const token = await scene.token();
    await guess(scene, 15);
    expect((await scene.send("GET", "/api/owner", bearer(token))).status).toBe(200);
    expect((await scene.signIn()).answer.status).toBe(204);
    expect((await scene.send("GET", "/api/open")).status).toBe(200);
  });

  test("a secret that a person chose cannot be guessed on while the address has to wait, unless it was shown there before", async () => {
    const environmentToken = "a-long-secret-that-a-person-has-chosen";
    const fresh = await openDoorScene({ environmentToken });
    await guess(fresh, 10);
    expect((await fresh.send("GET", "/api/owner", bearer(environmentToken))).status).toBe(429);
    fresh.advance(61_000);
    expect((await fresh.send("GET", "/api/owner", bearer(environmentToken))).status).toBe(200);
    await guess(fresh, 10);
    expect((await fresh.send("GET", "/api/owner", bearer(environmentToken))).status).toBe(200);
  });

  test("an answer does not tell how near a guess came, nor whether a token ever existed", async () => {
    const scene = await openDoorScene();
    const [token, revoked] = [await scene.token(), await scene.token({ name: "revoked" })];
    const record = (await scene.access.list()).find(({ name }) => name === "revoked");
    await scene.access.revoke(owner, record?.id ?? "");
    const flipped = (at: number) => `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
    const near = [flipped(4), flipped(46), token.slice(0, -1), `${token}A`, token.toUpperCase(), wrong, revoked, "x"];
    const answers = await Promise.all(near.map((guessed) => scene.send("GET", "/api/owner", bearer(guessed))));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });
});

describe("a session over an open line (CVE-2026-32034)", () => {
  test("a public address with encryption gives a cookie that never travels without it, whoever claims otherwise", async () => {
    const scene = await openDoorScene({ publicUrl: "https://steward.example" });
    const { answer } = await scene.signIn({ Host: "steward.example", "X-Forwarded-Proto": "http" });
    expect(answer.headers["set-cookie"]?.[0]).toMatch(/; Secure$/);
    expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000");
  });
});
