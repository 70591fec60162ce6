import { expect, test } from "vitest";
import { connectPlain, type PlainClient } from "../../fakes/plain-ws-client.ts";
import { eventually } from "../../scenes/eventually.ts";
import { sceneWith } from "../../scenes/gateway/websocket-conversation.ts";

test("a wrong token is told so and shut out", async () => {
  const { url } = await sceneWith([]);
  const client = await connectPlain(url);
  expect(await client.signIn("stw_wrong")).toMatchObject({ ok: false, message: expect.stringContaining("not known") });
  expect((await client.closed).code).toBe(4401);
});

test("without a token the cookie of the request counts, and without both nobody comes in", async () => {
  const { url, access } = await sceneWith([]);
  const exchanged = await access.exchangeCode(access.createCode().code, { from: "127.0.0.1", userAgent: undefined });
  const cookie = exchanged.kind === "known" ? (exchanged.cookie.split(";")[0] ?? "") : "";
  const browser = await connectPlain(url, { headers: { cookie } });
  expect(await browser.signIn()).toEqual({ type: "auth", ok: true, scope: "owner" });
  const stranger = await connectPlain(url);
  expect(await stranger.signIn()).toMatchObject({ ok: false });
  expect((await stranger.closed).code).toBe(4401);
});

test("scopes that a client claims for itself are not read", async () => {
  const { url, newToken } = await sceneWith([]);
  const { token } = await newToken("read");
  const client = await connectPlain(url);
  const claims = { scope: "owner", scopes: ["owner", "operator.admin"], role: "owner", caller: { scope: "owner" } };
  expect(await client.signIn(token, claims)).toMatchObject({ ok: true, scope: "read" });
  expect((await client.ask("sessions.create", {})).error?.data.reason).toBe("forbidden");
});

test("too many wrong tokens from one address are shut out with another number", async () => {
  const { url } = await sceneWith([]);
  for (let attempt = 0; attempt < 100; attempt++) {
    const client = await connectPlain(url, { headers: { "x-from": "203.0.113.5" } });
    await client.signIn(`stw_${attempt}`);
    const { code } = await client.closed;
    if (code === 4429) return;
    expect(code).toBe(4401);
  }
  expect.unreachable("it was never too many");
});

test("before a client has said who it is, it may ask for its health and for nothing else", async () => {
  const { url } = await sceneWith([]);
  const asking = await connectPlain(url);
  expect((await asking.ask("health.check")).result).toEqual({ status: "ok", uptime: 7 });
  asking.send({ id: "1", method: "sessions.list" });
  expect((await asking.closed).code).toBe(4401);
  for (const frame of ["not json", "[]", Buffer.of(1, 2, 3), '{"type":"auth","token":7}']) {
    const client = await connectPlain(url);
    client.send(frame);
    expect((await client.closed).code).toBe(4401);
    expect(client.frames.at(-1)).toMatchObject({ type: "auth", ok: false });
  }
});

test("what is sent behind the first frame without waiting is answered after it", async () => {
  const { url, newToken } = await sceneWith([]);
  const { token } = await newToken();
  const client = await connectPlain(url);
  client.send({ type: "auth", token });
  const answer = await client.ask("sessions.list");
  expect([client.frames[0]?.type, answer.result]).toEqual(["auth", { sessions: [] }]);
});

test("a client that does not say who it is is shut out after a while", async () => {
  const { url, endpoint } = await sceneWith([], { endpoint: { authWithinMs: 100 } });
  const client = await connectPlain(url);
  expect((await client.closed).code).toBe(4401);
  await eventually(endpoint.count, 0);
});

test("strangers are few: eight from one address, sixty-four in all, and a place is free again when one leaves", async () => {
  const { url } = await sceneWith([]);
  const from = (place: string) => ({ headers: { "x-from": place } });
  const eight = await Promise.all(Array.from({ length: 8 }, () => connectPlain(url, from("a"))));
  await expect(connectPlain(url, from("a"))).rejects.toThrow("503");
  await Promise.all(Array.from({ length: 56 }, (_, at) => connectPlain(url, from(`b${at % 7}`))));
  await expect(connectPlain(url, from("c"))).rejects.toThrow("503");
  eight[0]?.socket.close();
  await eight[0]?.closed;
  await connectPlain(url, from("c"));
});

test("those who were let in take no place of the strangers", async () => {
  const { enter } = await sceneWith([]);
  const clients: PlainClient[] = [];
  for (let count = 0; count < 12; count++) clients.push(await enter({ events: "none" }));
  expect((await clients[11]?.ask("sessions.list"))?.result).toEqual({ sessions: [] });
});

test("a stranger's large frame is not read to its end", async () => {
  const { url, enter } = await sceneWith([]);
  const stranger = await connectPlain(url);
  stranger.send(JSON.stringify({ type: "auth", token: "x".repeat(200_000) }));
  expect((await stranger.closed).code).toBe(1009);
  const known = await enter({ events: "none" });
  const large = await known.ask("chat.send", { sessionKey: "web--a", message: "x".repeat(200_000) });
  expect(large.result?.accepted).toBe(true);
});
