import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { CommandContext } from "../../contract/room/command.ts";
import { Settings } from "../../contract/settings.ts";
import { realWorld } from "../../contract/world.ts";
import { searchBatch } from "./search-batch.ts";

async function scene() {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "one"));
  await writeFile(join(folder, "one", "notes.md"), "# People\n\nAnna has a green bicycle.\n\nTom bakes bread.\n");
  await writeFile(join(folder, "beside.md"), "Anna has a red car.\n");
  let told = "";
  const write = (text: string) => {
    told += text;
    return true;
  };
  const context = {
    ...{ console: { output: { write }, errors: { write } }, world: realWorld },
    readSettings: async () => ({ path: "", settings: Settings.parse({}) }),
  } as unknown as CommandContext;
  return {
    folder,
    async batch(...queries: unknown[]) {
      told = "";
      const file = join(folder, "queries.jsonl");
      await writeFile(
        file,
        queries.map((query) => (typeof query === "string" ? query : JSON.stringify(query))).join("\n"),
      );
      await searchBatch(context, { file, folder, limit: undefined });
      return told
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
  };
}

test("each query is answered with its places, from the folder it names", async () => {
  const { batch } = await scene();
  const answers = await batch({ id: "1", q: "who has a bicycle?", conv: "one" }, { id: "2", q: "bread", conv: "one" });
  expect(answers).toMatchObject([
    { id: "1", results: [{ path: "notes.md", endLine: expect.any(Number) }] },
    { id: "2", results: [{ path: "notes.md" }] },
  ]);
  expect(answers[0].results[0].startLine).toBeLessThanOrEqual(3);
});

test.each(["..", ".", "../one", "a/b", ""])("the folder “%s” is none of those that may be named", async (conv) => {
  const { batch } = await scene();
  await expect(batch({ id: "1", q: "Anna", conv })).rejects.toThrow("Line 1 of");
});

test("a link leads nowhere, and what is no query is told with its line", async () => {
  const { batch, folder } = await scene();
  await symlink(tmpdir(), join(folder, "link"));
  await expect(batch({ id: "1", q: "Anna", conv: "link" })).rejects.toThrow("There is no folder");
  await expect(batch({ id: "1", q: "Anna", conv: "none" })).rejects.toThrow("There is no folder");
  await expect(batch({ id: "1", q: "Anna", conv: "one" }, "{no json")).rejects.toThrow("Line 2 of");
  expect(await readdir(folder)).not.toContain("data");
});
