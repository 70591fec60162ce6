import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ToolResult } from "../../contract/tool.ts";
import { cutLongOutput } from "./cut-long-output.ts";
import { type OutputStore, openOutputStore } from "./output-store.ts";
import { readOutputTool } from "./read-output-tool.ts";

const dayMs = 86_400_000;

let folder: string;
let nowMs: number;
let outputs: OutputStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "steward-outputs-"));
  nowMs = Date.now();
  outputs = openOutputStore({ folder, nowMs: () => nowMs });
});
afterEach(() => rm(folder, { recursive: true }));

function keep(text: string, labels: readonly string[] = []): Promise<string> {
  return outputs.keep({ conversation: "c1", text, labels });
}

async function read(args: Record<string, unknown>, conversation = "c1"): Promise<ToolResult> {
  const bound = readOutputTool(outputs).bind(args);
  if (!bound.ok) throw new Error(bound.message);
  const { signal } = new AbortController();
  return bound.call.run({
    conversation,
    turn: "t",
    callId: "k",
    asker: { kind: "owner", id: "owner" } as const,
    workspace: folder,
    signal,
    progress: () => {},
  });
}

test("an output is read part by part until its end", async () => {
  const text = Array.from({ length: 45_000 }, (_, at) => at % 10).join("");
  const handle = await keep(text);
  let whole = "";
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { output } = await read({ handle, offset });
    const more = /\n\[(\d+) more characters: go on with offset (\d+)\.\]$/.exec(output);
    whole += more ? output.slice(0, more.index) : output;
    offset = more ? Number(more[2]) : undefined;
  }
  expect(whole).toBe(text);
});

test("a character of two halves is never torn apart", async () => {
  const handle = await keep("a😀b😀c");
  expect((await read({ handle, offset: 0, limit: 2 })).output).toBe("a\n[6 more characters: go on with offset 1.]");
  expect((await read({ handle, offset: 2, limit: 2 })).output).toBe("😀b\n[3 more characters: go on with offset 4.]");
  expect((await read({ handle, offset: 4, limit: 9 })).output).toBe("😀c");
});

test("where the words come from is told again with every part", async () => {
  const handle = await keep("words of a page", ["web"]);
  expect(await read({ handle, offset: 6 })).toEqual({ outcome: "done", output: "of a page", labels: ["web"] });
});

test("another conversation cannot read it", async () => {
  const handle = await keep("private");
  expect(await read({ handle }, "c2")).toEqual({
    outcome: "failed",
    output: `There is no output "${handle}", or no longer. Run the tool again.`,
  });
});

test.each(["../secret", "out_0000000000000000", ""])("there is no output %j", async (handle) => {
  expect(await read({ handle })).toMatchObject({
    outcome: "failed",
    output: expect.stringContaining("There is no output"),
  });
});

test("an offset behind the end is refused with the length", async () => {
  const handle = await keep("abc");
  expect((await read({ handle, offset: 3 })).output).toBe(`"${handle}" has only 3 characters; there is none at 3.`);
});

test("after seven days an output can no longer be read, and the next one sweeps it away", async () => {
  const handle = await keep("old");
  nowMs += 7 * dayMs;
  expect((await read({ handle })).outcome).toBe("done");
  nowMs += 1000;
  expect((await read({ handle })).outcome).toBe("failed");
  const next = await keep("new");
  expect(await readdir(folder)).toEqual([next]);
});

test("only the owner's account can read the files", async () => {
  const handle = await keep("private");
  expect((await stat(join(folder, handle))).mode & 0o777).toBe(0o600);
});

test("a long output is cut in the middle, and its rest is found where the cut says", async () => {
  const text = Array.from({ length: 100_000 }, (_, at) => at % 10).join("");
  const cut = await cutLongOutput(outputs, { conversation: "c1", text, labels: [] }, 60_000);
  const found = /\n… \[40000 characters left out; read_output with handle (\S+) and offset (\d+) shows them\] …\n/.exec(
    cut,
  );
  if (!found) throw new Error("the cut does not say how to go on");
  const [whole, handle, offset] = found;
  const rest = await read({ handle, offset: Number(offset), limit: 40_000 });
  const tail = cut.slice(found.index + whole.length);
  expect(cut.slice(0, found.index) + rest.output.replace(/\n\[.*$/, "") + tail).toBe(text);
});

test("a short output stays as it is, and nothing is kept", async () => {
  expect(await cutLongOutput(outputs, { conversation: "c1", text: "short", labels: [] }, 60_000)).toBe("short");
  expect(await readdir(folder)).toEqual([]);
});

test("when the rest cannot be kept, the cut says so", async () => {
  const lost = openOutputStore({ folder: join(folder, "file", "below"), nowMs: () => nowMs });
  await writeFile(join(folder, "file"), "no folder");
  const cut = await cutLongOutput(lost, { conversation: "c1", text: "a".repeat(200), labels: [] }, 100);
  expect(cut).toContain("[100 characters left out; they could not be kept]");
});

test.each([
  { what: "an empty file", bytes: Buffer.alloc(0) },
  { what: "a file of zeros", bytes: Buffer.alloc(100) },
  { what: "a heading that is cut off", bytes: Buffer.from([200, 0, 0, 0, 0x7b]) },
  { what: "a heading that is none", bytes: Buffer.from([2, 0, 0, 0, 0x7b, 0x7d]) },
])("$what keeps no conversation from being forgotten, and goes itself", async ({ bytes }) => {
  const damaged = join(folder, "out_0000000000000000");
  await keep("private");
  const others = await outputs.keep({ conversation: "c2", text: "kept", labels: [] });
  await writeFile(damaged, bytes);
  await utimes(damaged, nowMs / 1000, nowMs / 1000);
  expect((await read({ handle: "out_0000000000000000" })).outcome).toBe("failed");
  await outputs.forget("c1", nowMs + 1);
  expect(await readdir(folder)).toEqual([others]);
});
