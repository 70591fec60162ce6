import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const run = promisify(execFile);

/** What a real bash offers when Tab is pressed at the end of each line. */
async function offeredByBash(home: string, lines: readonly string[]): Promise<string[][]> {
  const { code, output } = await runSteward({ home, args: ["completions", "bash"] });
  expect(code).toBe(0);
  const script = join(home, "steward.bash");
  await writeFile(script, output);
  const asks = lines.map((line) => {
    const words = line.split(" ").map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _steward; echo "\${COMPREPLY[*]}"`;
  });
  const { stdout } = await run("bash", ["--norc", "-euc", `source "$0"\n${asks.join("\n")}`, script], {
    env: { PATH: process.env.PATH ?? "", STEWARD_HOME: home },
  });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "));
}

test("bash completes commands, options, choices, settings and conversations", async () => {
  const home = await temporaryFolder();
  const sessions = join(home, "data", "sessions");
  await mkdir(sessions, { recursive: true });
  for (const name of ["terminal--work.jsonl", "telegram--42.jsonl", "$(touch owned).jsonl"])
    await writeFile(join(sessions, name), "");
  const offered = await offeredByBash(home, [
    "steward st",
    "steward token create --scope ",
    "steward status --",
    "steward config get agent.n",
    "steward config set agent.name ",
    "steward ask --session ",
    "steward completions ",
    "steward tasks p",
    "steward tasks add --missed ",
    "steward tasks edit --deliver-to tele",
    "steward ask token ",
  ]);
  expect(offered).toEqual([
    ["status", "stop"],
    ["owner", "read", "approve", "task"],
    ["--json", "--help"],
    ["agent.name"],
    ["--json", "--help"],
    ["telegram--42", "terminal--work", "work"],
    ["bash", "zsh", "fish"],
    ["pause", "preview"],
    ["once", "all", "skip"],
    ["telegram--42"],
    ["--session", "--model", "--json", "--help"],
  ]);
});

test.each(["zsh", "fish"])("the script for %s names every command and no quote in it is left open", async (shell) => {
  const { code, output } = await runSteward({ home: await temporaryFolder(), args: ["completions", shell] });
  expect(code).toBe(0);
  for (const name of ["ask", "token", "create", "scope", "owner", "agent.model"]) expect(output).toContain(name);
  const apart = output
    .split("\n")
    .filter((line) => !line.startsWith("#") && line.replaceAll("\\'", "").split("'").length % 2 === 0);
  expect(apart).toEqual([]);
});

test("a shell that there is not is told with the one that was meant", async () => {
  const { code, errors } = await runSteward({ home: await temporaryFolder(), args: ["completions", "bsh"] });
  expect(code).toBe(2);
  expect(errors).toContain("Did you mean bash? What there is: steward completions --help");
});
