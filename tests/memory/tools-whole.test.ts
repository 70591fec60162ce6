// The tools over the memory itself: what was just said or written down is found, opened, and gone when it is forgotten.
import { expect, test } from "vitest";
import { openMemoryScene } from "../scenes/memory/memory-tools-scene.ts";

const search = (query: string) => ({ tool: "memory_search", arguments: { query } });

test("what was remembered is found at once, opened where it stands, and gone once it is forgotten", async () => {
  const { turn, asks, answer, note } = await openMemoryScene();
  await turn([{ tool: "remember", arguments: { text: "The plumber is called Quincebramble." } }]);
  const found = await turn([search("plumber Quincebramble")], "who?");
  const [, line] = /MEMORY\.md, lines? (\d+)/.exec(found) ?? [];
  expect(found).toContain("The plumber is called Quincebramble.");
  const around = { tool: "memory_get", arguments: { path: "MEMORY.md", startLine: Number(line) } };
  expect(await turn([around], "show it")).toContain("The plumber is called Quincebramble.");
  const asked = await asks([{ tool: "forget", arguments: { about: "Quincebramble" } }], "forget it");
  expect(asked.display).toMatch(/MEMORY\.md, line \d+: - 2026-11-15: The plumber is called Quincebramble\./);
  await answer(asked, true);
  expect(await note()).not.toContain("Quincebramble");
  expect(await turn([search("plumber")], "who was it?")).not.toMatch(/MEMORY\.md.*\n.*Quincebramble/);
});

test("what was said in another conversation is found with its number, and opened by it", async () => {
  const { turn } = await openMemoryScene();
  await turn([], "My sister Zoe plays the bassoon.", "web--one");
  const found = await turn([search("bassoon sister")], "who plays it?", "web--two");
  const [, session, seq] = /conversation (web--one), messages? (\d+)/.exec(found) ?? [];
  const opened = await turn([{ tool: "memory_get", arguments: { session, seq: Number(seq) } }], "show it", "web--two");
  expect(opened).toContain("My sister Zoe plays the bassoon.");
});

test("nothing outside of the notes can be opened by the memory", async () => {
  const { turn, write } = await openMemoryScene();
  await write("secret.md", "the code is 1234\n");
  for (const path of ["secret.md", "../config.json", "/etc/hosts", "AGENTS.md"])
    expect(await turn([{ tool: "memory_get", arguments: { path } }])).toContain(`There is nothing at ${path}`);
});
