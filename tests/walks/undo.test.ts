import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runSteward, startModelProcess, writeSettings } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

async function scene() {
  const home = await temporaryFolder();
  const model = await startModelProcess();
  onTestFinished(() => model.stop());
  await writeSettings(home, model.port, { guard: { mode: "auto" } });
  const workspace = join(home, "workspace");
  await mkdir(workspace);
  await writeFile(join(workspace, "letter.txt"), "Dear Ann,\n");
  const call = (tool: string, args: Record<string, unknown>) =>
    runSteward({ home, args: ["ask", `TOOL:${tool}:${JSON.stringify(args)}END`] });
  const text = () => readFile(join(workspace, "letter.txt"), "utf8").catch(() => "gone");
  return { home, workspace, call, text, undo: () => runSteward({ home, args: ["undo"] }) };
}

test("what was written, edited and deleted is taken back one by one, in processes of their own", async () => {
  const { home, call, text, undo } = await scene();
  await call("edit", { path: "letter.txt", edits: [{ oldText: "Ann", newText: "Bob" }] });
  await call("write", { path: "letter.txt", content: "nothing of it is left" });
  await deleteLetter({ home, call });
  expect(await text()).toBe("gone");
  const seen: string[] = [];
  for (let times = 0; times < 3; times++) {
    await undo();
    seen.push(await text());
  }
  expect(seen).toEqual(["nothing of it is left", "Dear Bob,\n", "Dear Ann,\n"]);
  const nothing = await undo();
  expect([nothing.code, nothing.errors]).toEqual([1, "There is nothing to undo in this conversation.\n"]);
});

// deleting asks in every mode, so the answer is part of it
async function deleteLetter({ home, call }: Pick<Awaited<ReturnType<typeof scene>>, "home" | "call">): Promise<void> {
  const asked = await call("delete", { path: "letter.txt" });
  const id = /steward approve (\S+)/.exec(asked.errors + asked.output)?.[1] ?? "";
  await runSteward({ home, args: ["approve", id] });
}

test("a file that somebody changed since is left alone, and that is said", async () => {
  const { call, text, undo, workspace } = await scene();
  await call("write", { path: "letter.txt", content: "by the assistant" });
  await writeFile(join(workspace, "letter.txt"), "by the owner, later");
  const { output } = await undo();
  expect([await text(), output]).toEqual(["by the owner, later", expect.stringMatching(/left alone|changed/)]);
});

test("a file that was created is gone after the undo", async () => {
  const { call, undo, workspace } = await scene();
  await call("write", { path: "new/deep/file.txt", content: "hello" });
  await undo();
  expect(await stat(join(workspace, "new")).catch(() => "gone")).toBe("gone");
});
