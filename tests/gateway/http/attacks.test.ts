// What has been done to assistants of this kind, done to ours: one test an attack, named by what the attacker wants.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../src/contract/wire/access.ts";
import { bearer, errorOf, type HttpSceneOptions, json, openHttpScene } from "../../scenes/gateway/http-scene.ts";

const wrong = `stw_${"A".repeat(43)}`;
const narrow: readonly Scope[] = ["read", "approve", "task"];
const wishOf = (scope: Scope) => ({ scope, ...(scope === "task" && { conversation: "web--one" }) });

async function sceneWithPage(options: HttpSceneOptions = {}) {
  const scene = await openHttpScene(options);
  await mkdir(join(scene.home, "page"), { recursive: true });
  await writeFile(join(scene.home, "page", "index.html"), "<!doctype html><title>Steward</title>");
  return scene;
}

describe("ways in without a lock (CVE-2026-25593, -34512, -41359, -45001)", () => {
  test("a route that names nobody is closed to strangers and to every narrow token", async () => {
    const scene = await openHttpScene();
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
    const scene = await openHttpScene();
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
    const scene = await openHttpScene({ environmentToken });
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
    const scene = await openHttpScene({ trustedProxies: ["127.0.0.1"], publicUrl: "https://steward.example" });
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
    const scene = await openHttpScene();
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

describe("pretending to be near (CVE-2026-53817, -32029, -35656)", () => {
  const fromOf = async (options: HttpSceneOptions, forwarded: string) => {
    const scene = await openHttpScene(options);
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
    const scene = await openHttpScene();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      const headers = { ...bearer(wrong).headers, "X-Forwarded-For": `203.0.113.${guess}`, "X-Real-IP": "127.0.0.1" };
      statuses.push((await scene.send("GET", "/api/owner", { headers })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test("being on this machine opens nothing by itself, and neither does X-Forwarded-Host", async () => {
    const scene = await openHttpScene({ publicUrl: "https://steward.example" });
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
    const scene = await openHttpScene();
    const answer = await scene.raw(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (400|401|404) /);
    expect(scene.seen).toEqual([]);
  });
});

describe("secrets that leak (CVE-2026-41335, -27003)", () => {
  test("what a stranger can fetch holds nothing of this installation", async () => {
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
    const scene = await openHttpScene();
    const answer = await scene.send("GET", "/api/broken");
    expect([answer.status, errorOf(answer)]).toEqual([
      500,
      { code: "failed", message: "Something went wrong inside. The log has more." },
    ]);
    expect(scene.troubles.join()).toContain("ENOENT");
  });

  test("no token and no code that anybody shows gets into the log", async () => {
    const scene = await openHttpScene();
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
    const scene = await openHttpScene();
    await scene.signIn({ "User-Agent": "<img src=x onerror=alert(1)> Firefox/140.0 Linux" });
    expect((await scene.access.list()).map((token) => token.name)).toEqual(["Firefox on Linux"]);
  });

  test("a token's name comes back as data that no browser runs", async () => {
    const scene = await openHttpScene();
    const token = await scene.token({ name: "<script>alert(1)</script>" });
    const answer = await scene.send("GET", "/api/session", bearer(token));
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none'; sandbox/),
    });
  });
});
