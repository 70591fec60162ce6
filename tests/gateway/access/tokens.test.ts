import { describe, expect, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import { eventually } from "../../scenes/eventually.ts";
import { bearer, errorOf, openHttpScene, owner } from "../../scenes/gateway/http-scene.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

describe("tokens", () => {
  test("each scope reaches its own routes and no others", async () => {
    const scene = await openHttpScene();
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
    const first = await openHttpScene({ home });
    const [kept, gone] = [await first.token({ name: "kept" }), await first.token({ name: "gone" })];
    const { tokens } = await first.methods["access.list"](owner, {});
    const id = tokens.find((token) => token.name === "gone")?.id ?? "";
    expect(await first.methods["access.revoke"](owner, { id })).toEqual({ ok: true });
    expect(await first.methods["access.revoke"](owner, { id })).toEqual({ ok: false });
    const rows = JSON.stringify(await first.store.database.query("SELECT * FROM access_tokens"));
    expect(rows).not.toContain(kept.slice(4));
    await first.close();
    const second = await openHttpScene({ home });
    expect((await second.send("GET", "/api/owner", bearer(kept))).status).toBe(200);
    expect((await second.send("GET", "/api/owner", bearer(gone))).status).toBe(401);
    expect((await second.methods["access.list"](owner, {})).tokens.map((token) => token.name)).toEqual(["kept"]);
  });

  test("a token with an end works until then and not a moment longer", async () => {
    const scene = await openHttpScene();
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
    const scene = await openHttpScene();
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
    const scene = await openHttpScene({ checkEndingsEveryMs: 3_600_000 });
    const { record } = await scene.access.create(owner, { name: "short", scope: "read" });
    await scene.access.revoke(owner, record.id);
    await new Promise<void>((resolve) => scene.access.onEnd(record.id, resolve));
  });

  test("granting and revoking stand in the log, and the secret does not", async () => {
    const scene = await openHttpScene();
    const { token, record } = await scene.access.create(owner, { name: "a program", scope: "approve" });
    await scene.access.revoke(owner, record.id);
    const events = await scene.store.log.since(0, 100);
    expect(events.map((event: Event) => event.type)).toEqual(["access.granted", "access.revoked"]);
    expect(events[0]).toMatchObject({ tokenId: record.id, name: "a program", scope: "approve", by: owner.sender });
    expect(JSON.stringify(events)).not.toContain(token.slice(4));
  });

  test("when a token was last used is written at most once a minute", async () => {
    const scene = await openHttpScene();
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
    const scene = await openHttpScene({ environmentToken });
    expect((await scene.send("GET", "/api/owner", bearer(environmentToken))).status).toBe(200);
    expect((await scene.send("GET", "/api/owner", bearer(`${environmentToken}x`))).status).toBe(401);
    expect((await scene.access.list()).map((token) => token.name)).toEqual(["STEWARD_GATEWAY_TOKEN"]);
    const out = await scene.send("DELETE", "/api/session", bearer(environmentToken));
    expect([out.status, errorOf(out).message]).toEqual([409, expect.stringContaining("STEWARD_GATEWAY_TOKEN")]);
  });

  test("a short token from the environment is refused before anybody can use it", async () => {
    await expect(openHttpScene({ environmentToken: "short" })).rejects.toThrow(
      "STEWARD_GATEWAY_TOKEN has 5 characters; at least 32 are needed",
    );
  });

  test("a token of one conversation needs to be told which, and no other kind may name one", async () => {
    const scene = await openHttpScene();
    const create = scene.methods["access.create"];
    await expect(create(owner, { name: "x", scope: "task" })).rejects.toThrow("the scope task needs one");
    await expect(create(owner, { name: "x", scope: "read", sessionKey: "web--1" })).rejects.toThrow("belongs to");
  });
});
