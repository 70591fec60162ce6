import { readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

const args = { path: "a.txt", edits: [{ oldText: "old", newText: "new" }] };
const textOf = (path: string) => readFile(join(scene.workspace, path), "utf8");

test("an edit changes the file and shows what it did", async () => {
  await scene.put("a.txt", "first\nan old line\nlast\n");
  expect(await scene.call("edit", args)).toMatchObject({
    outcome: "done",
    output: 'Edited "a.txt": 1 replacement.\n-     2\tan old line\n+     2\tan new line',
    wrote: [{ path: "a.txt", replaced: false }],
  });
  expect(await textOf("a.txt")).toBe("first\nan new line\nlast\n");
  expect(await readdir(scene.workspace)).toEqual(["a.txt"]);
});

test("when one of several edits does not fit, the file stays as it was", async () => {
  await scene.put("a.txt", "old\n");
  const edits = [...args.edits, { oldText: "nowhere", newText: "x" }];
  expect(await scene.call("edit", { path: "a.txt", edits })).toMatchObject({ outcome: "failed" });
  expect(await textOf("a.txt")).toBe("old\n");
});

test.each([
  ["an empty list of edits", "old", { path: "a.txt", edits: [] }, "edits is empty"],
  [
    "edits that cancel each other",
    "old",
    { path: "a.txt", edits: [...args.edits, { oldText: "new", newText: "old" }] },
    "the edits cancel each other",
  ],
  ["a file that is not UTF-8", Buffer.from("old \xfc", "latin1"), args, "is not UTF-8 text"],
  ["a binary file", Buffer.from("old\0"), args, "is not UTF-8 text"],
  ["a file above 10 MB", "old ".repeat(2_700_000), args, "is larger than the 10485760 bytes"],
  ["a missing file", undefined, args, '"a.txt" does not exist'],
])("%s is refused and changes nothing", async (_, content, wanted, sentence) => {
  if (content !== undefined) await scene.put("a.txt", content);
  const names = await readdir(scene.workspace);
  const result = await scene.call("edit", wanted);
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining(sentence) });
  expect(await readdir(scene.workspace)).toEqual(names);
});

test("fifty edits of one file at once all count, however its path is written", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `<${index}>`);
  const path = await scene.put("dir/a.txt", names.join("\n"));
  const paths = ["dir/a.txt", "./dir/a.txt", "dir/./a.txt", path];
  const results = await Promise.all(
    names.map((name, index) =>
      scene.call("edit", { path: paths[index % 4], edits: [{ oldText: name, newText: name.toUpperCase().repeat(2) }] }),
    ),
  );
  expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  expect(await readFile(path, "utf8")).toBe(names.map((name) => name.repeat(2)).join("\n"));
});

test("a person approves every edit in full", () => {
  const edits = [
    { oldText: "a", newText: "b\n" },
    { oldText: "c", newText: "", all: true },
  ];
  expect(scene.bind("edit", { path: "a.txt", edits }).approvalText).toBe(
    "Edit a.txt\n\nReplace:\na\nwith:\nb\n\n\nReplace every:\nc\nwith:\n",
  );
});

test("a person is shown which lines go and which come", async () => {
  await scene.put("a.txt", "one\ntwo\nthree\n");
  const edit = scene.bind("edit", { path: "a.txt", edits: [{ oldText: "two\n", newText: "2\n" }] });
  expect(await edit.preview(scene.workspace)).toBe(
    "Edit a.txt: 1 line goes, 1 line comes (14 bytes before, 12 bytes afterwards)\n  one\n- two\n+ 2\n  three",
  );
  const misfit = scene.bind("edit", { path: "a.txt", edits: [{ oldText: "four", newText: "" }] });
  expect(await misfit.preview(scene.workspace)).toBeUndefined();
});

test("what was read with a mask can be changed, and the words behind the mask stay", async () => {
  const path = await scene.put("MEMORY.md", "- the wifi password is hunter2-and-more\n");
  const edits = [
    {
      oldText: "- the wifi password is [redacted:password]",
      newText: "- the wifi password is [redacted:password]\n- bins",
    },
  ];
  const { output } = await scene.call("edit", { path: "MEMORY.md", edits });
  expect([await readFile(path, "utf8"), output]).toEqual([
    "- the wifi password is hunter2-and-more\n- bins\n",
    expect.stringMatching(/^Edited/),
  ]);
});

test("after a crash the claim tells an edit that was made from one that was not, and from anything else", async () => {
  const path = await scene.put("a.txt", "old\n");
  const call = scene.bind("edit", args);
  // as another process finds it
  const claim: unknown = JSON.parse(JSON.stringify(await call.claim(scene.context())));
  expect(claim).toMatchObject({
    path: "a.txt",
    before: expect.stringMatching(/^[0-9a-f]{64}$/),
    after: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await call.recover(scene.context(), claim)).toEqual({ kind: "not started" });
  await call.run(scene.context());
  expect(await call.recover(scene.context(), claim)).toEqual({
    kind: "finished",
    result: {
      outcome: "done",
      output: 'Edited "a.txt": the file already has its new content.',
      wrote: [{ path: "a.txt", replaced: false }],
      changes: [claim],
    },
  });
  await writeFile(path, "something else");
  expect(await call.recover(scene.context(), claim)).toEqual({ kind: "unknown" });
  await unlink(path);
  expect(await call.recover(scene.context(), claim)).toEqual({ kind: "unknown" });
});

test("the claim of an edit that does not fit promises nothing", async () => {
  const call = scene.bind("edit", args);
  const claim = await call.claim(scene.context());
  expect(claim).toEqual({ path: "a.txt" });
  expect(await call.recover(scene.context(), claim)).toEqual({ kind: "unknown" });
});
