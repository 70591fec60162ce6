import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";
import { replaceFile } from "./replace-file.ts";
import { withNameInWorkspace } from "./workspace-files.ts";

const run = promisify(execFile);
const signal = new AbortController().signal;
const oldText = "old line\n".repeat(1000);

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

test("a file that something else changed since it was read is left alone", async () => {
  const path = await scene.put("a.txt", "first");
  const expected = await stat(path);
  await writeFile(path, "changed by a command");
  const content = Buffer.from("made from the first");
  const replaced = await withNameInWorkspace(scene, { path: "a.txt", access: "write" }, "refuse", (held) =>
    replaceFile(held, { content, expected, signal }),
  );
  expect(replaced).toEqual({
    changed: '"a.txt" was not written: something else changed it meanwhile. Read it again first.',
  });
  expect(await readFile(path, "utf8")).toBe("changed by a command");
  expect(await readdir(scene.workspace)).toEqual(["a.txt"]);
});

test("a file that came in between is never written over", async () => {
  const path = await scene.put("a.txt", "by hand");
  const content = Buffer.from("made for a new file");
  const replaced = await withNameInWorkspace(scene, { path: "a.txt", access: "write" }, "refuse", (held) =>
    replaceFile(held, { content, expected: "nothing", signal }),
  );
  expect(replaced).toHaveProperty("changed");
  expect(await readFile(path, "utf8")).toBe("by hand");
  expect(await readdir(scene.workspace)).toEqual(["a.txt"]);
});

test("a new file has one name only, so that it can be written again", async () => {
  await scene.call("write", { path: "a.txt", content: "new" });
  expect((await stat(join(scene.workspace, "a.txt"))).nlink).toBe(1);
});

test("a write above the system's file size limit leaves the old file whole", async () => {
  await scene.put("a.txt", oldText);
  const { stdout } = await run("bash", ["-c", 'ulimit -f 64; exec "$0" "$@"', process.execPath, ...largeWrite()]);
  expect(stdout).toContain('"a.txt" was not written: it would be larger than the system allows.');
  expect(await readdir(scene.workspace)).toEqual(["a.txt"]);
  expect(await readFile(join(scene.workspace, "a.txt"), "utf8")).toBe(oldText);
});

test.each((await canMount()) ? ["tmpfs"] : [])("a full disk (%s) leaves the old file whole", async (kind) => {
  const disk = join(scene.workspace, "disk");
  await mkdir(disk);
  await run("mount", ["-t", kind, "-o", "size=64k", kind, disk]);
  try {
    await scene.put("disk/a.txt", oldText);
    const results = [
      await scene.call("write", { path: "disk/a.txt", content: "x".repeat(200_000) }),
      await scene.call("edit", {
        path: "disk/a.txt",
        edits: [{ oldText: "old", newText: "x".repeat(100), all: true }],
      }),
      await scene.call("write", { path: "disk/new.txt", content: "x".repeat(200_000) }),
    ];
    expect(results.map(({ outcome, output }) => `${outcome} ${output}`)).toEqual(
      ["disk/a.txt", "disk/a.txt", "disk/new.txt"].map(
        (path) => `failed "${path}" was not written: the disk is full. Free some space and try again.`,
      ),
    );
    expect(await readdir(disk)).toEqual(["a.txt"]);
    expect(await readFile(join(disk, "a.txt"), "utf8")).toBe(oldText);
  } finally {
    await run("umount", [disk]);
  }
});

function largeWrite(): string[] {
  const program = `
    import { fileToolsIn } from ${JSON.stringify(new URL("../../../tests/scenes/tools/file-tools-in.ts", import.meta.url))};
    // the limit is told by a signal too, which would end the process
    process.on("SIGXFSZ", () => {});
    const write = fileToolsIn(${JSON.stringify(scene.data)}).find(({ name }) => name === "write");
    const bound = write.bind({ path: "a.txt", content: "x".repeat(200_000) });
    const signal = new AbortController().signal;
    console.log((await bound.call.run({ workspace: ${JSON.stringify(scene.workspace)}, signal })).output);`;
  return ["--input-type=module", "-e", program];
}

async function canMount(): Promise<boolean> {
  const folder = await openScene();
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.outside]);
    await run("umount", [folder.outside]);
    return true;
  } catch {
    // not root, or in a container without the right to mount; the size limit above shows the same
    return false;
  } finally {
    await folder.remove();
  }
}
