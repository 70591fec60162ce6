// What a group asks to have forgotten never reaches another memory, and its own goes as the owner's does.
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { NewEvent } from "../../src/contract/event.ts";
import type { Mention } from "../../src/contract/wire/methods/memory.ts";
import { eventually } from "../scenes/eventually.ts";
import { auditProblems, filesWith, forgetScene } from "../scenes/memory/forget-scene.ts";
import { conversation } from "../scenes/stores.ts";

const word = "quincebramble";
const [family, work] = ["telegram--family", "telegram--work"];
const owner = { kind: "owner", id: "owner" } as const;

let assistant: Awaited<ReturnType<typeof forgetScene>>;
let texts: Record<string, string>;

function groupEvents(name: string, key: string): readonly NewEvent[] {
  const place = { channel: "telegram", address: { chat: name }, title: name };
  const options = { trigger: null };
  return [
    { type: "chat.met", conversation: key, ...place, isDirect: false },
    { type: "group.registered", conversation: key, group: name, options: options as never, ...place, by: owner },
  ];
}

beforeEach(async () => {
  assistant = await forgetScene();
  const { home, workspace, store } = assistant;
  texts = {
    [join(workspace, "MEMORY.md")]: `owner ${word}\n`,
    [join(home, "groups/family/MEMORY.md")]: `family ${word}\n`,
    [join(home, "groups/work/MEMORY.md")]: `work ${word}\n`,
  };
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, text);
  }
  await store.log.append([...groupEvents("family", family), ...groupEvents("work", work)]);
  await store.log.append(
    [conversation, family, work].map((key) => ({
      ...{ type: "reply.written", conversation: key, channel: "web", text: `${key} told of ${word}`, attachments: [] },
    })) as NewEvent[],
  );
});

async function mentionsOf(group?: string): Promise<readonly Mention[]> {
  const found = await assistant.call("memory.mentions", { about: word, ...(group && { group }) });
  return (found as { mentions: Mention[] }).mentions;
}

async function replySeqs(): Promise<Record<string, number>> {
  const replies = (await assistant.events()).filter(({ type }) => type === "reply.written");
  return Object.fromEntries(replies.map(({ conversation: key, seq }) => [key, seq]));
}

test("a memory shows only what is its own, and none is shown for groups that are no more", async () => {
  const shown = async (group?: string) => (await mentionsOf(group)).map(({ text }) => text).sort();
  expect(await shown()).toEqual([`owner ${word}`, `${conversation} told of ${word}`]);
  expect(await shown("family")).toEqual([`family ${word}`, `${family} told of ${word}`]);
  expect(await shown("work")).toEqual([`${work} told of ${word}`, `work ${word}`].sort());
  await expect(mentionsOf("removed")).rejects.toThrow("no such group");
});

test("a group can reach neither the owner's nor another group's messages and files, whatever it names", async () => {
  const seqs = await replySeqs();
  const messages = [conversation, work].map((sessionKey) => ({ sessionKey, seq: seqs[sessionKey] }));
  // the numbers of another conversation under the key of its own
  messages.push(...[conversation, work].map((key) => ({ sessionKey: family, seq: seqs[key] })));
  const paths = ["../work/MEMORY.md", join(assistant.workspace, "MEMORY.md"), "memory/../../work/MEMORY.md"];
  const lines = paths.map((path) => ({
    path,
    line: 1,
    text: path.includes("work/") ? `work ${word}` : `owner ${word}`,
  }));
  const answer = await assistant.call("memory.forget", { group: "family", messages, lines });
  expect(answer).toMatchObject({ lines: 0, messages: 0 });
  for (const [path, text] of Object.entries(texts)) expect(await readFile(path, "utf8")).toBe(text);
  expect((await assistant.events()).map(({ type }) => type)).not.toContain("messages.forgotten");
});

test("a link that a group lays in the place of a note leads nowhere", async () => {
  const { home, workspace } = assistant;
  await mkdir(join(home, "groups/family/memory"));
  await symlink(join(workspace, "MEMORY.md"), join(home, "groups/family/memory/a.md"));
  await symlink(workspace, join(home, "groups/family/memory/all"));
  for (const path of ["memory/a.md", "memory/all/MEMORY.md"]) {
    const lines = [{ path, line: 1, text: `owner ${word}` }];
    expect(await assistant.call("memory.forget", { group: "family", lines })).toMatchObject({ lines: 0 });
    await expect(assistant.call("notes.read", { group: "family", path })).rejects.toThrow();
  }
  const { files } = (await assistant.call("notes.list", { group: "family" })) as { files: { path: string }[] };
  expect(files.map(({ path }) => path)).toEqual(["MEMORY.md"]);
  const mentions = await mentionsOf("family");
  expect(mentions.filter(({ stays }) => stays === undefined)).toHaveLength(2);
  expect(mentions.flatMap(({ stays = [] }) => stays)).toEqual([
    expect.stringContaining("memory/a.md is not searched: it is a link"),
    expect.stringContaining("memory/all is not searched: it is a link"),
  ]);
  expect(await readFile(join(workspace, "MEMORY.md"), "utf8")).toBe(`owner ${word}\n`);
});

test("what a group forgets is gone for it, and stays with the others", async () => {
  const mentions = await mentionsOf("family");
  const lines = mentions.flatMap(({ path, line, text }) => (path ? [{ path, line, text }] : []));
  const messages = mentions.flatMap(({ sessionKey, seq }) => (sessionKey ? [{ sessionKey, seq }] : []));
  const answer = await assistant.call("memory.forget", { group: "family", lines, messages });
  expect(answer).toEqual({ lines: 1, messages: 1, earlierVersions: 0, stayed: [] });
  await assistant.until("conversation.forgotten");
  await eventually(() => filesWith(`family ${word}`, assistant.home), []);
  await eventually(() => filesWith(`${family} told of`, assistant.home), []);
  expect(await auditProblems(assistant)).toEqual([]);
  expect([(await mentionsOf()).length, (await mentionsOf("work")).length]).toEqual([2, 2]);
});

test("an earlier version that the owner's notes share with a group's stays for the owner", async () => {
  const write = (text: string, version: string | null, group?: string) =>
    assistant.call("notes.write", { path: "memory/m.md", text, version, ...(group && { group }) }) as Promise<{
      version: string;
    }>;
  const { version } = await write(`same ${word}\n`, null);
  await write("owner's\n", version);
  await write(`same ${word}\n`, null, "family");
  const lines = [{ path: "memory/m.md", line: 1, text: `same ${word}` }];
  expect(await assistant.call("memory.forget", { group: "family", lines })).toMatchObject({ lines: 1 });
  expect(await assistant.call("notes.read", { path: "memory/m.md", version })).toMatchObject({ version });
});

test("a group's line takes with it no earlier version of another memory's file, though it says the same", async () => {
  const write = (text: string, version: string | null, group?: string) =>
    assistant.call("notes.write", { path: "memory/m.md", text, version, ...(group && { group }) }) as Promise<{
      version: string;
    }>;
  const first = await write(`same ${word}\nowner's\n`, null);
  await write("now something else\n", first.version);
  await write(`same ${word}\n`, null, "family");
  const lines = [{ path: "memory/m.md", line: 1, text: `same ${word}` }];
  await assistant.call("memory.forget", { group: "family", lines });
  expect(await assistant.call("notes.read", { path: "memory/m.md", version: first.version })).toMatchObject({
    text: `same ${word}\nowner's\n`,
  });
});
