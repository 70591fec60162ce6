// What goes wrong around the index: a search answers with what there is, says so, and the notes are as they were.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startEmbeddingServer } from "../fakes/embedding-server.ts";
import { eventually } from "../scenes/eventually.ts";
import { memoryScene } from "../scenes/memory.ts";
import { openRandom, sample } from "../scenes/sample.ts";
import { canMount, smallDisk } from "../scenes/small-disk.ts";

const notes = {
  "MEMORY.md": "# Memory\n\n- 2026-11-03: the bins go out on Tuesday\n",
  "memory/garden.md": "We planted two apple trees behind the shed.\n",
};

describe("the index", () => {
  test("however a process ends while it reads, the next one finds everything", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `memory/n${at}.md`,
        Array.from({ length: 40 }, (__, line) => `Note ${at} of line ${line} tells of xylophone${at}x${line}.`).join(
          "\n\n",
        ),
      ]),
    );
    for (const killAfterMs of sample([250, 300, 350, 400, 450, 500, 600, 700, 800, 1_000, 1_200, 1_500], 3)) {
      const { home, workspace, memory } = await memoryScene(files);
      await searchAndDie(home, workspace, killAfterMs);
      // as long as there is more to read the next search goes on
      await eventually(async () => (await memory.search({}, "xylophone7x3")).finds.length > 0);
      await eventually(async () => (await memory.status({})).state === "ready");
      expect(await memory.status({})).toMatchObject({ units: 2_400, files: 60 });
      expect((await memory.search({}, "xylophone59x39")).finds[0]).toMatchObject({ path: "memory/n59.md" });
      expect(await readFile(join(workspace, "memory/n7.md"), "utf8")).toBe(files["memory/n7.md"]);
    }
  });

  test("with any bytes of its file changed, a search still answers", async () => {
    const random = openRandom();
    const { home, memory, reopen } = await memoryScene(notes);
    await memory.search({}, "bins");
    await memory.close();
    const path = join(home, "data/memory/own.db");
    const whole = await readFile(path);
    for (const _ of sample(Array.from({ length: 40 }), 6)) {
      const broken = Buffer.from(whole);
      const from = Math.floor(random() * broken.length);
      broken.fill(Math.floor(random() * 256), from, Math.min(broken.length, from + 1 + Math.floor(random() * 4_000)));
      await writeFile(path, random() < 0.3 ? broken.subarray(0, from) : broken);
      const next = reopen();
      expect((await next.search({}, "when do the bins go out?")).finds[0]).toMatchObject({ path: "MEMORY.md" });
      await next.close();
    }
  });

  if (canMount)
    test("on a full disk a search finds what was read before, and what is new once there is room", async () => {
      const disk = await smallDisk(3_000);
      const { memory, write } = await memoryScene(notes, {}, disk.folder);
      await memory.search({}, "bins");
      await write("memory/new.md", `The passport lies in the safe.\n\n${"words ".repeat(2_000)}`);
      disk.fill();
      const full = await memory.search({}, "when do the bins go out?");
      expect(full.finds[0]).toMatchObject({ path: "MEMORY.md" });
      expect(full.note).toContain("disk is full");
      disk.free();
      expect((await memory.search({}, "where is the passport?")).finds[0]).toMatchObject({ path: "memory/new.md" });
    });
});

describe("the embedder", () => {
  const choosing = (baseUrl: string, model = "nomic-embed-text") => ({
    embedder: { provider: "openai-compatible", baseUrl, model },
  });

  test("while its server is down the search goes by the built-in vectors and says why", async () => {
    const server = await startEmbeddingServer("ollama");
    const { memory, write } = await memoryScene(notes, choosing(server.baseUrl));
    server.faults.push({ kind: "used up" });
    await memory.search({}, "bins");
    await eventually(async () => (await memory.status({})).trouble?.includes("no credit left"));
    const { finds, note } = await memory.search({}, "when do the bins go out?");
    expect(finds[0]).toMatchObject({ path: "MEMORY.md" });
    expect(note).toBeUndefined();
    expect((await memory.status({})).embedder).toBe("builtin");
    await write("memory/more.md", "The tap drips.\n");
    expect((await memory.search({}, "which tap drips?")).finds[0]).toMatchObject({ path: "memory/more.md" });
  });

  test("when another one is chosen the old vectors serve until all of the new ones are there, also over a restart", async () => {
    const server = await startEmbeddingServer("ollama");
    const { memory, reopen } = await memoryScene(notes);
    await memory.search({}, "bins");
    await memory.close();
    server.faults.push({ kind: "used up" });
    const second = reopen(choosing(server.baseUrl));
    expect((await second.search({}, "when do the bins go out?")).finds[0]).toMatchObject({ path: "MEMORY.md" });
    expect((await second.status({})).embedder).toBe("builtin");
    await second.close();
    const third = reopen(choosing(server.baseUrl));
    await third.search({}, "bins");
    await eventually(async () => (await third.status({})).embedder === "openai-compatible: nomic-embed-text");
    expect(await third.status({})).toMatchObject({ withoutVector: 0, units: 2 });
    expect((await third.search({}, "apple trees")).finds[0]).toMatchObject({ path: "memory/garden.md" });
  });

  test("a text that was there before is not sent again when its file is written anew", async () => {
    const server = await startEmbeddingServer("ollama");
    const { memory, write } = await memoryScene(notes, choosing(server.baseUrl));
    await memory.search({}, "bins");
    await eventually(async () => (await memory.status({})).withoutVector === 0);
    const sent = () => server.requests.flatMap(({ texts }) => texts).filter((text) => text.includes("apple trees"));
    expect(sent()).toHaveLength(1);
    await write("memory/garden.md", "We planted two apple trees behind the shed.\n\nAnd a pear.\n");
    await memory.search({}, "pear");
    await eventually(async () => (await memory.status({})).withoutVector === 0);
    expect(sent()).toHaveLength(1);
  });
});

async function searchAndDie(home: string, workspace: string, afterMs: number): Promise<void> {
  const script = join(import.meta.dirname, "../scenes/memory/index-process.ts");
  const child = spawn(process.execPath, [script, join(home), workspace], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  await ended;
  clearTimeout(timer);
}
