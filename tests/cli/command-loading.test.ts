import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { runSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

// names every module that is loaded on the errors
const preload = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      process.stderr.write(url + "\\n");
      return next(url, context);
    },
  });
`)}`;

test.each([
  [["--version"]],
  [["--help"]],
  [["token", "create", "--help"]],
  [["guard", "--help"]],
  [["tasks", "add", "--help"]],
])("steward %s waits for no schema, no database and no chat", async (args) => {
  const { code, errors } = await runSteward({ home: await temporaryFolder(), args, preload });
  const loaded = await Promise.all(errors.split("\n").filter(Boolean).map(sourcesOf)).then((lists) => lists.flat());
  expect(code).toBe(0);
  expect(loaded).toContainEqual(expect.stringContaining("/src/cli/command-line.ts"));
  const heavy = /node:sqlite|\/zod\/|open-chat|\/src\/(agent|gateway|models|queue|tools)\/(?!.*-rooms?\.ts$)/;
  expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
});

/** What was built names each of its sources where it begins. */
async function sourcesOf(url: string): Promise<readonly string[]> {
  if (!url.startsWith("file:")) return [url];
  const text = await readFile(new URL(url), "utf8");
  return [url, ...[...text.matchAll(/^\/\/ (src\/.+)$/gm)].map(([, source]) => `/${source}`)];
}
