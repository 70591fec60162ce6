// An attacker exchanges folders and files of the workspace with links that lead outside, while the file tools work.
import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ToolResult } from "../../../src/contract/tool.ts";
import { removeLeftovers } from "../../../src/tools/files/remove-leftovers.ts";
import { isLong } from "../../scenes/sample.ts";
import { fileToolsIn } from "../../scenes/tools/file-tools-in.ts";
import { type Exchange, startExchange } from "../../scenes/tools/rename-exchange.ts";

const secret = "only outside the workspace";
// both texts hold it, so that an edit would also succeed outside
const shared = "the same words";
const workers = 6;

let base: string;
let workspace: string;
let outside: string;
let exchanges: Exchange[];

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "steward-race-")));
  workspace = join(base, "workspace");
  outside = join(base, "outside");
  for (const folder of [join(workspace, "folder"), join(outside, "sub")]) await mkdir(folder, { recursive: true });
  await mkdir(join(workspace, "folder/sub"));
  await writeFile(join(workspace, "folder/file.txt"), `inside, ${shared}`);
  await mkdir(join(workspace, "pair"));
  await writeFile(join(outside, "file.txt"), `${secret}, ${shared}`);
  await writeFile(join(outside, "outside-marker.txt"), secret);
  await symlink(outside, join(workspace, "folder-link"));
  // once for the file, once for the link
  await mendPair();
  await mendPair();
  exchanges = [];
});

afterEach(async () => {
  await Promise.all(exchanges.map((exchange) => exchange.stop()));
  await rm(base, { recursive: true });
});

test("checking the real path before opening does lose against this attacker", async () => {
  await attack("folder", "folder-link");
  const deadlineMs = performance.now() + 100_000;
  let escaped = false;
  while (!escaped && performance.now() < deadlineMs) {
    for (let round = 0; round < 200 && !escaped; round++)
      escaped = readNaively("folder/file.txt")?.includes(secret) ?? false;
    await new Promise(setImmediate);
  }
  expect(escaped).toBe(true);
});

// the race is lost or won by chance: a quarter of the calls still meets both sides of it many times
const share = isLong ? 1 : 1 / 4;

test(`in ${11_000 * share} calls no file tool reads, makes or changes anything outside`, {
  timeout: 600_000,
}, async () => {
  const before = await picture(outside);
  await attack("folder", "folder-link");
  await attack("pair/single.txt", "pair/link");
  const seen = await callMany([
    ...repeat(3500, () => ["read", { path: "folder/file.txt" }]),
    ...repeat(2000, () => ["read", { path: "pair/single.txt" }]),
    ...repeat(1500, () => ["list", { path: "folder" }]),
    ...repeat(400, () => ["list", { depth: 3 }]),
    ...repeat(1000, (index) => ["write", { path: `folder/new-${index % 10}.txt`, content: "from the tool" }]),
    ...repeat(500, (index) => ["write", { path: `folder/made-${index % 10}/deep/new.txt`, content: "from the tool" }]),
    ...repeat(800, (index) => ["write", { path: "folder/file.txt", content: `inside ${index}, ${shared}` }]),
    ...repeat(500, () => ["edit", { path: "folder/file.txt", edits: [{ oldText: shared, newText: `${shared}!` }] }]),
    ...repeat(800, () => ["edit", { path: "pair/single.txt", edits: [{ oldText: shared, newText: `${shared}?` }] }]),
  ]);
  await removeLeftovers({ nowMs: () => Date.now() + 7_200_000 }, workspace);
  expect(await picture(outside)).toEqual(before);
  expect(seen.calls).toBe(11_000 * share);
  expect(seen.outputs.filter((output) => output.includes(secret) || output.includes("outside-marker"))).toEqual([]);
  // each tool met both sides of the exchange: otherwise the race did not take place
  for (const tool of ["read", "write", "edit", "list"]) {
    expect(seen.count(tool, "done"), `${tool} done`).toBeGreaterThan(0);
    expect(seen.count(tool, "failed"), `${tool} failed`).toBeGreaterThan(0);
  }
});

type Call = [tool: string, args: Record<string, unknown>];

async function attack(first: string, second: string): Promise<void> {
  exchanges.push(await startExchange(join(workspace, first), join(workspace, second)));
}

/** An edit may put its new file where the link stands at this moment: harmless, but then nothing is left to race for. */
async function mendPair(): Promise<void> {
  const pair = join(workspace, "pair");
  const entries = (await readdir(pair, { withFileTypes: true })).filter(({ name }) => !name.startsWith("."));
  const fresh = join(base, randomUUID());
  if (!entries.some((entry) => entry.isFile())) {
    await writeFile(fresh, `inside, ${shared}`);
    await rename(fresh, join(pair, "single.txt"));
  } else if (!entries.some((entry) => entry.isSymbolicLink())) {
    await symlink(join(outside, "file.txt"), fresh);
    await rename(fresh, join(pair, "link"));
  }
}

/** What many programs do: safe until somebody changes the path between the check and the opening. */
function readNaively(path: string): string | undefined {
  try {
    const real = realpathSync(join(workspace, path));
    if (!real.startsWith(`${workspace}/`)) return undefined;
    const descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return readFileSync(descriptor, "utf8");
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // the name was away or a link at this moment: no escape
    return undefined;
  }
}

function repeat(times: number, make: (index: number) => Call): Call[] {
  return Array.from({ length: times * share }, (_, index) => make(index));
}

/** Calls in a mixed order, several at once. */
async function callMany(calls: Call[]) {
  const tools = fileToolsIn(join(base, "data"));
  const results: { tool: string; result: ToolResult }[] = [];
  // 7919 shares no factor with the number of calls, so every call has its turn
  const mixed = calls.map((_, index) => calls[(index * 7919) % calls.length]);
  const signal = new AbortController().signal;
  const context = {
    conversation: "c",
    turn: "t",
    callId: "k",
    asker: { kind: "owner", id: "owner" } as const,
    workspace,
    signal,
    progress: () => {},
  };
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let call = mixed.pop(); call; call = mixed.pop()) {
        const [name, args] = call;
        const bound = tools.find((tool) => tool.name === name)?.bind(args);
        if (!bound?.ok) throw new Error(`${name} did not take its arguments`);
        results.push({ tool: name, result: await bound.call.run(context) });
        if (name === "edit") await mendPair();
      }
    }),
  );
  return {
    calls: results.length,
    outputs: results.map(({ result }) => result.output),
    count: (tool: string, outcome: string) =>
      results.filter((entry) => entry.tool === tool && entry.result.outcome === outcome).length,
  };
}

/** Every name below a folder with its content and the times that any change would move. */
async function picture(folder: string): Promise<unknown[]> {
  const names = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(
    [".", ...names].map(async (name) => {
      const path = join(folder, name);
      const stats = await stat(path);
      const content = stats.isFile() ? await readFile(path, "utf8") : undefined;
      return { name, content, inode: stats.ino, changedMs: stats.ctimeMs };
    }),
  );
}
