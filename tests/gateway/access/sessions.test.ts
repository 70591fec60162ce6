import { describe, expect, test } from "vitest";
import { firefox, json, openHttpScene, owner } from "../../scenes/gateway/http-scene.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

describe("codes and sessions", () => {
  test("a code lets one browser in once, by a cookie that no script and no other site can use", async () => {
    const scene = await openHttpScene();
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
    const scene = await openHttpScene();
    const { code } = scene.access.createCode();
    scene.advance(10 * minuteMs);
    expect((await scene.send("POST", "/api/session", json({ code }))).status).toBe(401);
  });

  test("of more than twenty open codes the oldest ones are void", async () => {
    const scene = await openHttpScene();
    const codes = Array.from({ length: 21 }, () => scene.access.createCode().code);
    const [oldest = "", second = ""] = codes;
    expect((await scene.send("POST", "/api/session", json({ code: oldest }))).status).toBe(401);
    expect((await scene.send("POST", "/api/session", json({ code: second }))).status).toBe(204);
  });

  test("over an encrypted public address the cookie is for encrypted connections only", async () => {
    const scene = await openHttpScene({ publicUrl: "https://steward.example" });
    const { answer } = await scene.signIn({ Host: "steward.example", Origin: "https://steward.example" });
    expect(answer.headers["set-cookie"]?.[0]).toMatch(/; SameSite=Strict; Secure$/);
  });

  test("a session that is used lasts, one that is left alone for thirty days does not", async () => {
    const scene = await openHttpScene();
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
    const scene = await openHttpScene();
    const { cookie } = await scene.signIn();
    const out = await scene.send("DELETE", "/api/session", { headers: { Cookie: cookie } });
    expect([out.status, out.headers["set-cookie"]?.[0]]).toEqual([
      204,
      `steward_${scene.port}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`,
    ]);
    expect((await scene.send("GET", "/api/session", { headers: { Cookie: cookie } })).status).toBe(401);
  });

  test("a second cookie that another port has planted does not lock the browser out", async () => {
    const scene = await openHttpScene();
    const { cookie } = await scene.signIn();
    const headers = { Cookie: `steward_${scene.port}=planted; other=1; ${cookie}` };
    expect((await scene.send("GET", "/api/owner", { headers })).status).toBe(200);
  });
});
