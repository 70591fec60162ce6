import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../../../tests/scenes/eventually.ts";
import { openScene, type Scene } from "../../../../tests/scenes/workspace-scene.ts";
import { grepTool } from "../grep-tool.ts";
import { openSearchThreads, type SearchInThreads } from "./search-threads.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

async function grepWith(threads: SearchInThreads, pattern: string, signal?: AbortSignal) {
  const bound = grepTool(threads).bind({ pattern });
  if (!bound.ok) throw new Error(bound.message);
  return bound.call.run(scene.context(signal));
}

const openDescriptors = async () => (await readdir("/dev/fd")).length;

test("a thread serves one search after another, each with its own pattern", async () => {
  await scene.put("a.txt", "one\ntwo\n");
  const threads = openSearchThreads({ idleMs: 1000 });
  const outputs = [];
  for (const pattern of ["one", "two", "t.o"]) outputs.push((await grepWith(threads, pattern)).output);
  expect(outputs).toEqual(["a.txt\n1:one", "a.txt\n2:two", "a.txt\n2:two"]);
});

test("searches at the same time do not mix", async () => {
  for (let index = 0; index < 20; index++) await scene.put(`${index}/a.txt`, `word${index}end\n`);
  const threads = openSearchThreads({ idleMs: 1000 });
  const outputs = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => (await grepWith(threads, `word${index}end`)).output),
  );
  expect(outputs).toEqual(Array.from({ length: 20 }, (_, index) => `${index}/a.txt\n1:word${index}end`));
});

test("an idle thread ends by itself, and one that was stopped leaves no descriptor open", async () => {
  await scene.put("a/b/z.txt", `${"a".repeat(5000)}!\n`);
  const before = await openDescriptors();
  const threads = openSearchThreads({ idleMs: 50 });
  await grepWith(threads, "nothing");
  const stop = new AbortController();
  const running = grepWith(threads, "(a+)+$", stop.signal);
  setTimeout(() => stop.abort(), 300);
  await running;
  await eventually(async () => (await openDescriptors()) <= before);
});

test("a waiting thread keeps no program alive", async () => {
  await scene.put("a.txt", "needle");
  const program = `
    import { fileToolsIn } from ${JSON.stringify(new URL("../../../../tests/scenes/tools/file-tools-in.ts", import.meta.url))};
    const bound = fileToolsIn(${JSON.stringify(scene.data)}).find(({ name }) => name === "grep").bind({ pattern: "needle" });
    const signal = new AbortController().signal;
    console.log((await bound.call.run({ workspace: ${JSON.stringify(scene.workspace)}, signal })).output);
    console.log(process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap").join());`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  const [, match, keptAliveBy] = stdout.split("\n");
  expect([match, keptAliveBy]).toEqual(["1:needle", ""]);
});
