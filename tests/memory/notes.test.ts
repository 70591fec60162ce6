// Notes as they are edited on the page: nobody's words are overwritten unseen, and every change can be looked at again.
import { chmod, link, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyAudit } from "../../src/store/audit/audit-verification.ts";
import { filesWith, forgetScene } from "../scenes/memory/forget-scene.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { canMount, smallDisk } from "../scenes/small-disk.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

type Note = { text: string; version: string };
type Change = { by: string; before: string | null; after: string | null; sessionKey?: string };

async function notesScene(options: Parameters<typeof forgetScene>[0] = {}) {
  const assistant = await forgetScene(options);
  return {
    ...assistant,
    path: (name: string) => join(assistant.workspace, name),
    read: (path: string, version?: string) =>
      assistant.call("notes.read", { path, ...(version && { version }) }) as Promise<Note>,
    write: (path: string, text: string, version: string | null) =>
      assistant.call("notes.write", { path, text, version }) as Promise<{ version: string }>,
    history: async (path: string) =>
      ((await assistant.call("notes.history", { path })) as { changes: Change[] }).changes,
    list: async () =>
      ((await assistant.call("notes.list", {})) as { files: { path: string }[] }).files.map(({ path }) => path),
  };
}

test("the notes and the files that shape the assistant are listed, and nothing else of the workspace", async () => {
  const { path, list } = await notesScene();
  await mkdir(path("memory/people"), { recursive: true });
  for (const name of [
    "memory/2026-11-15.md",
    "memory/people/anna.md",
    "memory/photo.png",
    "memory/.hidden.md",
    "diary.md",
  ])
    await writeFile(path(name), "x");
  await symlink(path("diary.md"), path("memory/link.md"));
  const files = await list();
  expect(files).toEqual(
    expect.arrayContaining(["MEMORY.md", "SOUL.md", "memory/2026-11-15.md", "memory/people/anna.md"]),
  );
  for (const name of ["memory/photo.png", "memory/.hidden.md", "memory/link.md", "diary.md"])
    expect(files).not.toContain(name);
});

test("what was read is written back with its permissions, and the new text is what is read", async () => {
  const { path, read, write } = await notesScene();
  await chmod(path("MEMORY.md"), 0o640);
  const { version, text } = await read("MEMORY.md");
  const written = await write("MEMORY.md", `${text}\n- Zoé 🌰\n`, version);
  expect(await read("MEMORY.md")).toEqual({ text: `${text}\n- Zoé 🌰\n`, version: written.version, isNote: true });
  expect((await stat(path("MEMORY.md"))).mode & 0o777).toBe(0o640);
});

test("a note that was changed meanwhile is not overwritten, and whoever edits it is told", async () => {
  const { path, read, write } = await notesScene();
  const { version } = await read("MEMORY.md");
  await writeFile(path("MEMORY.md"), "by hand\n");
  await expect(write("MEMORY.md", "from the page\n", version)).rejects.toMatchObject({
    code: "conflict",
    message: "MEMORY.md was changed since you opened it. Open it again, and make your change there.",
  });
  await expect(write("MEMORY.md", "as if new\n", null)).rejects.toMatchObject({ code: "conflict" });
  await expect(write("memory/gone/a.md", "not there any more\n", version)).rejects.toMatchObject({ code: "conflict" });
  expect(await readFile(path("MEMORY.md"), "utf8")).toBe("by hand\n");
});

test("of two who write the same new note one is refused", async () => {
  const { write, path } = await notesScene();
  const results = await Promise.allSettled([write("memory/a/b.md", "one", null), write("memory/a/b.md", "two", null)]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(["one", "two"]).toContain(await readFile(path("memory/a/b.md"), "utf8"));
});

test.each([
  ...["../MEMORY.md", "/etc/passwd", "memory/../.env", "memory/x.txt", ".env", "memory/.git/a.md", "AGENTS.md/x.md"],
  ...["skills/a/SKILL.md", "memory/a\\b.md", "memory//a.md", "memory.md"],
])("%s is no note and is neither read nor written", async (name) => {
  const { read, write } = await notesScene();
  await expect(read(name)).rejects.toMatchObject({ code: "invalid" });
  await expect(write(name, "x", null)).rejects.toMatchObject({ code: "invalid" });
});

test("through a link, a second name or the owner's own lock nothing is written", async () => {
  const { path, read, write } = await notesScene();
  const outside = join(await temporaryFolder(), "outside.md");
  await writeFile(outside, "outside\n");
  await symlink(outside, path("memory/link.md"));
  await link(outside, path("memory/second.md"));
  await writeFile(path("memory/locked.md"), "outside\n");
  await chmod(path("memory/locked.md"), 0o444);
  const { version } = await read("memory/locked.md");
  for (const name of ["link", "second", "locked"])
    await expect(write(`memory/${name}.md`, "inside\n", version)).rejects.toMatchObject({ code: "failed" });
  await expect(read("memory/link.md")).rejects.toMatchObject({ code: "failed" });
  expect(await readFile(outside, "utf8")).toBe("outside\n");
});

test("what is no text is not shown, so that saving it cannot destroy it", async () => {
  const { path, read } = await notesScene();
  await writeFile(path("memory/raw.md"), Buffer.from([0xff, 0xfe, 0x41]));
  await expect(read("memory/raw.md")).rejects.toThrow("no UTF-8 text");
});

test("the history tells newest first who changed a note, and each version can be read and written back", async () => {
  const { read, write, history, say, until, call, path } = await notesScene({
    model: scriptedModel([
      { text: "", calls: [{ tool: "write", arguments: { path: "memory/m.md", content: "three\n" } }] },
      { text: "Done." },
    ]),
  });
  const one = await write("memory/m.md", "one\n", null);
  const two = await write("memory/m.md", "two\n", one.version);
  await say("write it");
  await until("turn.finished");
  const three = await read("memory/m.md");
  expect(await history("memory/m.md")).toMatchObject([
    { by: "assistant", sessionKey: "terminal--default", before: two.version, after: three.version },
    { by: "owner", before: one.version, after: two.version },
    { by: "owner", before: null, after: one.version },
  ]);
  expect((await read("memory/m.md", one.version)).text).toBe("one\n");
  await write("memory/m.md", "one\n", three.version);
  expect(await readFile(path("memory/m.md"), "utf8")).toBe("one\n");
  // the call's own undo sees that somebody else has been there
  expect(await call("changes.undo", { sessionKey: "terminal--default" })).toMatchObject({
    output: expect.stringContaining("something else has changed it since"),
  });
});

test("a version of another file is not handed out as one of this note", async () => {
  const { read, write } = await notesScene();
  const secret = await write("memory/other.md", "other\n", null);
  await write("memory/other.md", "changed\n", secret.version);
  await expect(read("MEMORY.md", secret.version)).rejects.toMatchObject({ code: "not_found" });
});

test("an edit of the owner is in the log and the audit log, without a word of it", async () => {
  const { write, until, home, store } = await notesScene();
  await write("memory/m.md", "quincebramble\n", null);
  expect(await until("note.written")).toMatchObject([{ path: "memory/m.md", before: null, by: { kind: "owner" } }]);
  await store.flush();
  expect((await filesWith("quincebramble", home)).map((file) => file.replace(/[0-9a-f]{64}/, "…"))).toEqual([
    ...["data/checkpoints/…", "workspace/memory/m.md"],
  ]);
  expect((await verifyAudit(join(home, "audit"), "")).problems).toEqual([]);
});

test.runIf(canMount)("on a full disk the note stays as it was, and the answer says so", async () => {
  const disk = await smallDisk(2_000);
  const { read, write } = await notesScene({ workspace: disk.folder });
  const { version, text } = await read("MEMORY.md");
  disk.fill();
  await expect(write("MEMORY.md", "long ".repeat(20_000), version)).rejects.toThrow("the disk is full");
  expect(await read("MEMORY.md")).toEqual({ text, version, isNote: true });
});
