import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryScene } from "../scenes/memory.ts";
import { messageReceived } from "../scenes/stores.ts";

const notes = {
  "MEMORY.md": "# Memory\n\n- 2026-11-03: the bins go out on Tuesday\n- 2026-11-04: Anna's birthday is on 3 May\n",
  "memory/2026-10-12.md": "# Garden\n\nWe planted two apple trees behind the shed.\n\nThe fence needs paint.\n",
};

test("a note is found by its words, with its lines, its date and why", async () => {
  const { memory } = await memoryScene(notes);
  const { finds, note } = await memory.search({}, "when do the bins go out?");
  expect(note).toBeUndefined();
  expect(finds[0]).toMatchObject({
    path: "MEMORY.md",
    best: { text: expect.stringContaining("bins go out on Tuesday"), startLine: 3, date: "2026-11-03" },
    why: [expect.stringContaining("“bins”")],
  });
});

test("a note is found by what it means where no word is the same, which words alone cannot", async () => {
  const ask = async (settings = {}) => {
    const { memory } = await memoryScene(
      { "memory/doctor.md": "The physician's surgery is in Mill Lane.\n" },
      settings,
    );
    return (await memory.search({}, "doctor")).finds;
  };
  expect((await ask())[0]).toMatchObject({ path: "memory/doctor.md", why: [expect.stringContaining("close to")] });
});

test("in a memory of a few lines a word that most of them say still finds the note", async () => {
  const said = ["Remember where the keys are.", "My keys again.", "Keys, keys.", "The extra battery is empty."];
  const { memory } = await memoryScene({
    "MEMORY.md": "# Memory\n\n- 2026-11-03: the spare keys hang behind the bicycle\n",
    "memory/said.md": `${said.join("\n\n")}\n`,
  });
  const { finds } = await memory.search({}, "where are the extra keys?");
  expect(finds.map(({ path }) => path)).toContain("MEMORY.md");
});

test("what nobody ever wrote is not found, and no bad guess is made", async () => {
  const { memory } = await memoryScene(notes);
  expect((await memory.search({}, "passport number of Charles")).finds).toEqual([]);
  expect((await memory.search({}, "???")).finds).toEqual([]);
});

test("what was said a moment ago is found, and what was written, changed or removed since the last search is known", async () => {
  const { memory, store, write, workspace } = await memoryScene(notes);
  await memory.search({}, "bins");
  await store.log.append([messageReceived("the plumber comes on Friday")]);
  expect((await memory.search({}, "plumber")).finds[0]).toMatchObject({ sessionKey: "terminal--default", fromSeq: 1 });
  await write("memory/cars.md", "The car key lies in the blue bowl.\n");
  expect((await memory.search({}, "where is the car key?")).finds[0]).toMatchObject({ path: "memory/cars.md" });
  await write("memory/cars.md", "The bicycle pump lies in the cellar.\n");
  expect((await memory.search({}, "blue bowl")).finds).toEqual([]);
  await rm(join(workspace, "memory/cars.md"));
  expect((await memory.search({}, "bicycle pump")).finds).toEqual([]);
});

test("a deleted conversation is found no more", async () => {
  const { memory, store } = await memoryScene();
  await store.log.append([messageReceived("my locker is number 417")]);
  expect((await memory.search({}, "locker")).finds).toHaveLength(1);
  await store.log.append([
    { type: "conversation.deleted", conversation: "terminal--default", by: { kind: "owner", id: "owner" } },
  ]);
  expect((await memory.search({}, "locker")).finds).toEqual([]);
});

test("nothing is loaded before the first search", async () => {
  const { memory } = await memoryScene(notes);
  expect(await memory.status({})).toMatchObject({ state: "unused", units: 0 });
  await memory.search({}, "bins");
  expect(await memory.status({})).toMatchObject({ state: "ready", units: 4, files: 2 });
});

test("a damaged index is made again, and the notes are as they were", async () => {
  const { memory, home, troubles, reopen } = await memoryScene(notes);
  await memory.search({}, "bins");
  await memory.close();
  await writeFile(join(home, "data/memory/own.db"), "this is no database at all, and never was one".repeat(500));
  const { finds, note } = await reopen().search({}, "bins");
  expect(finds[0]).toMatchObject({ path: "MEMORY.md" });
  expect(note).toContain("made again");
  expect(troubles.join(" ")).toContain("made again");
});

test("an index that is removed while it is in use is made again", async () => {
  const { memory, home } = await memoryScene(notes);
  await memory.search({}, "bins");
  for (const ending of ["", "-wal", "-shm"]) await rm(join(home, `data/memory/own.db${ending}`), { force: true });
  expect((await memory.search({}, "bins")).finds[0]).toMatchObject({ path: "MEMORY.md" });
  expect(await memory.status({})).toMatchObject({ state: "ready", units: 4 });
});

test("where the index can lie nowhere it is held in memory, and the search says so", async () => {
  const { memory, home } = await memoryScene(notes);
  await writeFile(join(home, "data/memory"), "a file in the way");
  const { finds, note } = await memory.search({}, "bins");
  expect(finds[0]).toMatchObject({ path: "MEMORY.md" });
  expect(note).toContain("held in memory");
});

test("the formulas order pieces of the length that was set, and what scores too little is left out", async () => {
  const files = { "memory/a.md": Array.from({ length: 30 }, (_, at) => `Apple number ${at} is red.`).join("\n\n") };
  const lengths = async (search: object) => {
    const { memory } = await memoryScene(files, { search });
    return (await memory.search({}, "apple number 7")).finds.map(({ text }) => text.split("\n").length);
  };
  expect(Math.max(...(await lengths({ ranking: "rrf", chunkTokens: 20, chunkOverlap: 0 })))).toBe(3);
  expect(Math.max(...(await lengths({ ranking: "weights", chunkTokens: 40, chunkOverlap: 0 })))).toBe(7);
  expect(await lengths({ ranking: "weights", minScore: 1 })).toEqual([]);
});

test("a question of nothing but little words is looked for as it stands", async () => {
  const { memory } = await memoryScene({
    "memory/bands.md": "We saw The Who in Leeds.\n\nWho was there? Everybody.\n",
  });
  expect((await memory.search({}, "The Who")).finds.map(({ text }) => text)).toEqual(["We saw The Who in Leeds."]);
});

test("scripts without spaces are found by any part of them", async () => {
  const { memory } = await memoryScene({ "memory/a.md": "钥匙在蓝色的抽屉里。\n\n昨日は図書館で本を借りました。\n" });
  expect((await memory.search({}, "钥匙")).finds[0]?.best?.text).toContain("抽屉");
  expect((await memory.search({}, "図書館")).finds[0]?.best?.text).toContain("本を借り");
});

test("what the owner once asked does not stand before what answers it", async () => {
  const { memory, store } = await memoryScene(notes);
  await store.log.append([messageReceived("when do the bins go out on Tuesday?")]);
  expect((await memory.search({}, "when do the bins go out?")).finds[0]).toMatchObject({ path: "MEMORY.md" });
});
