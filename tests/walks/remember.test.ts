import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

test("a password among the notes keeps nothing from being remembered or forgotten", async () => {
  const home = await temporaryFolder();
  await writeFile(join(home, "config.json"), JSON.stringify({ models: { probeLocal: false } }));
  await mkdir(join(home, "workspace"));
  const password = "- 2026-11-16: the wifi password is hunter2-and-more";
  await writeFile(join(home, "workspace", "MEMORY.md"), `# Memory\n\n${password}\n`);
  const lines = [
    "remember that the bins go out on Tuesday",
    "remember that the plumber is called Ann",
    "forget the bins",
    "what do you know about the plumber?",
  ];
  const { code, output } = await runSteward({ home, args: ["chat", "--plain"], input: `${lines.join("\n")}\n` });
  expect([code, output]).toEqual([0, expect.not.stringContaining("did not work")]);
  expect(output).toContain("I will remember: the plumber is called Ann");
  expect(output.slice(output.indexOf("Removed from your notes: “the bins go out on Tuesday”"))).toContain(
    "the plumber is called Ann",
  );
  const memory = await readFile(join(home, "workspace", "MEMORY.md"), "utf8");
  expect(memory.match(/^- .*$/gm)?.map((line) => line.slice("- 2026-11-16: ".length))).toEqual([
    "the wifi password is hunter2-and-more",
    "the plumber is called Ann",
  ]);
});
