import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { EventOf } from "../../../src/contract/event.ts";
import { openRestScene, type RestScene } from "../../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../../scenes/scripted-model.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

type Created = { hook: { id: string; name: string; sessionKey: string }; path: string; secret?: string };

const nobody = { authorization: "" };

async function createHook(scene: RestScene, wish: object): Promise<Created> {
  const { status, body } = await scene.send("POST", "/api/call/hooks.create", wish);
  expect(status).toBe(200);
  return body as Created;
}

function signed(secret: string, body: string, { id = "msg_1", atMs = Date.now() } = {}): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { ...nobody, "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

async function knock(scene: RestScene, path: string, body: string | Buffer, headers: Record<string, string> = nobody) {
  const response = await scene.request(path, { method: "POST", body: new Uint8Array(Buffer.from(body)), headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as { id?: string } };
}

const messages = async (scene: RestScene): Promise<readonly EventOf<"message.received">[]> =>
  (await scene.events()).flatMap((event) => (event.type === "message.received" ? [event] : []));

test("a signed call becomes a message of a stranger in the hook's own conversation", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "I saw it." }]) });
  const { hook, path, secret = "" } = await createHook(scene, { name: "shop", prompt: "Tell me about orders." });
  expect(path).toMatch(/^\/api\/hooks\/[A-Za-z0-9_-]{43}$/);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const body = '{"order":7}';
  const answer = await knock(scene, path, body, signed(secret, body));
  expect(answer.status).toBe(202);
  const [message] = await messages(scene);
  expect(message).toMatchObject({
    messageId: answer.body.id,
    conversation: hook.sessionKey,
    channel: "hook",
    sender: { kind: "group", id: "hook:shop", name: "shop" },
  });
  expect(message?.text.startsWith("Tell me about orders.")).toBe(true);
  expect(message?.text).toContain('```\n{"order":7}\n```');
  await scene.until("reply.written");
});

test("the same delivery is one message, also after a restart and with a new time", async () => {
  const home = await temporaryFolder();
  const first = await openRestScene({ home, model: scriptedModel([{ text: "ok" }]) });
  const { path, secret = "" } = await createHook(first, { name: "shop" });
  const one = await knock(first, path, "x", signed(secret, "x"));
  const two = await knock(first, path, "x", signed(secret, "x"));
  await first.until("turn.finished");
  await first.close();
  const second = await openRestScene({ home, model: scriptedModel([{ text: "ok" }]) });
  const three = await knock(second, path, "x", signed(secret, "x", { atMs: Date.now() + 60_000 }));
  const other = await knock(second, path, "x", signed(secret, "x", { id: "msg_2" }));
  expect([two.body.id, three.body.id]).toEqual([one.body.id, one.body.id]);
  expect(other.body.id).not.toBe(one.body.id);
  expect((await messages(second)).length).toBe(2);
});

test("a wrong path, a missing or wrong signature and an old one all look the same", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "ok" }]) });
  const { path, secret = "" } = await createHook(scene, { name: "shop" });
  const refusals = await Promise.all([
    knock(scene, `/api/hooks/${"A".repeat(43)}`, "x", signed(secret, "x")),
    knock(scene, path, "x"),
    knock(scene, path, "y", signed(secret, "x")),
    knock(scene, path, "x", signed(`whsec_${Buffer.alloc(32).toString("base64")}`, "x")),
    knock(scene, path, "x", signed(secret, "x", { atMs: Date.now() - 301_000 })),
    knock(scene, path, "x", signed(secret, "x", { id: "a.b" })),
  ]);
  expect(refusals.map(({ status }) => status)).toEqual(Array(6).fill(401));
  expect(new Set(refusals.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(await messages(scene)).toEqual([]);
});

test("an unsigned hook takes anything from whoever knows its path, text or not", async () => {
  const scene = await openRestScene({
    model: scriptedModel([{ text: "ok" }]),
    settings: { queue: { whenBusy: "wait" } },
  });
  const { path, secret } = await createHook(scene, { name: "bell", signed: false });
  expect(secret).toBeUndefined();
  const plain = { ...nobody, "content-type": "text/plain" };
  expect((await knock(scene, path, "ding", plain)).status).toBe(202);
  expect(
    (await knock(scene, path, Buffer.from([0xff, 0x00, 0x41]), { ...nobody, "content-type": "image/x" })).status,
  ).toBe(202);
  expect((await knock(scene, path, "{broken json", { ...nobody, "content-type": "application/json" })).status).toBe(
    202,
  );
  const texts = (await messages(scene)).map((message) => message.text);
  expect(texts[0]).toContain("```\nding\n```");
  expect(texts[1]).toContain("�");
  expect(texts[2]).toContain("{broken json");
});

test("a body over 256 KB is refused", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "ok" }]) });
  const { path } = await createHook(scene, { name: "bell", signed: false });
  expect((await knock(scene, path, "x".repeat(256 * 1024 + 1))).status).toBe(413);
  expect((await knock(scene, path, "x".repeat(256 * 1024))).status).toBe(202);
});

test("more than sixty calls a minute have to wait, and one hook does not slow another", async () => {
  let nowMs = Date.now();
  const scene = await openRestScene({ model: scriptedModel([{ text: "ok" }]), nowMs: () => nowMs });
  const busy = await createHook(scene, { name: "busy", signed: false });
  const calm = await createHook(scene, { name: "calm", signed: false });
  const sameCall = { ...nobody, "webhook-id": "same" };
  const statuses: number[] = [];
  for (let number = 0; number < 61; number += 1) statuses.push((await knock(scene, busy.path, "x", sameCall)).status);
  expect(statuses.slice(0, 60)).toEqual(Array(60).fill(202));
  expect(statuses[60]).toBe(429);
  const refused = await knock(scene, busy.path, "x", sameCall);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await knock(scene, calm.path, "x")).status).toBe(202);
  nowMs += 60_001;
  expect((await knock(scene, busy.path, "x", sameCall)).status).toBe(202);
});

test("a hook whose conversation is full says try again, and the same delivery is taken later", async () => {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const model = scriptedModel([{ text: "ok" }]);
  const slow = {
    ...model,
    async *stream(request: Parameters<typeof model.stream>[0]) {
      await mayAnswer;
      yield* model.stream(request);
    },
  };
  const scene = await openRestScene({ model: slow, settings: { queue: { whenBusy: "wait" } } });
  const { path } = await createHook(scene, { name: "bell", signed: false });
  await knock(scene, path, "first");
  await scene.until("turn.started");
  for (let number = 0; number < 20; number += 1) await knock(scene, path, `${number}`);
  const late = { ...nobody, "webhook-id": "late" };
  expect((await knock(scene, path, "late", late)).status).toBe(429);
  answer();
  await scene.until("turn.finished", 5);
  expect((await knock(scene, path, "late", late)).status).toBe(202);
});

test("hooks are listed without their secrets, and a removed one is gone", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "ok" }]) });
  const { hook, path, secret = "" } = await createHook(scene, { name: "shop", prompt: "Look." });
  const listed = await scene.send("POST", "/api/call/hooks.list");
  expect(listed.body).toMatchObject({ hooks: [{ id: hook.id, name: "shop", prompt: "Look." }] });
  const token = path.split("/").at(-1) ?? "";
  const kept = JSON.stringify([
    listed.body,
    await scene.store.database.query("SELECT token_hash FROM hooks"),
    await scene.events(),
  ]);
  expect([kept.includes(token), kept.includes(secret)]).toEqual([false, false]);
  expect((await scene.send("POST", "/api/call/hooks.remove", { id: hook.id })).body).toEqual({ ok: true });
  expect((await scene.send("POST", "/api/call/hooks.remove", { id: hook.id })).body).toEqual({ ok: false });
  expect((await knock(scene, path, "x", signed(secret, "x"))).status).toBe(401);
});
