// What is forgotten leaves no word in any file, and what stands around it stays as it was.
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyConversation } from "../../src/contract/conversation/conversation.ts";
import { foldConversation } from "../../src/contract/conversation/fold-conversation.ts";
import { TaskDefinition } from "../../src/contract/task/task.ts";
import type { Mention } from "../../src/contract/wire/methods/memory.ts";
import { checkStore } from "../../src/store/doctor/check-store.ts";
import { eventually } from "../scenes/eventually.ts";
import { auditProblems, filesWith, forgetScene } from "../scenes/memory/forget-scene.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { conversation } from "../scenes/stores.ts";
import { testTool } from "../scenes/tools.ts";

const word = "quincebramble";
type Mentions = { mentions: Mention[]; more: boolean };
type Assistant = Awaited<ReturnType<typeof forgetScene>>;

async function mentionsOf(assistant: Assistant, about = word, group?: string): Promise<Mention[]> {
  const found = (await assistant.call("memory.mentions", { about, ...(group && { group }) })) as Mentions;
  return found.mentions;
}

function chosenOf(mentions: readonly Mention[]) {
  const open = mentions.filter(({ stays }) => stays === undefined);
  return {
    lines: open.flatMap(({ path, line, text }) => (path && line ? [{ path, line, text }] : [])),
    messages: open.flatMap(({ sessionKey, seq }) => (sessionKey && seq ? [{ sessionKey, seq }] : [])),
  };
}

async function forgetAll(assistant: Assistant): Promise<unknown> {
  return assistant.call("memory.forget", { about: word, ...chosenOf(await mentionsOf(assistant)) });
}

async function writeNotes(assistant: Assistant, texts: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(join(assistant.workspace, path, ".."), { recursive: true });
    await writeFile(join(assistant.workspace, path), text);
  }
}

/** Something was said, read and answered with the word, and something before and after it without. */
async function talk(options: Parameters<typeof forgetScene>[0] = {}): Promise<Assistant> {
  const assistant = await forgetScene({
    model: scriptedModel((request) => {
      const last = JSON.stringify(request.messages.at(-1));
      if (last.includes(word) && !last.includes("noted"))
        return { text: "", calls: [{ tool: "note", arguments: { value: word } }] };
      return last.includes("noted") ? { text: `That was ${word}.` } : { text: "An ordinary answer." };
    }),
    tools: [testTool({ run: async (value) => `noted ${value} ${"long ".repeat(50_000)}` })],
    ...options,
  });
  await assistant.say("hello plum");
  await assistant.until("turn.finished");
  const attached = { name: "own.txt", mediaType: "text/plain", base64: Buffer.from(`own ${word}`).toString("base64") };
  await assistant.call("chat.send", {
    sessionKey: conversation,
    message: `tell me of ${word}`,
    attachments: [attached],
  });
  await assistant.until("turn.finished", 2);
  await assistant.say("and something else");
  await assistant.until("turn.finished", 3);
  await assistant.call("sessions.search", { query: word, limit: 5 });
  await assistant.store.flush();
  return assistant;
}

test("what was said of something goes with all that was done for it, from every file, and the audit log still verifies", async () => {
  const assistant = await talk();
  await writeNotes(assistant, { "MEMORY.md": `# Me\n- likes ${word}\n- has a dog\n`, "memory/a.md": `${word} again` });
  const before = await filesWith(word, assistant.home);
  expect(before).toEqual(
    expect.arrayContaining(["data/steward.db-wal", `data/sessions/${conversation}.jsonl`, "workspace/MEMORY.md"]),
  );
  expect(before.some((path) => path.startsWith("data/outputs/"))).toBe(true);
  expect(before.some((path) => path.startsWith("data/attachments/"))).toBe(true);
  expect(before.some((path) => path.startsWith("audit/"))).toBe(true);
  expect(await forgetAll(assistant)).toEqual({ lines: 2, messages: 2, earlierVersions: 0, stayed: [] });
  await assistant.until("conversation.forgotten");
  await eventually(() => filesWith(word, assistant.home), []);
  expect(await auditProblems(assistant)).toEqual([]);
  expect(assistant.troubles).toEqual([]);
  await assistant.close();
  expect(await filesWith(word, assistant.home)).toEqual([]);
  expect((await checkStore(assistant.home)).filter((finding) => !finding.ok)).toEqual([]);
  expect(await readFile(join(assistant.workspace, "MEMORY.md"), "utf8")).toBe("# Me\n- has a dog\n");
});

test("in the audit log only what was forgotten has lost its words, and a change of what is left of it is found", async () => {
  const assistant = await talk();
  await forgetAll(assistant);
  await assistant.until("conversation.forgotten");
  await assistant.store.flush();
  for (const kept of ["hello plum", "and something else"])
    expect((await filesWith(kept, assistant.home)).some((path) => path.startsWith("audit/"))).toBe(true);
  const [name = ""] = await readdir(join(assistant.home, "audit"));
  const path = join(assistant.home, "audit", name);
  const text = await readFile(path, "utf8");
  const blank = text.split("\n").find((line) => line.includes('"blank":true')) ?? "";
  await writeFile(path, text.replace(blank, blank.replace('"type":"message.received"', '"type":"reply.written"')));
  expect(await auditProblems(assistant)).not.toEqual([]);
  await writeFile(path, text);
  expect(await auditProblems(assistant)).toEqual([]);
});

test("a conversation that is deleted after some of it was forgotten leaves the audit log whole", async () => {
  const assistant = await talk();
  await forgetAll(assistant);
  await assistant.until("conversation.forgotten");
  await assistant.call("sessions.delete", { sessionKey: conversation });
  await assistant.until("conversation.forgotten", 2);
  expect(await auditProblems(assistant)).toEqual([]);
  expect(await filesWith("hello plum", assistant.home)).toEqual([]);
});

test("what stands around it stays, for the person and for the model, and a quiet line says that something went", async () => {
  const model = scriptedModel([{ text: "An ordinary answer." }, { text: `That was ${word}.` }, { text: "Later." }]);
  const assistant = await talk({ model });
  await forgetAll(assistant);
  const events = (await assistant.events()).filter((event) => event.conversation === conversation);
  const shown = foldConversation(emptyConversation(conversation), events).items.filter(({ kind }) => kind !== "cost");
  expect(shown.map((item) => ("text" in item ? item.text : item.kind))).toEqual([
    ...["hello plum", "An ordinary answer.", "Something was forgotten here, for good.", "and something else", "Later."],
  ]);
  await assistant.say("what did I say?");
  await assistant.until("turn.finished", 4);
  const read = model.requests
    .at(-1)
    ?.messages.flatMap((message) =>
      message.role === "user"
        ? message.content.map((part) => (part.type === "text" ? part.text : "?"))
        : [message.role],
    );
  expect(read).toEqual(["hello plum", "assistant", "and something else", "assistant", "what did I say?"]);
  const session = (await assistant.call("sessions.get", { sessionKey: conversation })) as {
    messages: { content: string }[];
  };
  expect(session.messages.map(({ content }) => content)).not.toContain("");
});

test("forgetting it a second time does nothing, and neither does asking for what was never there", async () => {
  const assistant = await talk();
  const chosen = chosenOf(await mentionsOf(assistant));
  await assistant.call("memory.forget", chosen);
  await assistant.until("conversation.forgotten");
  expect(await assistant.call("memory.forget", chosen)).toMatchObject({ lines: 0, messages: 0 });
  await assistant.call("memory.forget", { messages: [{ sessionKey: "terminal--nowhere", seq: 3 }] });
  expect((await assistant.events()).filter(({ type }) => type === "messages.forgotten")).toHaveLength(1);
  expect(await mentionsOf(assistant)).toEqual([]);
});

test("a conversation that was called by forgotten words is called by those that are left", async () => {
  const assistant = await forgetScene();
  await assistant.say(`all about ${word}`);
  await assistant.until("turn.finished");
  await assistant.say("the weather");
  await assistant.until("turn.finished", 2);
  await forgetAll(assistant);
  const { sessions } = (await assistant.call("sessions.list", {})) as { sessions: { title: string }[] };
  expect(sessions.map(({ title }) => title)).toEqual(["the weather"]);
  await assistant.until("conversation.forgotten");
  await assistant.store.flush();
  expect((await checkStore(assistant.home)).filter((finding) => !finding.ok)).toEqual([]);
});

test("a message that is still being answered stays, and the answer says why", async () => {
  const assistant = await forgetScene({ model: scriptedModel([{ hangsAfter: "well" }]) });
  await assistant.say(`think of ${word}`);
  await assistant.until("turn.started");
  expect(await forgetAll(assistant)).toEqual({
    ...{ lines: 0, messages: 0, earlierVersions: 0 },
    stayed: [`“think of ${word}” is still being answered. Forget it when the answer is there.`],
  });
});

test("a summary of what was forgotten goes too, and the model reads again what was said around it", async () => {
  const model = scriptedModel((request) =>
    request.system[0]?.text.startsWith("Summarise") ? { text: `They spoke of ${word}.` } : { text: "Well." },
  );
  const assistant = await forgetScene({ model, settings: { session: { maxHistoryMessages: 4 } } });
  for (const [index, message] of ["first plum", `second ${word}`, "third", "fourth", "fifth"].entries()) {
    await assistant.say(message);
    await assistant.until("turn.finished", index + 1);
  }
  const [compacted] = await assistant.until("conversation.compacted");
  expect(compacted?.summary).toContain(word);
  await forgetAll(assistant);
  await assistant.until("conversation.forgotten");
  await eventually(() => filesWith(word, assistant.home), []);
  await assistant.store.flush();
  expect((await checkStore(assistant.home)).filter((finding) => !finding.ok)).toEqual([]);
  await assistant.say("and now");
  await assistant.until("turn.finished", 6);
  // it is summarised anew, from what is left
  const summarised = JSON.stringify(model.requests.at(-2)?.messages);
  expect(summarised).toContain("first plum");
  expect(summarised).toContain("third");
  expect(summarised).not.toContain(word);
});

test("only what says all of the words is found, in any case, with accents or in the plural, and a phrase as it stands", async () => {
  const assistant = await forgetScene();
  await writeNotes(assistant, {
    "MEMORY.md": "The Dentist of Zoé\nDENTISTS and zoe\nthe dentist\nindentistry zoe\nzoe's old dentist\n",
  });
  const lines = async (about: string) => (await mentionsOf(assistant, about)).map(({ line }) => line).sort();
  expect(await lines("dentist zoe")).toEqual([1, 2, 5]);
  expect(await lines("the dentist")).toEqual([1, 2, 3, 5]);
  expect(await lines('"old dentist"')).toEqual([5]);
});

test("files that are only read are shown with a word that they stay, and cannot be reached", async () => {
  const extra = await forgetScene();
  const path = join(extra.home, "elsewhere.md");
  await writeFile(path, `far ${word}\n`);
  const assistant = await forgetScene({ extraPaths: [path] });
  const mentions = await mentionsOf(assistant);
  expect(mentions).toMatchObject([{ path, text: `far ${word}`, stays: expect.stringContaining("only read") }]);
  const lines = [
    { path, line: 1, text: `far ${word}` },
    { path: "../../etc/passwd", line: 1, text: "root" },
    { path: "SOUL.md", line: 1, text: "x" },
  ];
  expect(await assistant.call("memory.forget", { lines })).toMatchObject({ lines: 0, stayed: { length: 3 } });
  expect(await readFile(path, "utf8")).toBe(`far ${word}\n`);
});

test("why it was recalled elsewhere goes too, and that something was recalled stays", async () => {
  const assistant = await talk();
  await writeNotes(assistant, { "MEMORY.md": `a ${word}\n` });
  const said = (await assistant.events()).find(
    (event) => event.type === "message.received" && event.text.includes(word),
  );
  const find = { score: 1, why: [`says ${word}`] };
  const place = { sessionKey: conversation, fromSeq: (said?.seq ?? 0) - 1, toSeq: said?.seq };
  await assistant.store.log.append([
    { type: "memory.recalled", conversation: "web--other", turn: "t7", finds: [{ ...place, ...find }], tokens: 1 },
    {
      type: "memory.recalled",
      conversation: "web--third",
      turn: "t8",
      finds: [{ path: "MEMORY.md", ...find }],
      tokens: 1,
    },
  ]);
  await forgetAll(assistant);
  await assistant.until("conversation.forgotten", 3);
  await eventually(() => filesWith(word, assistant.home), []);
  expect((await assistant.until("memory.recalled")).map(({ finds }) => finds)).toMatchObject([
    [{ ...place, why: [] }],
    [{ path: "MEMORY.md", why: [] }],
  ]);
  expect(await auditProblems(assistant)).toEqual([]);
});

test("a task that speaks of it is shown with a word that it stays", async () => {
  const assistant = await forgetScene();
  const trigger = { kind: "once", atMs: Date.now() + 86_400_000 } as const;
  const definition = TaskDefinition.parse({
    ...{ title: "Plants", trigger, action: { kind: "say", text: `water the ${word}` } },
    ...{ deliverTo: "last", missed: "skip", overlap: "skip", deleteAfterRun: true },
  });
  const by = { kind: "owner", id: "owner" } as const;
  await assistant.store.log.append([
    { type: "task.made", conversation: "task--t1", task: "t1", definition, by, madeIn: conversation },
  ]);
  expect(await mentionsOf(assistant)).toMatchObject([
    { text: "Plants", stays: "The task “Plants” speaks of it. Change or cancel it on the page Tasks." },
  ]);
  expect(await forgetAll(assistant)).toEqual({ lines: 0, messages: 0, earlierVersions: 0, stayed: [] });
});

test("two who forget different lines of a note at once take out theirs, or are told that it changed", async () => {
  const assistant = await forgetScene();
  await writeNotes(assistant, { "memory/m.md": "one\ntwo\nthree\n" });
  const take = (line: number, text: string) =>
    assistant.call("memory.forget", { lines: [{ path: "memory/m.md", line, text }] }) as Promise<{
      lines: number;
      stayed: string[];
    }>;
  const answers = await Promise.all([take(1, "one"), take(2, "two")]);
  const left = await readFile(join(assistant.workspace, "memory/m.md"), "utf8");
  expect(left.split("\n").length - 1).toBe(3 - answers.reduce((sum, { lines }) => sum + lines, 0));
  for (const { lines, stayed } of answers) expect(stayed).toHaveLength(1 - lines);
  expect(left).toContain("three\n");
});

test("a line that says something else by now stays, and every other byte of the file stays as it is", async () => {
  const assistant = await forgetScene();
  const text = `\ufeff# Me\r\n${word} one\r\n\r\n  two \t\n${word} three\nno end`;
  await writeNotes(assistant, { "memory/me.md": text });
  const path = join(assistant.workspace, "memory/me.md");
  const { mode } = await stat(path);
  const answer = await assistant.call("memory.forget", {
    lines: [
      { path: "memory/me.md", line: 2, text: `${word} one` },
      { path: "memory/me.md", line: 5, text: "something else" },
    ],
  });
  expect(answer).toEqual({
    ...{ lines: 1, messages: 0, earlierVersions: 0 },
    stayed: ["memory/me.md: a line says something else by now. Look at it again."],
  });
  expect(await readFile(path, "utf8")).toBe(text.replace(`${word} one\r\n`, ""));
  expect((await stat(path)).mode).toBe(mode);
});

test("earlier versions that hold the line go with it, and the history offers only what is left", async () => {
  const assistant = await forgetScene();
  const write = async (text: string, version: string | null) =>
    ((await assistant.call("notes.write", { path: "memory/m.md", text, version })) as { version: string }).version;
  const first = await write("plain\n", null);
  const second = await write(`plain\n${word}\n`, first);
  const third = await write(`plain\n${word}\nmore\n`, second);
  await assistant.call("memory.forget", { lines: [{ path: "memory/m.md", line: 2, text: word }] });
  expect(await filesWith(word, assistant.home)).toEqual([]);
  const { changes } = (await assistant.call("notes.history", { path: "memory/m.md" })) as { changes: unknown[] };
  expect(changes).toMatchObject([{ before: null, after: first }]);
  const gone = assistant.call("notes.read", { path: "memory/m.md", version: third });
  await expect(gone).rejects.toThrow("no longer kept");
});

test("a person's whole section goes with the heading that names them, and leaves no gap and no fact under the next one's", async () => {
  const assistant = await forgetScene();
  const rest = "# Ann\nTall.\n\n---\n\n";
  const section = "# Priya\nVegetarian. Birthday: 7 July 1990.\n\n- likes tea\n\n";
  const last = "# Tom\nMet in Lyon.\n\n## Food\n---\n";
  const text = `${rest}${section}${last}`;
  const { version } = (await assistant.call("notes.write", { path: "memory/p.md", text: rest, version: null })) as {
    version: string;
  };
  await assistant.call("notes.write", { path: "memory/p.md", text, version });
  const mentions = await mentionsOf(assistant, "Priya");
  expect(mentions.map(({ line, text }) => [line, text])).toEqual([
    [6, "# Priya"],
    [7, "Vegetarian. Birthday: 7 July 1990."],
    [9, "- likes tea"],
  ]);
  expect(await assistant.call("memory.forget", { about: "Priya", ...chosenOf(mentions) })).toMatchObject({ lines: 3 });
  expect(await readFile(join(assistant.workspace, "memory/p.md"), "utf8")).toBe(`${rest}${last}`);
  expect(await assistant.call("notes.read", { path: "memory/p.md", version })).toMatchObject({ text: rest });
});

test("what somebody called a conversation goes too, and it is called by what is left", async () => {
  const assistant = await forgetScene();
  await assistant.say("the weather");
  await assistant.until("turn.finished");
  const called = `All about ${word} and everything else that was said of it in the long evenings of that summer`;
  await assistant.call("sessions.configure", { sessionKey: conversation, title: called });
  expect(await mentionsOf(assistant)).toMatchObject([
    { sessionKey: conversation, text: expect.stringContaining(called) },
  ]);
  await forgetAll(assistant);
  await assistant.until("conversation.forgotten");
  const { sessions } = (await assistant.call("sessions.list", {})) as { sessions: { title: string }[] };
  expect(sessions.map(({ title }) => title)).toEqual(["the weather"]);
  await eventually(() => filesWith(word, assistant.home), []);
  expect(await auditProblems(assistant)).toEqual([]);
});

test("the files that shape the assistant are shown with a word that they stay", async () => {
  const assistant = await forgetScene();
  await writeNotes(assistant, { "SOUL.md": `Kind.\nNever laugh about ${word}.\n` });
  expect(await mentionsOf(assistant)).toEqual([
    {
      ...{ path: "SOUL.md", line: 2, text: `Never laugh about ${word}.` },
      stays: "This file shapes Steward. Change it on the page Memory, under Files.",
    },
  ]);
});

test("of a line that is too long to be shown whole all of it is looked through, and it goes whole", async () => {
  const assistant = await forgetScene();
  await writeNotes(assistant, { "memory/long.md": `${"long ".repeat(2_000)}${word}\nshort\n` });
  const mentions = await mentionsOf(assistant);
  expect(mentions).toMatchObject([{ path: "memory/long.md", line: 1 }]);
  expect(await assistant.call("memory.forget", chosenOf(mentions))).toMatchObject({ lines: 1, stayed: [] });
  expect(await readFile(join(assistant.workspace, "memory/long.md"), "utf8")).toBe("short\n");
});

test("what only a summary says goes too", async () => {
  const model = scriptedModel((request) =>
    request.system[0]?.text.startsWith("Summarise") ? { text: `They spoke of ${word}.` } : { text: "Well." },
  );
  const assistant = await forgetScene({ model, settings: { session: { maxHistoryMessages: 4 } } });
  for (let index = 1; index <= 5; index++) {
    await assistant.say(`message ${index}`);
    await assistant.until("turn.finished", index);
  }
  await assistant.until("conversation.compacted");
  const texts = (await mentionsOf(assistant)).map(({ text }) => text);
  expect(new Set(texts)).toEqual(new Set([`(a summary of a conversation) They spoke of ${word}.`]));
  await forgetAll(assistant);
  await eventually(() => filesWith(word, assistant.home), []);
  expect(await auditProblems(assistant)).toEqual([]);
});

test("a task that is over, a file that is called so, and what was not looked through are told", async () => {
  const assistant = await forgetScene();
  const trigger = { kind: "once", atMs: Date.now() + 86_400_000 } as const;
  const definition = TaskDefinition.parse({
    ...{ title: `Water ${word}`, trigger, action: { kind: "say", text: "now" } },
    ...{ deliverTo: "last", missed: "skip", overlap: "skip", deleteAfterRun: true },
  });
  const by = { kind: "owner", id: "owner" } as const;
  const of = { conversation: "task--t1", task: "t1", by } as const;
  await assistant.store.log.append([{ ...of, type: "task.made", definition, madeIn: conversation }]);
  await assistant.store.log.append([{ ...of, type: "task.ended", why: "cancelled" }]);
  await writeNotes(assistant, { [`memory/${word}.md`]: "plain\n", "memory/big.md": "long ".repeat(1_000_000) });
  const stays = (await mentionsOf(assistant)).map((mention) => mention.stays ?? "");
  expect(stays.sort()).toEqual([
    expect.stringMatching(/^A task that is over or has been changed since, “Water quincebramble”/),
    "The file is called that. Rename or delete it where it lies.",
    expect.stringContaining("memory/big.md is not searched"),
  ]);
});
