import { createHash, randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import type { EventOf } from "../../src/contract/event.ts";
import type { TaskRun } from "../../src/contract/wire/methods/tasks.ts";
import { insertRow } from "../../src/store/database/rows.ts";
import { eventually } from "../scenes/eventually.ts";
import { openRestScene, type RestScene } from "../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { clientOf, ended, spawnSteward, writeSettings } from "../scenes/steward-process.ts";
import { knock, makeHook, nobody, openTaskScene, signed } from "../scenes/tasks/hook-scene.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const unsigned = { signed: false };
const answering = () => scriptedModel([{ text: "ok" }]);

const runs = async (scene: RestScene): Promise<readonly EventOf<"message.received">[]> =>
  (await scene.events()).flatMap((event) => (event.type === "message.received" && event.run ? [event] : []));

const history = async (scene: RestScene, id: string): Promise<readonly TaskRun[]> =>
  ((await scene.call("tasks.history", { id })) as { runs: TaskRun[] }).runs;

/** A model that is asked and says nothing until it may. */
function heldModel() {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const model = answering();
  const held = {
    ...model,
    async *stream(request: Parameters<typeof model.stream>[0]) {
      await mayAnswer;
      yield* model.stream(request);
    },
  };
  return { held, answer };
}

test("a signed call begins a run of the task, as a stranger's, and the answer goes to the owner's conversation", async () => {
  const scene = await openTaskScene({ model: scriptedModel([{ text: "Hello." }, { text: "Order 7 has come." }]) });
  await scene.say("hello", "web--mine");
  await scene.until("turn.finished");
  const { task, path, secret = "" } = await makeHook(scene, { name: "shop" });
  expect(path).toMatch(/^\/api\/hooks\/[A-Za-z0-9_-]{43}$/);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const body = '{"order":7}';
  const answer = await knock(scene, path, body, signed(secret, body));
  expect(answer.status).toBe(202);
  const [message] = await runs(scene);
  expect(message).toMatchObject({
    messageId: answer.body.id,
    conversation: `task--${task.id}`,
    channel: "task",
    sender: { kind: "group", id: "hook:shop", name: "shop" },
    text: "Tell me about orders.",
    labels: ["hook:shop"],
    run: { task: task.id, cause: "webhook", key: "hook:msg_1" },
  });
  expect(message?.data).toContain('```\n{"order":7}\n```');
  const [settled] = await scene.until("task.settled");
  expect(settled).toMatchObject({ how: "delivered", to: "web--mine" });
  const told = (await scene.until("reply.written")).filter(({ conversation }) => conversation === "web--mine").at(-1);
  expect(told).toMatchObject({ text: "Order 7 has come.", task: { id: task.id }, labels: expect.any(Array) });
  expect(told?.labels).toEqual(["hook:shop", "person:hook:shop"]);
});

test("the same delivery is one run, also after a restart, with a new time and with other words of the task", async () => {
  const home = await temporaryFolder();
  const first = await openTaskScene({ home, model: answering() });
  const { task, path, secret = "" } = await makeHook(first, { name: "shop" });
  const one = await knock(first, path, "x", signed(secret, "x"));
  const two = await knock(first, path, "x", signed(secret, "x"));
  await first.until("turn.finished");
  await first.call("tasks.edit", { id: task.id, action: { kind: "do", prompt: "Tell me less." } });
  await first.close();
  const second = await openTaskScene({ home, model: answering() });
  const three = await knock(second, path, "x", signed(secret, "x", { atMs: Date.now() + 60_000 }));
  const other = await knock(second, path, "x", signed(secret, "x", { id: "msg_2" }));
  expect([two.body.id, three.body.id]).toEqual([one.body.id, one.body.id]);
  expect(other.body.id).not.toBe(one.body.id);
  expect((await runs(second)).length).toBe(2);
});

test("a wrong path, a missing or wrong signature and an old one all look the same", async () => {
  const scene = await openTaskScene({ model: answering() });
  const { path, secret = "" } = await makeHook(scene);
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
  expect(await runs(scene)).toEqual([]);
});

test("an unsigned hook takes anything from whoever knows its path, text or not, and loses none", async () => {
  const scene = await openTaskScene({ model: answering() });
  const { path, secret } = await makeHook(scene, unsigned);
  expect(secret).toBeUndefined();
  const typed = (type: string) => ({ ...nobody, "content-type": type });
  expect((await knock(scene, path, "ding", typed("text/plain"))).status).toBe(202);
  expect((await knock(scene, path, Buffer.from([0xff, 0x00, 0x41]), typed("image/x"))).status).toBe(202);
  expect((await knock(scene, path, "{broken json", typed("application/json"))).status).toBe(202);
  const data = (await runs(scene)).map((message) => message.data);
  expect(data[0]).toContain("called with text/plain.");
  expect(data[0]).toContain("```\nding\n```");
  expect(data[1]).toContain("�");
  expect(data[2]).toContain("{broken json");
  await scene.until("task.settled", 3);
});

test("a body over 256 KB is refused", async () => {
  const scene = await openTaskScene({ model: answering() });
  const { path } = await makeHook(scene, unsigned);
  expect((await knock(scene, path, "x".repeat(256 * 1024 + 1))).status).toBe(413);
  expect((await knock(scene, path, "x".repeat(256 * 1024))).status).toBe(202);
});

test("more than sixty calls a minute have to wait, and one hook does not slow another", async () => {
  let nowMs = Date.now();
  const scene = await openTaskScene({ model: answering(), nowMs: () => nowMs });
  const busy = await makeHook(scene, unsigned);
  const calm = await makeHook(scene, unsigned);
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

test("calls that come during a run wait; a full conversation says try again and writes nothing", async () => {
  const { held, answer } = heldModel();
  const scene = await openTaskScene({ model: held });
  const { task, path } = await makeHook(scene, unsigned);
  await knock(scene, path, "first");
  await scene.until("turn.started");
  for (let number = 0; number < 20; number += 1) await knock(scene, path, `${number}`);
  const late = { ...nobody, "webhook-id": "late" };
  const refused = await knock(scene, path, "late", late);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect((await scene.events()).some(({ type }) => type === "message.refused")).toBe(false);
  answer();
  await scene.until("task.settled", 21);
  expect((await knock(scene, path, "late", late)).status).toBe(202);
  await scene.until("task.settled", 22);
  expect((await history(scene, task.id)).map(({ state }) => state)).toEqual(Array(22).fill("done"));
});

test("a call that no model could answer is tried again with what it brought, each of several for itself", async () => {
  let aheadMs = 0;
  let isThere = false;
  const model = scriptedModel(() =>
    isThere ? { text: "Seen." } : { unavailable: "network", message: "No model answers." },
  );
  // both come in the same moment
  const startMs = Date.now();
  const scene = await openTaskScene({ model, nowMs: () => startMs + aheadMs });
  const { task, path } = await makeHook(scene, unsigned);
  await knock(scene, path, "one");
  await knock(scene, path, "two");
  await scene.until("task.settled", 2);
  isThere = true;
  aheadMs = 11 * 60_000;
  // whoever waits for a time looks at the clock again
  await scene.call("tasks.create", { when: "every day at 9am", action: { kind: "say", text: "Hello." } });
  await scene.until("task.settled", 4);
  const tried = (await runs(scene)).map(({ data, run }) => [data?.includes("one") ? "one" : "two", run?.attempt ?? 1]);
  expect(tried.toSorted()).toEqual([
    ["one", 1],
    ["one", 2],
    ["two", 1],
    ["two", 2],
  ]);
  expect((await history(scene, task.id)).map(({ settled }) => settled)).toEqual([
    ...["delivered", "delivered"],
    ...["retried", "retried"],
  ]);
});

test("a task that skips what comes during a run says so in its history, and the same call is skipped once", async () => {
  const { held, answer } = heldModel();
  const scene = await openTaskScene({ model: held });
  const { task, path } = await makeHook(scene, unsigned, { overlap: "skip" });
  await knock(scene, path, "first");
  await scene.until("turn.started");
  const twice = { ...nobody, "webhook-id": "twice" };
  const [one, two] = [await knock(scene, path, "second", twice), await knock(scene, path, "second", twice)];
  expect([one.status, two.status, two.body.id]).toEqual([202, 202, one.body.id]);
  answer();
  await scene.until("task.settled");
  expect((await history(scene, task.id)).map(({ state, cause }) => [state, cause])).toEqual([
    ["skipped", "webhook"],
    ["done", "webhook"],
  ]);
});

test("a paused task asks to try again, an ended one is not known, and neither writes anything", async () => {
  const scene = await openTaskScene({ model: answering() });
  const { task, path, secret = "" } = await makeHook(scene);
  const call = () => knock(scene, path, "x", signed(secret, "x"));
  await scene.call("tasks.pause", { id: task.id });
  expect((await call()).status).toBe(409);
  await scene.call("tasks.resume", { id: task.id });
  await scene.call("tasks.cancel", { id: task.id });
  expect((await call()).status).toBe(401);
  expect(await runs(scene)).toEqual([]);
  expect(await scene.store.database.query("SELECT * FROM task_hooks")).toEqual([]);
});

test("neither the path nor the secret is told again or kept where it could be read", async () => {
  const scene = await openTaskScene({ model: answering() });
  const { task, path, secret = "" } = await makeHook(scene);
  const token = path.split("/").at(-1) ?? "";
  const kept = JSON.stringify([
    await scene.call("tasks.list", {}),
    await scene.call("tasks.get", { id: task.id }),
    await scene.store.database.query("SELECT token_hash FROM task_hooks"),
    await scene.events(),
  ]);
  expect([kept.includes(token), kept.includes(secret)]).toEqual([false, false]);
});

test("a webhook made before there were tasks becomes one, with the same address and secret, once", async () => {
  const home = await temporaryFolder();
  const before = await openRestScene({ home, model: answering() });
  const [token, secret] = [randomBytes(32).toString("base64url"), `whsec_${randomBytes(32).toString("base64")}`];
  const tokenHash = createHash("sha256").update(token).digest("hex");
  const old = { id: "1", name: "shop", prompt: "", secret, createdAtMs: 5, tokenHash };
  await before.store.database.transaction(true, (tx) => insertRow(tx, "hooks", old));
  await before.close();
  const scene = await openTaskScene({ home, model: answering() });
  const { tasks } = (await scene.call("tasks.list", {})) as { tasks: { id: string }[] };
  expect(tasks).toMatchObject([
    {
      title: "shop",
      action: { kind: "do", prompt: "Look at what came in and tell me what matters." },
      trigger: { kind: "webhook", name: "shop" },
      overlap: "wait",
      owner: { kind: "owner" },
    },
  ]);
  expect((await knock(scene, `/api/hooks/${token}`, "x", signed(secret, "x"))).status).toBe(202);
  await scene.until("task.settled");
  await scene.close();
  // as if the start had been cut off after the task was made
  const cut = await openRestScene({ home, model: answering() });
  await cut.store.database.transaction(true, async (tx) => {
    await tx.query("DELETE FROM task_hooks");
    await insertRow(tx, "hooks", old);
  });
  await cut.close();
  const again = await openTaskScene({ home, model: answering() });
  await eventually(async () => (await again.store.database.query("SELECT * FROM hooks")).length === 0);
  expect((await again.call("tasks.list", {})) as object).toMatchObject({ tasks: [{ id: tasks[0]?.id }], total: 1 });
  expect((await knock(again, `/api/hooks/${token}`, "y", signed(secret, "y", { id: "msg_2" }))).status).toBe(202);
});

test("a call that was acknowledged is worked on, although Steward is killed in the next moment", async () => {
  const home = await temporaryFolder();
  await writeSettings(home, 9, { agent: {}, models: { probeLocal: false } });
  const first = spawnSteward({ home });
  const client = await clientOf(first, home);
  if (!client) throw new Error(`Steward did not start: ${String(first.stderr?.read())}`);
  const { page } = await client.call("health.check", {});
  const { task, path = "" } = await client.call("tasks.createEventTrigger", {
    prompt: "help",
    trigger: { kind: "webhook", signed: false },
  });
  const answer = await fetch(new URL(path, page), { method: "POST", body: "a parcel" });
  first.kill("SIGKILL");
  await ended(first);
  const { id } = (await answer.json()) as { id: string };
  expect(answer.status).toBe(202);
  const second = spawnSteward({ home });
  onTestFinished(async () => {
    second.kill("SIGTERM");
    await ended(second);
  });
  const again = await clientOf(second, home);
  if (!again) throw new Error(`Steward did not start again: ${String(second.stderr?.read())}`);
  const look = async () => (await again.call("tasks.history", { id: task.id })).runs;
  await eventually(look, [expect.objectContaining({ id, settled: expect.any(String) })]);
  await again.close();
});
