// Commands that a run leaves in the background: what comes of them is told, and they go with a task that is given up.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { NewEvent } from "../../src/contract/event.ts";
import { realWorld } from "../../src/contract/world.ts";
import { receiveMessage } from "../../src/gateway/receive.ts";
import { shellRoom } from "../../src/tools/shell/shell-room.ts";
import { eventually } from "../scenes/eventually.ts";
import { processesWith } from "../scenes/sandbox/sandbox-driver.ts";
import { calling, modelThat, openPlanner } from "../scenes/tasks/planner-scene.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";
import { markedSleep } from "../scenes/tools/exec-scene.ts";

const here = "terminal--default";

async function runThatStarts(command: string) {
  const home = await temporaryFolder();
  const workspace = join(home, "workspace");
  await mkdir(workspace);
  const model = modelThat(({ words, step }) => {
    if (words.includes("has ended")) return { text: `It came to an end: ${/echoed \w+/.exec(words)?.[0]}` };
    return step === 0 ? calling("exec", { command, background: true }) : { text: "Begun." };
  });
  const settings = { guard: { mode: "auto", tools: { exec: "allow" } } };
  const scene = await openPlanner({
    home,
    workspace,
    model,
    rooms: [shellRoom],
    settings,
    startAt: "2026-11-16T12:00:00Z",
  });
  const action = { kind: "do", prompt: "Start it." };
  const { task } = (await scene.call("tasks.create", { when: "every day at 9am", action })) as { task: { id: string } };
  await scene.call("tasks.run", { id: task.id });
  return { scene, id: task.id };
}

test("what comes of a command that a run has left is told like its answer", async () => {
  const { scene, id } = await runThatStarts("echo echoed words");
  await scene.settledRuns(id, 2);
  expect(await scene.toldIn(here)).toEqual(["Begun.", "It came to an end: echoed words"]);
  expect((await scene.runs(id)).map(({ cause, state }) => `${cause} ${state}`)).toEqual(["command done", "asked done"]);
});

test("a task that is cancelled takes its commands along, and none of them begins anything more", async () => {
  const sleep = markedSleep();
  const { scene, id } = await runThatStarts(sleep);
  const [asked] = await scene.until("approval.asked");
  await scene.call("exec.approve", { approvalId: asked?.approvalId });
  await scene.settledRuns(id, 1);
  await eventually(() => processesWith(sleep.slice(6)).length > 0);
  expect(await scene.call("tasks.cancel", { id })).toEqual({ ok: true });
  await eventually(() => processesWith(sleep.slice(6)), []);
  expect((await scene.events()).filter(({ type }) => type === "turn.started")).toHaveLength(1);
  const ended = { conversation: `task--${id}`, channel: "task", text: "[Steward: p9 has ended]", attachments: [] };
  const sender = { kind: "system", id: "process:turn:call" } as const;
  const { log } = scene.store;
  const deps = { world: realWorld, log, queue: scene.queue, maxWaiting: 20 };
  await expect(receiveMessage(deps, { ...ended, sender })).rejects.toThrow("The task that began this was ended.");
});

test("of several commands that end at once each is a run of its own, and none keeps the task busy for ever", async () => {
  const { scene, id } = await runThatStarts("echo echoed words");
  await scene.settledRuns(id, 2);
  const [turn] = await scene.until("turn.started");
  const end = (number: number): NewEvent => ({
    ...{ type: "message.received", conversation: `task--${id}`, messageId: `m${number}`, channel: "task" },
    ...{ text: `p${number} has ended: echoed ${number}`, attachments: [] },
    sender: { kind: "system", id: `process:${turn?.turn}:call${number}` },
  });
  await scene.store.log.append([end(7), end(8)]);
  scene.queue.wake(`task--${id}`);
  await scene.settledRuns(id, 4);
  expect((await scene.toldIn(here)).slice(2)).toEqual(["It came to an end: echoed 7", "It came to an end: echoed 8"]);
  expect((await scene.runs(id)).every(({ state }) => state === "done")).toBe(true);
});
