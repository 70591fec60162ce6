import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesRoom } from "../../src/tools/files/files-room.ts";
import { undoRoom } from "../../src/tools/undo/undo-room.ts";
import { openAssistant } from "../scenes/assistant.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

type Call = { tool: string; arguments: Record<string, unknown> };

async function doing(calls: readonly Call[]) {
  const other = await temporaryFolder();
  const [books, drafts] = [join(other, "books"), join(other, "drafts")];
  for (const folder of [books, drafts]) await mkdir(folder);
  await writeFile(join(books, "list.txt"), "Emma\nUlysses\n");
  await writeFile(join(books, ".env"), "KEY=1\n");
  const named = (text: unknown) => String(text).replace("BOOKS", books).replace("DRAFTS", drafts);
  const steps = calls.map(({ tool, arguments: args }) => ({
    text: "",
    calls: [{ tool, arguments: "path" in args ? { ...args, path: named(args.path) } : args }],
  }));
  const assistant = await openAssistant({
    model: scriptedModel([...steps, { text: "done" }]),
    rooms: [filesRoom, undoRoom],
    settings: { guard: { mode: "auto" }, sandbox: { readDirs: [books], writeDirs: [drafts] } },
  });
  await assistant.say("go");
  await assistant.until("turn.finished");
  const returned = await assistant.until("tool.returned", calls.length);
  return { assistant, drafts, books, returned, outputs: returned.map(({ output }) => output) };
}

test("file tools work in the folders that the owner has opened", async () => {
  const { outputs, returned, drafts, books, assistant } = await doing([
    { tool: "read", arguments: { path: "BOOKS/list.txt" } },
    { tool: "grep", arguments: { pattern: "Emma", path: "BOOKS" } },
    { tool: "find", arguments: { pattern: "*.txt", path: "BOOKS" } },
    { tool: "write", arguments: { path: "DRAFTS/new/a.txt", content: "one\n" } },
    { tool: "edit", arguments: { path: "DRAFTS/new/a.txt", edits: [{ oldText: "one", newText: "two" }] } },
    { tool: "list", arguments: { path: "DRAFTS/new" } },
    { tool: "write", arguments: { path: "new/a.txt", content: "in the workspace\n" } },
    { tool: "read", arguments: { path: "new/a.txt" } },
  ]);
  expect(returned.map(({ outcome }) => outcome)).toEqual(Array(8).fill("done"));
  expect(outputs[0]).toContain("Ulysses");
  expect(outputs[1]).toContain(`${books}/list.txt`);
  expect(outputs[2]).toContain(`${books}/list.txt`);
  expect(returned[4]?.changes).toMatchObject([{ path: `${drafts}/new/a.txt` }]);
  expect(await readFile(join(drafts, "new/a.txt"), "utf8")).toBe("two\n");
  expect(await readFile(join(assistant.workspace, "new/a.txt"), "utf8")).toBe("in the workspace\n");
  expect(outputs[7]).toContain("in the workspace");
  // nobody vouches for what stands there
  expect(returned[0]?.labels).toEqual([`file:${books.toLowerCase()}/list.txt`]);
  await assistant.call("changes.undo", { sessionKey: returned[4]?.conversation, returned: returned[4]?.seq });
  expect(await readFile(join(drafts, "new/a.txt"), "utf8")).toBe("one\n");
});

test("what was opened for reading is not written, secrets stay closed, and everything else says how it is opened", async () => {
  const { outputs, returned } = await doing([
    { tool: "write", arguments: { path: "BOOKS/list.txt", content: "" } },
    { tool: "read", arguments: { path: "BOOKS/.env" } },
    { tool: "read", arguments: { path: "BOOKS/../other.txt" } },
    { tool: "read", arguments: { path: "/etc/hostname" } },
    { tool: "write", arguments: { path: "/etc/new", content: "" } },
  ]);
  expect(returned.map(({ outcome }) => outcome)).not.toContain("done");
  expect(outputs[0]).toContain("sandbox.writeDirs");
  expect(outputs[1]).toContain("holds secrets");
  expect(outputs[3]).toContain("sandbox.readDirs");
});
