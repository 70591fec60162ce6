// What has been done to assistants of this kind, done to ours: one test an attack, named by what the attacker wants.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../src/contract/wire/access.ts";
import type { Caller } from "../../../src/contract/wire/caller.ts";
import { hashSecret } from "../../../src/gateway/access/secret.ts";
import { bearer, type HttpSceneOptions, json, openHttpScene, owner } from "../../scenes/gateway/http-scene.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

const minuteMs = 60_000;
const wrong = `stw_${"A".repeat(43)}`;
const narrow: readonly Scope[] = ["read", "approve", "task"];
const wishOf = (scope: Scope) => ({ scope, ...(scope === "task" && { conversation: "web--one" }) });

async function sceneWithPage(options: HttpSceneOptions = {}) {
  const scene = await openHttpScene(options);
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
    const scene = await openHttpScene();
    const answer = await scene.send("GET", `/api/owner?${key}=${await scene.token()}`);
    expect([answer.status, scene.seen]).toEqual([401, []]);
  });
});

describe("rights that a client gives itself (CVE-2026-22172, -41299, -32042, -32001)", () => {
  test("scopes, roles and senders that a request claims are not heard", async () => {
    const scene = await openHttpScene();
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
    const scene = await openHttpScene();
    const { code } = scene.access.createCode();
    const answer = await scene.send("POST", "/api/session", json({ code, scope: "owner", name: "<b>x</b>" }));
    expect(answer.status).toBe(400);
  });

  test("a token whose record has lost its conversation reaches no conversation instead of all", async () => {
    const scene = await openHttpScene();
    const token = await scene.token(wishOf("task"));
    await scene.store.database.transaction(true, (tx) => tx.query("UPDATE access_tokens SET conversation = NULL"));
    await scene.send("GET", "/api/task", bearer(token));
    expect(scene.seen.map((caller) => caller.conversation)).toEqual([""]);
  });

  test("a browser's session is no token, and a token is no session", async () => {
    const scene = await openHttpScene();
    const { cookie } = await scene.signIn();
    const secret = cookie.split("=")[1] ?? "";
    expect((await scene.send("GET", "/api/owner", bearer(secret))).status).toBe(401);
    const planted = { Cookie: `steward_${scene.port}=${await scene.token()}` };
    expect((await scene.send("GET", "/api/owner", { headers: planted })).status).toBe(401);
  });
});

describe("wider rights for oneself (GHSA-4jpw-hj22-2xmc, CVE-2026-35639, -35663, -42422)", () => {
  test.each(narrow)(
    "a caller of the scope %s can neither make, see nor revoke tokens, nor let a browser in",
    async (scope) => {
      const scene = await openHttpScene();
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
    const scene = await openHttpScene({ home });
    const { cookie } = await scene.signIn();
    const headers = { Cookie: cookie };
    expect((await scene.send("GET", "/api/owner", { headers })).status).toBe(200);
    const [session] = await scene.access.list();
    await scene.access.revoke(owner, session?.id ?? "");
    scene.advance(2 * minuteMs);
    expect((await scene.send("GET", "/api/owner", { headers })).status).toBe(401);
    await scene.close();
    const next = await openHttpScene({ home });
    const again = { Cookie: `steward_${next.port}=${cookie.split("=")[1]}` };
    expect((await next.send("GET", "/api/owner", { headers: again })).status).toBe(401);
  });

  test("what another process has revoked is refused at once: nothing about a token is remembered", async () => {
    const scene = await openHttpScene();
    const token = await scene.token();
    expect((await scene.send("GET", "/api/owner", bearer(token))).status).toBe(200);
    await scene.store.database.transaction(true, (tx) => tx.query("UPDATE access_tokens SET revoked_at_ms = 1"));
    expect((await scene.send("GET", "/api/owner", bearer(token))).status).toBe(401);
  });

  test("a revoked secret cannot be granted a second time", async () => {
    const scene = await openHttpScene();
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

describe("guessing (CVE-2026-62220, -33580, -28464)", () => {
  const guess = async (scene: Awaited<ReturnType<typeof openHttpScene>>, times: number) => {
    const answers = [];
    for (let at = 0; at < times; at++) answers.push(await scene.send("GET", "/api/owner", bearer(wrong)));
    return answers;
  };

  test("ten wrong tokens in a minute, also from this machine, and the address has to wait; longer each time", async () => {
    const scene = await openHttpScene();
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
    const scene = await openHttpScene();
    await guess(scene, 4);
    for (let at = 0; at < 3; at++) await scene.send("POST", "/api/session", json({ code: `guess ${at}` }));
    const headers = { Cookie: `steward_${scene.port}=${wrong}` };
    for (let at = 0; at < 3; at++) await scene.send("GET", "/api/owner", { headers });
    expect((await scene.send("POST", "/api/session", json({ code: "guess" }))).status).toBe(429);
    expect((await scene.send("GET", "/api/owner", { headers })).status).toBe(429);
  });

  test("who guesses locks nobody out: a token or code that we have made is let in meanwhile", async () => {
    const scene = await openHttpScene();
    const token = await scene.token();
    await guess(scene, 15);
    expect((await scene.send("GET", "/api/owner", bearer(token))).status).toBe(200);
    expect((await scene.signIn()).answer.status).toBe(204);
    expect((await scene.send("GET", "/api/open")).status).toBe(200);
  });

  test("a secret that a person chose cannot be guessed on while the address has to wait, unless it was shown there before", async () => {
    const environmentToken = "a-long-secret-that-a-person-has-chosen";
    const fresh = await openHttpScene({ environmentToken });
    await guess(fresh, 10);
    expect((await fresh.send("GET", "/api/owner", bearer(environmentToken))).status).toBe(429);
    fresh.advance(61_000);
    expect((await fresh.send("GET", "/api/owner", bearer(environmentToken))).status).toBe(200);
    await guess(fresh, 10);
    expect((await fresh.send("GET", "/api/owner", bearer(environmentToken))).status).toBe(200);
  });

  test("an answer does not tell how near a guess came, nor whether a token ever existed", async () => {
    const scene = await openHttpScene();
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
    const scene = await openHttpScene({ publicUrl: "https://steward.example" });
    const { answer } = await scene.signIn({ Host: "steward.example", "X-Forwarded-Proto": "http" });
    expect(answer.headers["set-cookie"]?.[0]).toMatch(/; Secure$/);
    expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000");
  });
});
