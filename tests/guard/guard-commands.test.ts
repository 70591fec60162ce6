import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const lines = (output: string) =>
  output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("steward guard shell judges a line of JSON each", async () => {
  const home = await temporaryFolder();
  const workspace = join(home, "w");
  await mkdir(workspace);
  await symlink("/etc", join(workspace, "link"));
  const input = [
    { id: "a", command: "ls -la" },
    { id: 2, command: "cat link/passwd" },
    { id: "c", command: "somethingelse" },
    { id: "d", command: "echo $(" },
  ];
  const { code, output } = await runSteward({
    home,
    args: ["guard", "shell", "--workspace", workspace],
    input: `${input.map((line) => JSON.stringify(line)).join("\n")}\nnot json\n`,
  });
  expect(code).toBe(0);
  expect(lines(output).map(({ id, verdict }) => [id, verdict])).toEqual([
    ["a", "allow"],
    [2, "deny"],
    ["c", "ask"],
    ["d", "deny"],
    [null, "deny"],
  ]);
  expect(lines(output)[1]).toMatchObject({
    rule: "path",
    reason: expect.stringContaining("leads out of the workspace, or nowhere"),
  });
});

test("steward guard explain tells a person why", async () => {
  const home = await temporaryFolder();
  const { code, output } = await runSteward({ home, args: ["guard", "explain", "--workspace", home, "rm -rf /"] });
  expect([code, output]).toEqual([1, expect.stringContaining("outside the workspace")]);
});

test("steward guard explain counts the folders that the settings open, as the guard itself does", async () => {
  const home = await temporaryFolder();
  await writeFile(join(home, "config.json"), JSON.stringify({ sandbox: { readDirs: ["/usr/share"] } }));
  const { code } = await runSteward({ home, args: ["guard", "explain", "--workspace", home, "ls /usr/share"] });
  expect(code).toBe(0);
});

test.each([
  ["rm a.txt", 1, "Needs your approval"],
  ["touch a.txt", 1, "Needs your approval"],
  ["curl -s https://example.com", 1, "Needs your approval"],
  ["cat .env", 1, "Refused"],
  ["ls -la", 0, "Allowed"],
])("steward guard explain says what will happen to %s", async (command, code, opening) => {
  const home = await temporaryFolder();
  const explained = await runSteward({ home, args: ["guard", "explain", "--workspace", home, command] });
  expect([explained.code, explained.output]).toEqual([code, expect.stringContaining(`${opening}: ${command}`)]);
});

test("steward guard explain follows the mode, and says when it is asked about all the same", async () => {
  const home = await temporaryFolder();
  await writeFile(join(home, "config.json"), JSON.stringify({ guard: { mode: "auto" } }));
  const { code, output } = await runSteward({ home, args: ["guard", "explain", "--workspace", home, "touch a.txt"] });
  expect([code, output]).toEqual([0, expect.stringContaining("Once the conversation holds text of others")]);
});

test.each([
  ["touch a.txt", {}, "not from files and programs here"],
  ["touch a.txt", { sandbox: { allowedHosts: ["example.org"] } }, "that you have not written or vouched for"],
  ["ls", { sandbox: { allowedHosts: ["example.org"] } }, "that you have not written or vouched for"],
])("steward guard explain says of %s with %j which words make it ask", async (command, settings, words) => {
  const home = await temporaryFolder();
  await writeFile(join(home, "config.json"), JSON.stringify({ guard: { mode: "auto" }, ...settings }));
  const { output } = await runSteward({ home, args: ["guard", "explain", "--workspace", home, command] });
  expect(output).toContain(words);
});

test("steward guard redact masks what it knows and what it is told", async () => {
  const home = await temporaryFolder();
  await writeFile(join(home, "known"), "my-own-passphrase\n");
  const token = `ghp_${"a1B2".repeat(9)}`;
  const { output } = await runSteward({
    home,
    args: ["guard", "redact", "--known", join(home, "known")],
    input: `say ${token} and my-own-passphrase to nobody\n`,
  });
  expect(output).toMatch(/^say ghp_…\[redacted:github-token\] and \S*\[redacted\S*\] to nobody\n$/);
});

test("steward guard url runs the real fetch code on made-up answers", async () => {
  const home = await temporaryFolder();
  const cases = [
    { id: 1, url: "http://public.example/", dns: { "public.example": [["93.184.216.34"]] } },
    { id: 2, url: "http://inner.example/", dns: { "inner.example": [["10.0.0.1"]] } },
    {
      id: 3,
      url: "http://public.example/a",
      dns: { "public.example": [["93.184.216.34"]] },
      redirects: { "http://public.example/a": "http://169.254.169.254/" },
    },
  ];
  const { output } = await runSteward({
    home,
    args: ["guard", "url"],
    input: `${cases.map((each) => JSON.stringify(each)).join("\n")}\n`,
  });
  expect(lines(output)).toMatchObject([
    { id: 1, verdict: "fetch", connected: ["93.184.216.34"] },
    { id: 2, verdict: "refuse", connected: [] },
    { id: 3, verdict: "refuse", connected: ["93.184.216.34"] },
  ]);
});

test("steward audit verify finds a changed line and says which", async () => {
  const home = await temporaryFolder();
  await runSteward({ home, args: ["ask", "hello"] });
  expect((await runSteward({ home, args: ["audit", "verify"] })).code).toBe(0);
  const file = join(home, "audit", `${new Date().toISOString().slice(0, 10)}.jsonl`);
  await writeFile(file, (await readFile(file, "utf8")).replace('"hello"', '"hullo"'));
  const { code, output } = await runSteward({ home, args: ["audit", "verify"] });
  expect([code, output]).toEqual([1, expect.stringContaining("line 1 was changed")]);
});
