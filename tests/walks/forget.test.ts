// A conversation that is deleted leaves no word in any file of ours, and the audit log still proves that nothing else was changed.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { orIfMissing } from "../../src/contract/failure.ts";
import type { RoomDefinition } from "../../src/contract/room/room.ts";
import { activityRoom } from "../../src/gateway/methods/methods-rooms.ts";
import { verifyAudit } from "../../src/store/audit/audit-verification.ts";
import { checkStore } from "../../src/store/doctor/check-store.ts";
import { readCursor } from "../../src/store/tables/cursors.ts";
import { listForgetting } from "../../src/store/tables/forgetting.ts";
import { browserRoom } from "../../src/tools/browser/browser-room.ts";
import { savePages } from "../../src/tools/browser/session/saved-pages.ts";
import { filesRoom } from "../../src/tools/files/files-room.ts";
import { blankAudit } from "../../src/tools/forget/blank-audit.ts";
import { forgetRoom } from "../../src/tools/forget/forget-room.ts";
import { type AssistantOptions, openAssistant } from "../scenes/assistant.ts";
import { eventually } from "../scenes/eventually.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { conversation, messageReceived, storeIn } from "../scenes/stores.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";
import { testTool } from "../scenes/tools.ts";

const word = "quincebramble";
const filesAndSearch = [filesRoom, activityRoom, browserRoom];

/** Every file of ours whose bytes hold the word; the workspace is the owner's. */
async function holding(home: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.startsWith(join(home, "workspace") + sep)) continue;
    // the file beside another that is about to take its place may be gone by now
    const bytes = await readFile(path).catch(orIfMissing(Buffer.alloc(0)));
    const spellings = [
      Buffer.from(word),
      Buffer.from(word, "utf16le"),
      Buffer.from(Buffer.from(word).toString("base64")),
    ];
    if (spellings.some((spelling) => bytes.includes(spelling))) found.push(path.slice(home.length + 1));
  }
  return found.sort();
}

const calls = [
  { tool: "write", arguments: { path: "plan.txt", content: `new ${word}` } },
  { tool: "note", arguments: { value: word } },
];

function assistantIn(options: Partial<AssistantOptions> = {}) {
  return openAssistant({
    model: scriptedModel((request) =>
      request.messages.at(-1)?.role === "user" && request.messages.length === 1
        ? { text: `I write ${word}`, calls }
        : { text: `done with ${word}` },
    ),
    tools: [testTool({ run: async (value) => `${value} ${"long ".repeat(50_000)} ${value}` })],
    rooms: [...filesAndSearch, forgetRoom],
    ...options,
  });
}

type Assistant = Awaited<ReturnType<typeof assistantIn>>;

/** A conversation with the word in everything that a conversation can leave behind. */
async function talk(assistant: Assistant): Promise<void> {
  await mkdir(assistant.workspace, { recursive: true });
  await writeFile(join(assistant.workspace, "plan.txt"), `old ${word}`);
  await assistant.call("chat.send", {
    sessionKey: conversation,
    message: `tell me of ${word}`,
    attachments: [
      { name: `${word}.txt`, mediaType: "text/plain", base64: Buffer.from(`own ${word}`).toString("base64") },
      { name: "shared.txt", mediaType: "text/plain", base64: Buffer.from(`shared ${word}`).toString("base64") },
    ],
  });
  const [asked] = await assistant.until("approval.asked");
  await assistant.call("exec.approve", { approvalId: asked?.approvalId });
  await assistant.until("turn.finished");
  await assistant.call("sessions.rename", { sessionKey: conversation, title: `About ${word}` });
  await assistant.call("sessions.search", { query: word, limit: 5 });
  await savePages(join(assistant.home, "data", "browser"), conversation, {
    url: `https://example.org/${word}`,
    cookies: [],
    origins: [],
  });
  await assistant.store.flush();
}

async function verdict({ home, store }: Pick<Assistant, "home" | "store">): Promise<readonly string[]> {
  await store.flush();
  return (await verifyAudit(join(home, "audit"), (await readCursor(store.database, "audit log")).detail)).problems;
}

test("no file holds a word of a deleted conversation, and the audit log still verifies", async () => {
  const assistant = await assistantIn();
  await talk(assistant);
  const before = new Set((await holding(assistant.home)).map((path) => path.replace(/(\/[^/]*)\/.*/, "$1")));
  const places = ["attachments", "browser", "checkpoints", "outputs", "sessions"].map((name) => `data/${name}`);
  expect([...before]).toEqual(expect.arrayContaining([...places, "data/steward.db-wal"]));
  expect([...before].some((path) => path.startsWith("audit/"))).toBe(true);
  expect(await verdict(assistant)).toEqual([]);
  await assistant.call("sessions.delete", { sessionKey: conversation });
  await assistant.until("conversation.forgotten");
  await eventually(() => holding(assistant.home), []);
  expect(await verdict(assistant)).toEqual([]);
  expect(assistant.troubles).toEqual([]);
  await assistant.close();
  expect(await holding(assistant.home)).toEqual([]);
  expect((await checkStore(assistant.home)).filter((finding) => !finding.ok)).toEqual([]);
});

test("what stays in the audit log says that something was done, when, by which tool and rule", async () => {
  const assistant = await assistantIn();
  await talk(assistant);
  await assistant.call("sessions.delete", { sessionKey: conversation });
  await assistant.until("conversation.forgotten");
  await assistant.store.flush();
  const lines = await auditLines(assistant.home);
  const asked = lines.find((line) => line.type === "approval.asked");
  expect(asked).toMatchObject({ tool: "write", rule: "effects", blank: true, conversation });
  expect(Object.keys(asked ?? {})).not.toContain("arguments");
  expect(lines.filter((line) => line.blank).every((line) => typeof line.at === "string")).toBe(true);
});

test("a file that another conversation speaks of stays", async () => {
  const assistant = await assistantIn();
  await talk(assistant);
  const shared = { name: "s.txt", mediaType: "text/plain", base64: Buffer.from(`shared ${word}`).toString("base64") };
  await assistant.call("chat.send", { sessionKey: "web--other", message: "keep", attachments: [shared] });
  await assistant.until("approval.asked", 2);
  await assistant.call("sessions.delete", { sessionKey: conversation });
  await assistant.until("conversation.forgotten");
  const attachments = (await holding(assistant.home)).filter((path) => path.startsWith("data/attachments"));
  expect(attachments).toHaveLength(1);
});

test("a deletion that was cut off is carried out at the next start, also one from before this was done", async () => {
  const home = await temporaryFolder();
  const first = await assistantIn({ home, rooms: filesAndSearch });
  await talk(first);
  await first.call("sessions.delete", { sessionKey: conversation });
  await first.close();
  expect((await holding(home)).length).toBeGreaterThan(3);
  const second = await assistantIn({ home });
  await second.until("conversation.forgotten");
  await eventually(() => holding(home), []);
  expect(await verdict(second)).toEqual([]);
});

test("a room that cannot forget keeps no other from it, is told of and asked again at the next start", async () => {
  const home = await temporaryFolder();
  const forgotten: string[] = [];
  const forgetting = (name: string, fails: boolean): RoomDefinition<unknown> => ({
    name,
    open: async () => ({
      async forget() {
        if (fails) throw new Error("the disk is read-only");
        forgotten.push(name);
      },
    }),
  });
  const first = await assistantIn({
    home,
    rooms: [...filesAndSearch, forgetting("broken", true), forgetting("whole", false), forgetRoom],
  });
  await talk(first);
  await first.call("sessions.delete", { sessionKey: conversation });
  await eventually(() => first.troubles.length > 0);
  expect(JSON.stringify(first.troubles)).toContain("removed at the next start");
  expect(forgotten).toEqual(["whole"]);
  expect(await holding(home)).toEqual([]);
  expect(await listForgetting(first.store.database)).toHaveLength(1);
  await first.close();
  const second = await assistantIn({ home, rooms: [...filesAndSearch, forgetting("broken", false), forgetRoom] });
  await eventually(async () => (await listForgetting(second.store.database)).length === 0);
  expect(forgotten).toEqual(["whole", "broken"]);
  expect(await verdict(second)).toEqual([]);
});

test("while another program reads the database, the deletion stays noted, and the next start carries it out", async () => {
  const home = await temporaryFolder();
  const first = await assistantIn({ home });
  await talk(first);
  const reader = new DatabaseSync(join(home, "data", "steward.db"), { readOnly: true });
  reader.exec("BEGIN; SELECT count(*) FROM events");
  await first.call("sessions.delete", { sessionKey: conversation });
  await eventually(() => first.troubles.length > 0);
  expect(await listForgetting(first.store.database)).toHaveLength(1);
  reader.close();
  await first.close();
  const second = await assistantIn({ home });
  await eventually(async () => (await listForgetting(second.store.database)).length === 0);
  expect(await holding(home)).toEqual([]);
  expect(second.troubles).toEqual([]);
});

test("what a deletion of an earlier version has left is removed after the update", async () => {
  const home = await temporaryFolder();
  const first = await assistantIn({ home, rooms: filesAndSearch });
  await talk(first);
  await first.call("sessions.delete", { sessionKey: conversation });
  // as that version left it; checkpoints go after a month, and the copy from before the update is the owner's
  await first.store.database.transaction(true, async (tx) => {
    await tx.query("DELETE FROM cursors WHERE name LIKE 'forgetting %'");
    await tx.query("DELETE FROM schema_versions WHERE version > 5");
    await tx.query("ALTER TABLE inbox DROP COLUMN alone");
    for (const column of ["told_bits", "told_day", "budget_usd", "spoken_seq"])
      await tx.query(`ALTER TABLE conversations DROP COLUMN ${column}`);
    for (const column of ["asks", "sent", "sending"]) await tx.query(`ALTER TABLE outbox DROP COLUMN ${column}`);
    const channels = ["chats", "allowed_people", "chat_groups", "shown_questions", "shown_drafts", "channel_notes"];
    const tasks = ["tasks", "task_runs", "task_wakes", "task_hooks", "heartbeat_notes", "jobs"];
    for (const table of [...tasks, ...channels]) await tx.query(`DROP TABLE ${table}`);
    await tx.query("ALTER TABLE file_labels DROP COLUMN stamp");
    await tx.query("ALTER TABLE usage RENAME COLUMN quarter TO day");
  });
  await first.close();
  const second = await assistantIn({ home, nowMs: () => Date.now() + 40 * 86_400_000 });
  await second.until("conversation.forgotten");
  const left = await eventually(
    async () => (await holding(home)).filter((path) => !path.includes("checkpoints") && !path.endsWith(".bak")),
    [],
  );
  expect(left).toEqual([]);
  expect(await verdict(second)).toEqual([]);
});

test("a conversation that goes on under the same key loses nothing", async () => {
  const assistant = await assistantIn();
  await talk(assistant);
  await assistant.call("sessions.delete", { sessionKey: conversation });
  await assistant.say("hello plum");
  await assistant.until("conversation.forgotten");
  await assistant.until("approval.asked", 2);
  await assistant.store.flush();
  const lines = await auditLines(assistant.home);
  expect(lines.find((line) => line.text === "hello plum")).not.toHaveProperty("blank");
  expect(await verdict(assistant)).toEqual([]);
});

describe("after a deletion", () => {
  async function afterDeletion() {
    const home = await temporaryFolder();
    const assistant = await assistantIn({ home });
    await talk(assistant);
    await assistant.say("an ordinary plum", "web--other");
    await assistant.until("approval.asked", 2);
    await assistant.call("sessions.delete", { sessionKey: conversation });
    await assistant.until("conversation.forgotten");
    await assistant.store.flush();
    const [file = ""] = await readdir(join(home, "audit"));
    const path = join(home, "audit", file);
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    const withLines = async (changed: readonly string[]) => {
      await writeFile(path, `${changed.join("\n")}\n`);
      return verdict(assistant);
    };
    return { lines, withLines };
  }

  test("every line that is changed, removed or emptied is found, blank or not", async () => {
    const { lines, withLines } = await afterDeletion();
    expect(await withLines(lines)).toEqual([]);
    for (const [at, line] of lines.entries()) {
      const parsed = JSON.parse(line) as { at: string };
      expect(await withLines(lines.with(at, line.replace(parsed.at, "2020-01-01T00:00:00.000Z")))).not.toEqual([]);
      expect(await withLines(lines.toSpliced(at, 1))).not.toEqual([]);
      if (!line.includes('"blank":true'))
        expect(await withLines(lines.with(at, line.replace(/,"previous"/, ',"blank":true,"previous"')))).not.toEqual(
          [],
        );
    }
  });
});

test("lines written before there was a salt still verify, and their words go too", async () => {
  const home = await temporaryFolder();
  await mkdir(join(home, "audit"), { recursive: true });
  const store = await storeIn(home);
  await store.log.append([messageReceived(`an old ${word}`)]);
  await store.flush();
  const [file = ""] = await readdir(join(home, "audit"));
  const path = join(home, "audit", file);
  const { salt: _, hash: __, ...entry } = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  const text = JSON.stringify(entry);
  const hash = createHash("sha256").update(text).digest("hex");
  await writeFile(path, `${text.slice(0, -1)},"hash":"${hash}"}\n`);
  const headText = JSON.stringify({ seq: 1, hash, file });
  expect(await verifyAudit(join(home, "audit"), headText)).toEqual({ lines: 1, problems: [] });
  const [blanked] = await blankAudit(join(home, "audit"), [{ key: conversation, throughSeq: 2 }]);
  expect(blanked).toMatchObject({ lines: 1 });
  expect(await readFile(path, "utf8")).not.toContain(word);
  expect(await blankAudit(join(home, "audit"), [{ key: conversation, throughSeq: 2 }])).toEqual([blanked]);
});

async function auditLines(home: string): Promise<Record<string, unknown>[]> {
  const [file = ""] = await readdir(join(home, "audit"));
  const text = await readFile(join(home, "audit", file), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
