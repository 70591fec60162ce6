// Each memory finds what is its own: the owner's and the groups' never meet, whatever is asked for and however often groups change.
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { NewEvent } from "../../src/contract/event.ts";
import { memoryScene } from "../scenes/memory.ts";

const owner = { kind: "owner", id: "owner" } as const;
const [family, work] = ["telegram--family", "telegram--work"];

function registered(group: string, conversation: string, chat = group): readonly NewEvent[] {
  const place = { channel: "telegram", address: { chat }, title: group };
  return [
    { type: "chat.met", conversation, ...place, isDirect: false },
    { type: "group.registered", conversation, group, options: { trigger: null } as never, ...place, by: owner },
  ];
}

const said = (conversation: string, text: string): NewEvent => ({
  ...{ type: "message.received", conversation, messageId: `${conversation} ${text}`, channel: "telegram", text },
  sender: conversation.startsWith("telegram") ? { kind: "group", id: "bert", name: "Bert" } : owner,
});

async function groupScene() {
  const scene = await memoryScene({
    "MEMORY.md": "- the owner's secret code is zebrafish\n",
    "memory/plans.md": "The owner plans a zebrafish tank.\n",
    "GLOBAL.md": "Everybody may know that zebrafish are welcome.\n",
  });
  const { home, store } = scene;
  for (const group of ["family", "work"]) {
    await mkdir(join(home, "groups", group, "memory"), { recursive: true });
    await writeFile(join(home, "groups", group, "MEMORY.md"), `- the ${group} has a zebrafish of its own\n`);
  }
  await store.log.append([...registered("family", family), ...registered("work", work)]);
  await store.log.append([
    said("terminal--default", "I never told anybody of my zebrafish"),
    said(family, "the family talks of zebrafish"),
    said(work, "at work they talk of zebrafish"),
  ]);
  const texts = async (group?: string) => {
    const { finds } = await scene.memory.search({ group }, "zebrafish", { limit: 50, maxTokens: 10_000 });
    return finds.map(({ text }) => text).sort();
  };
  return { ...scene, texts };
}

test("the owner and each group find their own notes and words, and groups what is for all of them", async () => {
  const { texts } = await groupScene();
  const forAll = "Everybody may know that zebrafish are welcome.";
  expect(await texts()).toEqual(
    [
      "- the owner's secret code is zebrafish",
      "The owner plans a zebrafish tank.",
      forAll,
      "I never told anybody of my zebrafish",
    ].sort(),
  );
  for (const group of ["family", "work"]) {
    const talk = group === "family" ? "Bert: the family talks of zebrafish" : "Bert: at work they talk of zebrafish";
    expect(await texts(group)).toEqual([`- the ${group} has a zebrafish of its own`, forAll, talk].sort());
  }
});

test("a group can open no place of another memory, though it knows where it is", async () => {
  const { memory, workspace, home } = await groupScene();
  const place = { score: 1, why: [] };
  const places = [
    ...["memory/plans.md", "MEMORY.md", join(workspace, "MEMORY.md"), join(home, "groups/work/MEMORY.md")],
    ...["../work/MEMORY.md", "groups/work/MEMORY.md"],
  ].map((path) => ({ ...place, path, startLine: 1, endLine: 9 }));
  const talks = ["terminal--default", work].map((sessionKey) => ({ ...place, sessionKey, fromSeq: 1, toSeq: 99 }));
  const found = await memory.read({ group: "family" }, [...places, ...talks]);
  // of all of them only the name MEMORY.md is also its own
  expect(found.map((find) => find?.text)).toEqual([
    undefined,
    "- the family has a zebrafish of its own",
    ...Array.from({ length: 6 }, () => undefined),
  ]);
});

test("a link in a group's folder leads its memory nowhere", async () => {
  const { texts, home, workspace } = await groupScene();
  const folder = join(home, "groups/family");
  await symlink(join(workspace, "memory"), join(folder, "memory/of-the-owner"));
  await symlink(join(workspace, "memory/plans.md"), join(folder, "memory/plans.md"));
  await rename(join(folder, "memory"), join(folder, "other"));
  await symlink(join(workspace, "memory"), join(folder, "memory"));
  expect((await texts("family")).join()).not.toContain("owner");
});

test("a group of the same name in another chat finds nothing of what the one before it said", async () => {
  const { texts, store } = await groupScene();
  await texts("family");
  await store.log.append([{ type: "group.removed", conversation: family, group: "family", by: owner } as NewEvent]);
  await store.log.append([...registered("family", "telegram--other", "other")]);
  await store.log.append([said("telegram--other", "new people, and a zebrafish")]);
  const found = (await texts("family")).join();
  expect(found).toContain("new people");
  expect(found).not.toContain("the family talks");
});

test("what a removed group has said becomes nobody's", async () => {
  const { texts, store, memory } = await groupScene();
  await texts();
  await store.log.append([{ type: "group.removed", conversation: work, group: "work", by: owner } as NewEvent]);
  expect((await texts()).join()).not.toContain("at work");
  expect((await texts("family")).join()).not.toContain("at work");
  await expect(memory.search({ group: "work" }, "zebrafish")).rejects.toThrow("There is no group work");
});

test("no name of a group leads out of the folder of groups", async () => {
  const { memory } = await groupScene();
  for (const group of ["../workspace", "..", "family/../work", "", "removed", "Family"])
    await expect(memory.search({ group }, "zebrafish")).rejects.toThrow("There is no group");
});
