import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { NewEvent } from "../../../src/contract/event.ts";
import { loadOnce } from "../../../src/contract/room/load-once.ts";
import type { Caller } from "../../../src/contract/wire/caller.ts";
import { servePush } from "../../../src/gateway/methods/push-methods.ts";
import { type ApprovalPushDeps, openApprovalPush } from "../../../src/gateway/push/approval-push.ts";
import { readOrMakePushKeys } from "../../../src/gateway/push/push-keys.ts";
import { taskMessage, tellBrowsers } from "../../../src/gateway/push/tell-browsers.ts";
import { fetchGuarded } from "../../../src/guard/address/guarded-network.ts";
import { openAccessTokens } from "../../../src/store/tables/access-tokens.ts";
import { livePushSubscriptions } from "../../../src/store/tables/push-subscriptions.ts";
import { startPushService } from "../../fakes/push-service.ts";
import { eventually } from "../../scenes/eventually.ts";
import { conversation, storeIn } from "../../scenes/stores.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

const owner: Caller = { sender: { kind: "owner", id: "owner" }, scope: "owner" };

async function openScene(options: Partial<ApprovalPushDeps> & { isPublic?: boolean } = {}) {
  const home = await temporaryFolder();
  const store = await storeIn(home);
  const service = await startPushService();
  const keysPath = join(home, "data", "push-keys.json");
  const keys = loadOnce(() => readOrMakePushKeys(keysPath));
  const troubles: unknown[] = [];
  const waits: number[] = [];
  // the service listens on loopback, which stands for the open network here
  const isService = (_address: string, port: number) => options.isPublic !== false && port === service.port;
  const push = openApprovalPush({
    ...store,
    keys,
    contact: "mailto:owner@example.com",
    fetch: (request) => fetchGuarded(isService, request),
    nowMs: Date.now,
    sleep: async (ms) => void waits.push(ms),
    redact: (text) => text.replaceAll("hunter2", "***"),
    onTrouble: (_message, cause) => troubles.push(cause),
    quietMs: 30,
    betweenMs: 200,
    ...options,
  });
  onTestFinished(() => push.close());
  const served = servePush({ database: store.database, keys, nowMs: Date.now });
  let count = 0;
  const ask = (...displays: readonly string[]) =>
    store.log.append(
      displays.map((display) => {
        count += 1;
        return approvalAsked(`ask_${count}`, display);
      }),
    );
  return { home, store, service, keysPath, troubles, waits, push, served, ask };
}

function approvalAsked(approvalId: string, display: string): NewEvent {
  return {
    type: "approval.asked",
    conversation,
    turn: "t1",
    approvalId,
    callId: approvalId,
    tool: "shell",
    arguments: {},
    binding: approvalId,
    display,
    rule: "asks",
    reason: "it changes something",
    expiresAtMs: Date.now() + 3_600_000,
  };
}

function answered(approvalId: string): NewEvent {
  return {
    type: "approval.answered",
    conversation,
    turn: "t1",
    approvalId,
    callId: approvalId,
    decision: "approved",
    by: owner.sender,
  };
}

test("a question that nobody answers reaches a browser, signed for its service and readable to it alone", async () => {
  const { service, served, ask } = await openScene();
  const subscription = service.subscribe();
  expect(await served["push.subscribe"](owner, { subscription })).toEqual({ ok: true });
  await ask("rm -r build");
  await eventually(() => service.deliveries.length, 1);
  const { publicKey } = await served["push.key"](owner, {});
  expect(service.deliveries[0]).toMatchObject({
    path: new URL(subscription.endpoint).pathname,
    signedBy: publicKey,
    claims: { aud: service.origin, sub: "mailto:owner@example.com" },
    headers: { urgency: "high", ttl: expect.stringMatching(/^3[56]\d\d$/) },
    message: { title: "Steward asks", body: "rm -r build", url: "/inbox", tag: "ask_1" },
  });
  expect(service.problems).toEqual([]);
});

test("what a task says reaches a browser with its title, masked and cut", async () => {
  const { service, served, store, keysPath } = await openScene();
  const subscription = service.subscribe();
  await served["push.subscribe"](owner, { subscription });
  const text = `the password is hunter2 ${"and more ".repeat(50)}`;
  const task = { id: "t1", title: "Water the plants" };
  const { events } = await store.log.append([
    { type: "reply.written", conversation, channel: "terminal", text, attachments: [], task },
  ]);
  const [said] = events;
  if (said?.type !== "reply.written") throw new Error("nothing was said");
  await tellBrowsers(
    {
      ...{ database: store.database, contact: "mailto:owner@example.com", nowMs: Date.now, sleep: async () => {} },
      keys: () => readOrMakePushKeys(keysPath),
      fetch: (request) => fetchGuarded((_address, port) => port === service.port, request),
      onTrouble: (_message, cause) => expect.unreachable(String(cause)),
    },
    { ...taskMessage((words) => words.replaceAll("hunter2", "***"), said), signal: new AbortController().signal },
  );
  const body = expect.stringMatching(/^the password is \*\*\* and more .*…$/);
  expect(service.deliveries).toMatchObject([
    { message: { title: "Water the plants", tag: "task:t1", url: `/chat/${conversation}`, body } },
  ]);
});

test("a question that is answered at once is not pushed", async () => {
  const { service, served, ask, store } = await openScene({ quietMs: 1_000 });
  await served["push.subscribe"](owner, { subscription: service.subscribe() });
  await ask("quick");
  await store.log.append([answered("ask_1")]);
  await ask("later");
  await eventually(() => service.deliveries.length, 1);
  expect(service.deliveries[0]?.message).toMatchObject({ body: "later", tag: "ask_2" });
});

test("questions that come together are pushed as one, and later ones wait their time", async () => {
  const { service, served, ask } = await openScene({ betweenMs: 2_000 });
  await served["push.subscribe"](owner, { subscription: service.subscribe() });
  await ask("one", "two", "three");
  await eventually(() => service.deliveries.length, 1);
  expect(service.deliveries[0]?.message).toMatchObject({ body: "3 questions are waiting.", tag: "inbox" });
  await ask("four");
  await sleep(100);
  expect(service.deliveries).toHaveLength(1);
  await eventually(() => service.deliveries.length, 2);
  expect(service.deliveries[1]?.message).toMatchObject({ body: "four" });
});

test("what is pushed is without secrets, and says how much is left out", async () => {
  const { service, served, ask } = await openScene();
  await served["push.subscribe"](owner, { subscription: service.subscribe() });
  await ask(`curl -u me:hunter2 ${"😀".repeat(3_000)}`);
  await eventually(() => service.deliveries.length, 1);
  const body = String(service.deliveries[0]?.message.body);
  expect(body).not.toContain("hunter2");
  expect(body).toMatch(/^curl -u .*(?:😀){20}… \(2,8\d\d more characters\) Open Steward to read all of it\.$/u);
});

test.each([404, 410])("a browser that is gone (%i) is forgotten", async (status) => {
  const { service, served, ask, store } = await openScene();
  await served["push.subscribe"](owner, { subscription: service.subscribe() });
  service.answers.push({ status });
  await ask("anyone?");
  await eventually(() => livePushSubscriptions(store.database, Date.now()), []);
});

test("a service that is busy is asked again when it says so, a broken one a little later, and not for ever", async () => {
  const { service, served, ask, waits, troubles, store } = await openScene();
  await served["push.subscribe"](owner, { subscription: service.subscribe() });
  service.answers.push({ status: 429, retryAfter: "7" }, { status: 500 });
  await ask("first");
  await eventually(() => service.deliveries.length, 3);
  expect([waits, troubles]).toEqual([[7_000, 4_000], []]);
  service.answers.push({ status: 503 }, { status: 503 }, { status: 503 });
  await ask("second");
  await eventually(() => troubles, ["the push service answered 503"]);
  expect(await livePushSubscriptions(store.database, Date.now())).toHaveLength(1);
});

test("a subscription that points into the assistant is never spoken to", async () => {
  const { service, served, ask, troubles } = await openScene({ isPublic: false });
  await served["push.subscribe"](owner, { subscription: service.subscribe() });
  await ask("look inside");
  await eventually(() => troubles, [expect.stringContaining("loopback")]);
  expect([service.deliveries, service.problems]).toEqual([[], []]);
});

test("a revoked or ended token hears nothing more", async () => {
  const { service, served, ask, store } = await openScene();
  const tokens = openAccessTokens(store);
  const grant = (id: string, expiresAtMs?: number) =>
    tokens.grant(
      { id, hash: id, name: id, scope: "approve", kind: "token", createdAtMs: 0, expiresAtMs },
      owner.sender,
    );
  await grant("revoked");
  const endsAtMs = Date.now() + 50;
  await grant("ended", endsAtMs);
  await grant("live");
  for (const tokenId of ["revoked", "ended", "live"])
    await served["push.subscribe"]({ ...owner, scope: "approve", tokenId }, { subscription: service.subscribe() });
  await tokens.revoke("revoked", Date.now(), owner.sender);
  await eventually(() => Date.now() > endsAtMs);
  await ask("who hears this?");
  await eventually(() => service.deliveries.length, 1);
  // time in which others could hear of it
  await sleep(100);
  expect(service.deliveries).toHaveLength(1);
});

test("twenty browsers may be told, one again is no more, and what one made another cannot take away", async () => {
  const { service, served, store } = await openScene();
  const subscriptions = Array.from({ length: 20 }, () => service.subscribe());
  for (const subscription of subscriptions) await served["push.subscribe"](owner, { subscription });
  const [first] = subscriptions;
  if (!first) throw new Error("there is no first one");
  expect(await served["push.subscribe"](owner, { subscription: first })).toEqual({ ok: true });
  await expect(served["push.subscribe"](owner, { subscription: service.subscribe() })).rejects.toMatchObject({
    code: "conflict",
  });
  const { endpoint } = first;
  const other: Caller = { ...owner, scope: "approve", tokenId: "other" };
  expect(await served["push.unsubscribe"](other, { endpoint })).toEqual({ ok: false });
  expect(await served["push.unsubscribe"](owner, { endpoint })).toEqual({ ok: true });
  expect(await livePushSubscriptions(store.database, Date.now())).toHaveLength(19);
});

test("keys that no browser has made, and the token of the environment, are turned down", async () => {
  const { service, served } = await openScene();
  const subscription = service.subscribe();
  const p256dh = Buffer.alloc(65, 4).toString("base64url");
  const forged = { ...subscription, keys: { ...subscription.keys, p256dh } };
  await expect(served["push.subscribe"](owner, { subscription: forged })).rejects.toMatchObject({ code: "invalid" });
  const environment = { ...owner, tokenId: "environment" };
  await expect(served["push.subscribe"](environment, { subscription })).rejects.toMatchObject({ code: "forbidden" });
});

test("the keys are made once, kept for the owner's eyes, and a broken file says what to do", async () => {
  const { keysPath, served } = await openScene();
  const { publicKey } = await served["push.key"](owner, {});
  expect((await stat(keysPath)).mode & 0o777).toBe(0o600);
  expect((await readOrMakePushKeys(keysPath)).publicKey).toBe(publicKey);
  expect(await readFile(keysPath, "utf8")).not.toContain(publicKey);
  await writeFile(keysPath, "{");
  await expect(readOrMakePushKeys(keysPath)).rejects.toThrow("Delete it to get new ones");
});
