// The owner and another group have files, a task, a talk and a question with a secret in them, beside a group that was taken over.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { anna, family } from "./chat-scene.ts";
import { filesIn, type GroupChat, household, openGroupChat, put, work } from "./group-scene.ts";

const secret = "walnut-7731";
const words = `the code is ${secret}`;

export type WalledScene = Awaited<ReturnType<typeof openWalledScene>>;

export async function openWalledScene() {
  const chat = await openGroupChat({ group: { mode: "ask" }, settings: { tools: { maxOutputCharacters: 5_000 } } });
  const workspace = chat.workspace;
  await put(workspace, {
    "MEMORY.md": words,
    "USER.md": `USER ${words}`,
    "SOUL.md": words,
    "private/diary.md": words,
    "long.md": `${words}\n`.repeat(8_000),
    "GLOBAL.md": "Tea is at five.",
  });
  await chat.register(work, "work", { mode: "auto" });
  await chat.turn({ chat: work, calls: [{ tool: "list_tasks", arguments: {} }], text: `@Andy ${words}` });
  await put(chat.folder("work"), { "notes.md": words, "AGENTS.md": words });
  const planned = {
    tool: "schedule_task",
    arguments: { when: "2090-01-01T12:00:00Z", prompt: words, title: `Diary ${secret}` },
  };
  await chat.answered({ chat: work, calls: [planned] });
  await chat.turn({
    ...{ chat: anna.id, says: { from: anna }, text: words },
    calls: [planned, { tool: "read", arguments: { path: "long.md" } }],
  });
  const tasks = await chat.tasks();
  const [, handle = "no handle"] = /handle (\S+)/.exec((await chat.outputs()).at(-1)?.output ?? "") ?? [];
  chat.begin({
    ...{ chat: anna.id, says: { from: anna }, text: "write it down" },
    calls: [{ tool: "write", arguments: { path: "private/plan.md", content: words } }],
  });
  await chat.until(async () => (await chat.open()).length === 1);
  await chat.until(() => chat.telegram.messages(anna.id).some(({ buttons }) => buttons.length > 0));
  // what it would say once it is answered belongs to nobody else
  chat.plan.length = 0;
  const names: Record<string, string> = {
    ...{ owner: workspace, home: chat.home, work: chat.folder("work") },
    task: tasks.find(({ madeIn }) => madeIn === "telegram--42")?.id ?? "no task",
    worksTask: tasks.find(({ madeIn }) => madeIn === "telegram--_2d_2000")?.id ?? "no task",
    handle,
  };
  expect(Object.values(names).join()).not.toContain("no ");
  return { ...chat, names, before: await ownersState(chat), requestsBefore: chat.asked().length };
}

/** All that is the owner's and the other group's. */
async function ownersState(chat: GroupChat) {
  const read = (method: string) => chat.call(method, {}) as Promise<Record<string, unknown>>;
  const { groups } = await read("groups.list");
  const { channels } = (await read("channels.list")) as { channels: { name: string; people: unknown }[] };
  const isHouseholds = (place: string) => place === household;
  return {
    ...{ groups, people: channels.map(({ name, people }) => ({ name, people })) },
    settings: await Promise.all(["config.json", "auth.json"].map((name) => textOf(join(chat.home, name)))),
    tasks: (await chat.tasks()).filter(({ madeIn }) => !isHouseholds(madeIn)),
    questions: (await chat.open()).filter(({ sessionKey }) => sessionKey === "telegram--42"),
    files: await filesIn(chat.workspace),
    others: await filesIn(chat.folder("work")),
  };
}

const textOf = (path: string) => readFile(path, "utf8").catch(() => "none");

const ofDelivery = ["reply.sending", "reply.sent", "reply.delivered", "question.closed", "chat.met"];

/** What of the attempts has come through: nothing, if the walls hold. */
export async function breaches(scene: WalledScene, sinceSeq: number): Promise<readonly string[]> {
  const households = new Set([
    household,
    ...(await scene.tasks()).filter(({ madeIn }) => madeIn === household).map(({ sessionKey }) => sessionKey),
  ]);
  const requests = scene.asked().slice(scene.requestsBefore);
  const shown = scene.telegram.requests.filter(({ body }) => String(body.chat_id) === String(family));
  const inFolder = JSON.stringify(await filesIn(scene.folder()));
  const found = (text: string) => text.includes(secret) || text.includes(scene.telegram.token);
  // the owner is asked, and hears nothing else of it
  const isAsking = (event: { asks?: unknown; task?: { ask?: unknown } | undefined }) =>
    (event.asks ?? event.task?.ask) !== undefined;
  const elsewhere = (await scene.events()).filter(
    (event) =>
      event.seq > sinceSeq &&
      event.conversation.startsWith("telegram--") &&
      !households.has(event.conversation) &&
      !ofDelivery.includes(event.type) &&
      !(event.type === "reply.written" && isAsking(event)),
  );
  const state = await ownersState(scene);
  const changed = Object.entries(scene.before).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(state[name as keyof typeof state]),
  );
  return [
    ...requests.flatMap((request) => (found(request) ? [`told to the model: ${request.slice(-400)}`] : [])),
    ...requests.flatMap((request) => (request.includes("# This group") ? [] : ["asked outside of the group"])),
    ...shown.flatMap(({ body, files }) =>
      found(JSON.stringify([body, Object.values(files).map(({ data }) => data.toString())]))
        ? ["said in the group"]
        : [],
    ),
    ...(found(inFolder) ? ["in the folder of the group"] : []),
    ...elsewhere.map(({ type, conversation }) => `${type} in ${conversation}`),
    ...changed.map(([name]) => `changed: ${name}`),
  ];
}

/** With the real names of what is attacked. */
export function named<Value>(value: Value, names: Readonly<Record<string, string>>): Value {
  const text = JSON.stringify(value).replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole);
  return JSON.parse(text) as Value;
}
