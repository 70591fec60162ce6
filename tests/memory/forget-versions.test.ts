// What is forgotten does not come back by an undo or from the history, however a note came to say something else.
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkStore } from "../../src/store/doctor/check-store.ts";
import { eventually } from "../scenes/eventually.ts";
import { filesWith, forgetScene } from "../scenes/memory/forget-scene.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const word = "quincebramble";
type Assistant = Awaited<ReturnType<typeof forgetScene>>;
type Mentioned = { mentions: { path?: string; sessionKey?: string; seq?: number }[]; earlierVersions: number };

async function mentioned(assistant: Assistant): Promise<Mentioned> {
  return (await assistant.call("memory.mentions", { about: word })) as Mentioned;
}

async function write(assistant: Assistant, path: string, text: string, version: string | null): Promise<string> {
  return ((await assistant.call("notes.write", { path, text, version })) as { version: string }).version;
}

/** A note that said the word, and says it no more. */
async function wroteOver(assistant: Assistant, path = "memory/m.md", text = "plain\n"): Promise<void> {
  await write(assistant, path, text, await write(assistant, path, `${word}\nplain\n`, null));
}

const flows: Record<string, (assistant: Assistant) => Promise<void>> = {
  "changed by its owner": (assistant) => wroteOver(assistant),
  "which is gone by now": async (assistant) => {
    await wroteOver(assistant);
    await rm(join(assistant.workspace, "memory/m.md"));
  },
  "called otherwise by now": async (assistant) => {
    await wroteOver(assistant);
    await rename(join(assistant.workspace, "memory/m.md"), join(assistant.workspace, "memory/other.md"));
  },
  "in a folder of its own": (assistant) => wroteOver(assistant, "memory/people/anna.md"),
  "among the files that shape the assistant": async (assistant) => {
    const { text, version } = (await assistant.call("notes.read", { path: "MEMORY.md" })) as Record<string, string>;
    const then = await write(assistant, "MEMORY.md", `${text}${word}\n`, version ?? "");
    await write(assistant, "MEMORY.md", `${text}`, then);
  },
};

test.each(Object.entries(flows))("an earlier text goes of a note %s, though no line speaks of it", async (_, flow) => {
  const assistant = await forgetScene();
  await flow(assistant);
  expect(await mentioned(assistant)).toMatchObject({ mentions: [], earlierVersions: 1 });
  expect(await filesWith(word, assistant.home)).toHaveLength(1);
  expect(await assistant.call("memory.forget", { about: word })).toEqual({
    ...{ lines: 0, messages: 0, earlierVersions: 1 },
    stayed: [],
  });
  expect(await mentioned(assistant)).toMatchObject({ mentions: [], earlierVersions: 0 });
  expect(await filesWith(word, assistant.home)).toEqual([]);
  await assistant.store.flush();
  expect((await checkStore(assistant.home)).filter((finding) => !finding.ok)).toEqual([]);
});

test("what the assistant wrote and took out again goes too, with what was said of it", async () => {
  const path = "memory/m.md";
  const model = scriptedModel([
    { text: "", calls: [{ tool: "write", arguments: { path, content: `${word}\nplain\n` } }] },
    { text: "Noted." },
    { text: "", calls: [{ tool: "edit", arguments: { path, edits: [{ oldText: `${word}\n`, newText: "" }] } }] },
    { text: "Taken out." },
  ]);
  const assistant = await forgetScene({ model });
  for (const [index, message] of ["note it", "take it out"].entries()) {
    await assistant.say(message);
    await assistant.until("turn.finished", index + 1);
  }
  expect(await readFile(join(assistant.workspace, path), "utf8")).toBe("plain\n");
  const { mentions, earlierVersions } = await mentioned(assistant);
  expect(earlierVersions).toBe(1);
  const messages = mentions.map(({ sessionKey, seq }) => ({ sessionKey, seq }));
  await assistant.call("memory.forget", { about: word, messages });
  await assistant.until("conversation.forgotten");
  await assistant.store.flush();
  await eventually(() => filesWith(word, assistant.home), []);
});

test("earlier texts that do not speak of it stay, and so do all of them where their owner says so", async () => {
  const assistant = await forgetScene();
  const first = await write(assistant, "memory/m.md", "plain\n", null);
  const second = await write(assistant, "memory/m.md", `plain\n${word}\n`, first);
  await write(assistant, "memory/m.md", "plain again\n", second);
  const kept = await assistant.call("memory.forget", { about: word, earlierVersions: false });
  expect(kept).toMatchObject({ earlierVersions: 0 });
  expect(await assistant.call("notes.read", { path: "memory/m.md", version: second })).toMatchObject({
    text: `plain\n${word}\n`,
  });
  await assistant.call("memory.forget", { about: word });
  await expect(assistant.call("notes.read", { path: "memory/m.md", version: second })).rejects.toThrow(
    "no longer kept",
  );
  expect(await assistant.call("notes.read", { path: "memory/m.md", version: first })).toMatchObject({
    text: "plain\n",
  });
});

test("what a note says now is no earlier version of it", async () => {
  const assistant = await forgetScene();
  await write(assistant, "memory/m.md", `${word}\nplain\n`, null);
  expect(await mentioned(assistant)).toMatchObject({ mentions: [{ path: "memory/m.md" }], earlierVersions: 0 });
  await assistant.call("memory.forget", { about: word });
  expect(await filesWith(word, assistant.home)).toHaveLength(2);
  await assistant.call("memory.forget", { about: word, lines: [{ path: "memory/m.md", line: 1, text: word }] });
  expect(await filesWith(word, assistant.home)).toEqual([]);
});

test("files beside the notes keep their earlier texts", async () => {
  const path = "memory/list.txt";
  const model = scriptedModel([
    { text: "", calls: [{ tool: "write", arguments: { path, content: "one\n" } }] },
    { text: "Written." },
  ]);
  const assistant = await forgetScene({ model });
  await mkdir(join(assistant.workspace, "memory"), { recursive: true });
  await writeFile(join(assistant.workspace, path), `${word}\n`);
  await assistant.say("write it");
  await assistant.until("turn.finished");
  expect(await mentioned(assistant)).toMatchObject({ earlierVersions: 0 });
});

test("a line that was written again after its index could not be cleaned stays", async () => {
  const home = await temporaryFolder();
  const first = await forgetScene({ home, catchUpIndex: async () => false });
  await write(first, "memory/m.md", `${word}\nplain\n`, null);
  await first.call("memory.forget", { lines: [{ path: "memory/m.md", line: 1, text: word }] });
  await writeFile(join(first.workspace, "memory/m.md"), `${word}\nplain\nmore\n`);
  await first.close();
  await forgetScene({ home });
  expect(await readFile(join(first.workspace, "memory/m.md"), "utf8")).toBe(`${word}\nplain\nmore\n`);
});

test("why something was recalled goes also when the line it names says something else by now", async () => {
  const assistant = await forgetScene();
  await wroteOver(assistant);
  await assistant.store.log.append([
    {
      ...{ type: "memory.recalled", conversation: "web--other", turn: "t7", tokens: 1 },
      finds: [{ path: "memory/m.md", score: 1, why: [`says “${word}”`] }],
    },
  ]);
  await assistant.call("memory.forget", { about: word });
  await assistant.until("conversation.forgotten");
  await eventually(() => filesWith(word, assistant.home), []);
});
