import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { conversation, messageReceived, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { openRedactor } from "../../guard/redaction/redactor.ts";
import { writeCursor } from "../tables/cursors.ts";

const transcript = (home: string) => join(home, "data", "sessions", "terminal--default.jsonl");
const seqs = async (path: string) =>
  (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).seq);

test("the transcript holds one readable line an event", async () => {
  const home = await temporaryFolder();
  const store = await storeIn(home);
  await store.log.append([messageReceived("hello"), messageReceived("again")]);
  await store.flush();
  const [line] = (await readFile(transcript(home), "utf8")).split("\n");
  expect(JSON.parse(line ?? "")).toMatchObject({ seq: 1, type: "message.received", role: "user", text: "hello" });
});

test("a line that a crash cut off is cut away and written whole, and no line is written twice", async () => {
  const home = await temporaryFolder();
  const first = await storeIn(home);
  await first.log.append(["a", "b", "c"].map((text) => messageReceived(text)));
  await first.close();
  const whole = await readFile(transcript(home), "utf8");
  await truncate(transcript(home), whole.length - 20);
  await forgetCursor(home, "transcripts");
  const second = await storeIn(home);
  await second.log.append([messageReceived("d")]);
  await second.close();
  expect(await seqs(transcript(home))).toEqual([1, 2, 3, 4]);
});

test("the audit log goes on with the right hash after a crash between the file and the database", async () => {
  const home = await temporaryFolder();
  const first = await storeIn(home);
  await first.log.append(["a", "b", "c"].map((text) => messageReceived(text)));
  await first.close();
  await forgetCursor(home, "audit log");
  const file = join(home, "audit", `${new Date().toISOString().slice(0, 10)}.jsonl`);
  await appendFile(file, '{"seq":4,"half a li');
  const second = await storeIn(home);
  await second.log.append([messageReceived("d")]);
  await second.close();
  const lines = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.seq)).toEqual([1, 2, 3, 4]);
  expect(lines.slice(1).map((line) => line.previous)).toEqual(lines.slice(0, -1).map((line) => line.hash));
});

const { redact } = openRedactor({ known: ["hunter2-and-more"] });
const today = `${new Date().toISOString().slice(0, 10)}.jsonl`;

test("the audit log is redacted, what a person said stays whole in the transcript", async () => {
  const home = await temporaryFolder();
  const store = await storeIn(home, { redact });
  await store.log.append([messageReceived("my password is hunter2-and-more")]);
  await store.flush();
  const audit = await readFile(join(home, "audit", today), "utf8");
  expect(audit).not.toContain("hunter2");
  expect(await readFile(transcript(home), "utf8")).toContain("hunter2-and-more");
});

test("arguments nested beyond all measure hold up neither transcript nor audit log", async () => {
  const home = await temporaryFolder();
  const store = await storeIn(home, { redact });
  const at = { conversation, turn: "t1" };
  const deep: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
  const step = {
    step: 0,
    model: "a/b",
    text: "",
    finish: "tool_calls" as const,
    usage: { inputTokens: 1, outputTokens: 1 },
  };
  await store.log.append([
    { type: "turn.started", ...at, messages: [1] },
    { type: "step.finished", ...at, ...step, toolCalls: [{ callId: "c1", tool: "write", arguments: deep }] },
    messageReceived("still heard"),
  ]);
  await store.flush();
  for (const path of [join(home, "audit", today), transcript(home)])
    expect(await readFile(path, "utf8")).toMatch(/nested too deep[\s\S]*still heard/);
});

test("the audit line of a call holds what it was told, without its secrets, also after a restart", async () => {
  const home = await temporaryFolder();
  const at = { conversation, turn: "t1" };
  const call = { callId: "c1", tool: "write" };
  const usage = { inputTokens: 1, outputTokens: 1 };
  const arguments_ = { path: "notes.md", password: "hunter2-and-more" };
  const step = { step: 0, model: "a/b", text: "", finish: "tool_calls" as const, usage };
  const first = await storeIn(home, { redact });
  await first.log.append([
    messageReceived("note it"),
    { type: "turn.started", ...at, messages: [1] },
    { type: "step.finished", ...at, ...step, toolCalls: [{ ...call, arguments: arguments_ }] },
  ]);
  await first.close();
  const second = await storeIn(home, { redact });
  await second.log.append([
    { type: "tool.returned", ...at, ...call, outcome: "done", output: "written", durationMs: 12 },
  ]);
  await second.close();
  const lines = (await readFile(join(home, "audit", today), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toMatchObject({ tool: "write", input: { path: "notes.md" }, output: "written", durationMs: 12 });
  expect(JSON.stringify(lines)).not.toContain("hunter2-and-more");
});

test("secrets in the arguments of a call are in neither transcript nor audit log, and exactly in the event log", async () => {
  const home = await temporaryFolder();
  const store = await storeIn(home, { redact });
  const call = { callId: "c1", tool: "shell" };
  const arguments_ = { command: "curl -u me:Sunshine41 example.org", password: "marmalade", note: "hunter2-and-more" };
  const at = { conversation, turn: "t1" };
  await store.log.append([
    {
      type: "step.finished",
      ...at,
      step: 0,
      model: "own/one",
      text: "I try.",
      toolCalls: [{ ...call, arguments: arguments_ }],
      providerState: { echo: "hunter2-and-more" },
      finish: "tool_calls",
      usage: { inputTokens: 1, outputTokens: 1 },
    },
    {
      type: "approval.asked",
      ...at,
      ...call,
      approvalId: "a1",
      arguments: arguments_,
      binding: "b".repeat(64),
      display: "$ curl -u me:Sunshine41 example.org",
      rule: "shell",
      reason: "it reaches the network",
      expiresAtMs: 1,
    },
    { type: "tool.sent", ...at, ...call, claim: { password: "marmalade" } },
  ]);
  await store.flush();
  const secret = /Sunshine41|marmalade|hunter2/;
  expect(await readFile(transcript(home), "utf8")).not.toMatch(secret);
  expect(await readFile(join(home, "audit", today), "utf8")).not.toMatch(secret);
  expect(await store.log.since(0, 10)).toMatchObject([
    { toolCalls: [{ arguments: arguments_ }] },
    { arguments: arguments_ },
    {},
  ]);
});

test("a folder that cannot be written is reported and the copy is caught up when it can be again", async () => {
  const home = await temporaryFolder();
  const troubles: string[] = [];
  await writeFile(join(home, "audit-blocker"), "");
  const store = await storeIn(home, { onTrouble: (message) => troubles.push(message) });
  await store.flush();
  const { rename, rm } = await import("node:fs/promises");
  await rm(join(home, "data", "sessions"), { recursive: true, force: true });
  await rename(join(home, "audit-blocker"), join(home, "data", "sessions"));
  await store.log.append([messageReceived("kept")]);
  await store.flush();
  expect(troubles).toContain("The transcripts could not be written and will be caught up later.");
  await rm(join(home, "data", "sessions"));
  await store.flush();
  expect(await seqs(transcript(home))).toEqual([1]);
});

// as if the process had died after writing the file and before remembering that it did
async function forgetCursor(home: string, name: string): Promise<void> {
  const { openSqliteDatabase } = await import("../database/sqlite-database.ts");
  const database = openSqliteDatabase(join(home, "data", "steward.db"));
  await writeCursor(database, name, { seq: 0, detail: "" });
  await database.close();
}
