import { expect, test } from "vitest";
import { connectPlain } from "../../fakes/plain-ws-client.ts";
import { eventually } from "../../scenes/eventually.ts";
import {
  ended,
  newSession,
  pushedOnce,
  sceneWith,
  sendTo,
  sweeps,
} from "../../scenes/gateway/websocket-conversation.ts";

test("a revoked token closes its sockets at once, and nothing they still say is done", async () => {
  const { url, newToken, access, owner, events } = await sceneWith([]);
  const { token, record } = await newToken();
  const client = await connectPlain(url);
  await client.signIn(token);
  await access.revoke(owner, record.id);
  // the goodbye is still on its way, so the client does not know yet
  client.send({ id: "late", method: "chat.send", params: { sessionKey: "web--late", message: "late" } });
  expect((await client.closed).code).toBe(4401);
  expect((await events()).filter((event) => event.type === "message.received")).toEqual([]);
  const again = await connectPlain(url);
  expect(await again.signIn(token)).toMatchObject({ ok: false });
});

test("who may only read sees everything and changes nothing", async () => {
  const { enter } = await sceneWith([{ text: "seen by both" }]);
  const [owner, reader] = [await enter(), await enter({ scope: "read" })];
  const sessionKey = await newSession(owner);
  for (const [method, params] of [
    ["chat.send", { sessionKey, message: "hello" }],
    ["sessions.create", {}],
    ["exec.approve", { approvalId: "a" }],
    ["access.create", { name: "wider", scope: "owner" }],
    ["settings.get", {}],
  ] as const)
    expect([method, (await reader.ask(method, params)).error?.data.reason]).toEqual([method, "forbidden"]);
  const runId = await sendTo(owner, sessionKey, "hello");
  await reader.until(ended(runId));
  expect(reader.textOf(runId)).toBe("seen by both");
});

test("who may only approve sees questions and nothing else", async () => {
  const { enter } = await sceneWith([sweeps, { text: "a secret answer" }]);
  const [owner, approver] = [await enter(), await enter({ scope: "approve" })];
  await approver.ask("events.follow", { since: 0 });
  const runId = await sendTo(owner, await newSession(owner), "a secret question");
  const { approvalId } = await approver.until(pushedOnce("exec.approval_request"));
  expect((await approver.ask("exec.approve", { approvalId })).result).toEqual({ ok: true });
  await owner.until(ended(runId));
  await approver.ask("approvals.list");
  expect(new Set(approver.frames.flatMap(({ event }) => event ?? []))).toEqual(
    new Set(["exec.approval_request", "log"]),
  );
  expect(JSON.stringify(approver.frames)).not.toContain("secret");
});

test("a token for one conversation sees and does nothing beyond it", async () => {
  const { enter } = await sceneWith((request) => ({ text: `about ${request.lastUserText}` }));
  const owner = await enter();
  const [mine, other] = [await newSession(owner), await newSession(owner)];
  const guest = await enter({ scope: "task", sessionKey: mine });
  await guest.ask("events.follow", { since: 0 });
  for (const [method, params] of [
    ["chat.send", { sessionKey: other, message: "hello" }],
    ["chat.history", { sessionKey: other }],
    ["sessions.list", {}],
    ["approvals.list", {}],
  ] as const)
    expect([method, (await guest.ask(method, params)).error?.data.reason]).toEqual([method, "forbidden"]);
  const hidden = await sendTo(owner, other, "something private");
  await owner.until(ended(hidden));
  const open = await sendTo(guest, mine, "the weather");
  await guest.until(ended(open));
  expect(guest.textOf(open)).toContain("the weather");
  expect(JSON.stringify(guest.frames)).not.toContain("private");
  expect(new Set(guest.pushed("log").map((event) => event.conversation))).toEqual(new Set([mine]));
});

test("a restart is told as a restart, and nobody comes in any more", async () => {
  const { enter, url, endpoint } = await sceneWith([]);
  const client = await enter();
  await endpoint.close();
  expect((await client.closed).code).toBe(1012);
  expect(endpoint.count()).toBe(0);
  await expect(connectPlain(url)).rejects.toThrow("503");
});

test("a client that is not there any more is noticed, and one that is stays", async () => {
  const { url, enter, newToken, endpoint } = await sceneWith([], { endpoint: { beatMs: 40 } });
  const { token } = await newToken();
  const alive = await enter();
  const dead = await connectPlain(url, { autoPong: false });
  await dead.signIn(token);
  expect((await dead.closed).code).toBe(1006);
  await eventually(endpoint.count, 1);
  expect((await alive.ask("sessions.list")).result).toEqual({ sessions: [] });
});
