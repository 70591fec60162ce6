import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { conversation, messageReceived, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { checkStore } from "./check-store.ts";
import { repairStore } from "./repair-store.ts";

const problemsIn = async (home: string) =>
  (await checkStore(home)).filter((finding) => !finding.ok).map((finding) => `${finding.name}: ${finding.detail}`);

async function talkIn(home: string, count = 4): Promise<void> {
  const store = await storeIn(home);
  for (let n = 0; n < count; n++) {
    const turn = `turn-${n}`;
    const { events } = await store.log.append([messageReceived(`hello ${n} ${"x".repeat(500)}`)]);
    await store.log.append([
      { type: "turn.started", conversation, turn, messages: events.map((event) => event.seq) },
      { type: "reply.written", conversation, turn, channel: "terminal", text: "hi", attachments: [] },
      { type: "turn.finished", conversation, turn, ending: "answered" },
    ]);
  }
  await store.close();
}

test("a folder that was never used is fine", async () => {
  expect(await problemsIn(await temporaryFolder())).toEqual([]);
});

test("a folder that was used is fine", async () => {
  const home = await temporaryFolder();
  await talkIn(home);
  expect(await problemsIn(home)).toEqual([]);
});

test("a transcript line that was cut is found, and the repair writes it again from the log", async () => {
  const home = await temporaryFolder();
  await talkIn(home);
  const path = join(home, "data", "sessions", `${conversation}.jsonl`);
  await truncate(path, (await readFile(path)).length - 10);
  expect(await problemsIn(home)).toEqual([`transcripts: ${conversation}.jsonl: its last line is cut off`]);
  await repairStore(home, Date.now());
  await (await storeIn(home)).close();
  expect(await problemsIn(home)).toEqual([]);
});

test("a damaged page is found, and the repair brings every message back from the transcripts", async () => {
  const home = await temporaryFolder();
  await talkIn(home, 200);
  const path = join(home, "data", "steward.db");
  const bytes = await readFile(path);
  // longer than what an index holds of it
  const leaf = bytes.indexOf(`hello 100 ${"x".repeat(100)}`);
  bytes.fill(0xee, leaf - (leaf % 4096), leaf - (leaf % 4096) + 4096);
  await writeFile(path, bytes);
  expect((await problemsIn(home))[0]).toContain("database: ");
  const repair = await repairStore(home, Date.now());
  expect([repair.events, repair.missing, repair.fromTranscripts > 0]).toEqual([800, [], true]);
  const store = await storeIn(home);
  expect(await store.log.latest(conversation, 1000)).toHaveLength(800);
  await store.close();
  expect(await problemsIn(home)).toEqual([]);
});

test("a message that a turn takes twice is found", async () => {
  const home = await temporaryFolder();
  const store = await storeIn(home);
  await store.log.append([messageReceived("once")]);
  for (const turn of ["a", "b"]) await store.log.append([{ type: "turn.started", conversation, turn, messages: [1] }]);
  await store.close();
  expect(await problemsIn(home)).toEqual(["log: message 1 is taken twice"]);
});

test("a table that disagrees with the log is found", async () => {
  const home = await temporaryFolder();
  await talkIn(home);
  const store = await storeIn(home);
  await store.database.transaction(true, (tx) =>
    tx.query("INSERT INTO inbox (seq, conversation, message_id) VALUES (99, 'x', 'y')"),
  );
  await store.close();
  expect(await problemsIn(home)).toEqual(["current state: table inbox differs from what the log says"]);
});

const auditOf = (home: string) => join(home, "audit", `${new Date().toISOString().slice(0, 10)}.jsonl`);
const changes: Record<string, (lines: string[]) => string[]> = {
  "an edited line": (lines) => lines.with(3, (lines[3] ?? "").replace("hi", "ho").replace("turn-0", "turn-9")),
  "a removed line": (lines) => lines.toSpliced(3, 1),
  "two lines that changed places": (lines) => lines.with(3, lines[4] ?? "").with(4, lines[3] ?? ""),
  "a cut end": (lines) => lines.slice(0, -1),
  "a repeated line": (lines) => lines.toSpliced(3, 0, lines[3] ?? ""),
};
for (const [what, change] of Object.entries(changes)) {
  test(`${what} in the audit log is found`, async () => {
    const home = await temporaryFolder();
    await talkIn(home);
    const lines = (await readFile(auditOf(home), "utf8")).trimEnd().split("\n");
    await writeFile(auditOf(home), `${change(lines).join("\n")}\n`);
    expect((await problemsIn(home)).join()).toContain("audit log: ");
  });
}
