import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "unbash";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBudget } from "../../src/guard/shell/budget.ts";
import { checkCommand, inspectCommand } from "../../src/guard/shell/check-command.ts";
import { expandWord } from "../../src/guard/shell/expand/expand-word.ts";
import { openChoices } from "../../src/guard/shell/expand/expansion.ts";
import type { Variable } from "../../src/guard/shell/expand/scope.ts";
import type { ShellPolicy } from "../../src/guard/shell/policy.ts";
import { type Generator, openGenerator } from "../corpora/shell/generate-script.ts";
import { sample } from "../scenes/sample.ts";
import { defaultPolicy } from "../scenes/shell-workspace.ts";

const seeds = sample(
  Array.from({ length: 2600 }, (_, at) => at + 1),
  400,
);
const wordSeeds = sample(
  Array.from({ length: 4000 }, (_, at) => at + 1),
  1_000,
);
let folder: string;
let policy: ShellPolicy;
let ran: Map<number, Set<string>>;
const scripts: string[] = [];

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "steward-fuzz-")));
  for (const name of ["work", "empty", "scripts"]) mkdirSync(join(folder, name));
  policy = defaultPolicy(join(folder, "work"));
  for (const seed of seeds) scripts.push(generate(openGenerator(seed), seed));
  ran = runInBash(folder, scripts);
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true }));

function generate(generator: Generator, seed: number): string {
  return seed % 3 === 0 ? generator.script("listed") : generator.script("made up");
}

/** Every name that is no keyword is caught: functions stand before builtins, and nothing is found on the PATH. */
function runInBash(home: string, sources: readonly string[]): Map<number, Set<string>> {
  for (const [at, source] of sources.entries()) writeFileSync(join(home, "scripts", String(at)), source);
  const caught = ["echo", "printf", "test", "true", "false", "pwd", "cd", ":", "eval", "source", "exec", "command"];
  const note = (name: string) => `builtin echo "$ID ${name}" >>"$LOG"`;
  writeFileSync(
    join(home, "catch"),
    `command_not_found_handle() { ${note("$1")}; return $((\${#1} % 2)); }\n${caught
      .map((name) => `function ${name} { ${note(name)}; }`)
      .join("\n")}\n`,
  );
  writeFileSync(
    join(home, "drive"),
    `cd "$1/work" || exit 1
export LOG="$1/log" BASH_ENV="$1/catch" PATH="$1/empty" FUNCNEST=50 ID
: >"$LOG"
ulimit -t 2
for ((ID = 0; ID < ${sources.length}; ID++)); do
  "$BASH" --norc --noprofile -c "$(<"$1/scripts/$ID")" </dev/null >/dev/null 2>&1
done
wait`,
  );
  const done = spawnSync("bash", ["--norc", "--noprofile", join(home, "drive"), home], {
    encoding: "utf8",
    timeout: 500_000,
  });
  expect(done.status, done.stderr).toBe(0);
  const names = new Map<number, Set<string>>();
  for (const line of readFileSync(join(home, "log"), "utf8").split("\n")) {
    const [id = "", name] = line.split(" ");
    if (name === undefined) continue;
    const known = names.get(Number(id)) ?? new Set();
    names.set(Number(id), known.add(name));
  }
  return names;
}

/** Random words, evaluated by the check and by bash in the same folder. */
test("the check expands words to the very arguments that bash would pass", () => {
  const words = wordSeeds.map((seed) => openGenerator(seed).word());
  for (const name of ["a1", "a2", "b1", ".hid", "c d", "x]y", "Zz"]) writeFileSync(join(policy.workspace, name), "");
  mkdirSync(join(policy.workspace, "sub"));
  writeFileSync(join(policy.workspace, "sub", "a1"), "");
  const inQuotes = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const printed = words.map((word) => `eval ${inQuotes(`printf '%s\\0' ${word}`)}; printf '\\1\\0'`);
  writeFileSync(join(folder, "words"), `x='a b* c'; y=foo.bar.txt; e=; l=(one 'two 2' '')\n${printed.join("\n")}`);
  const bash = spawnSync("bash", ["--norc", "--noprofile", join(folder, "words")], {
    cwd: policy.workspace,
    encoding: "utf8",
    env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
  });
  const expected = bash.stdout.split("\u0001\0").map((fields) => fields.split("\0").slice(0, -1));
  const wrong = words.flatMap((word, at) => {
    const fields = wordsOf(policy, word);
    const got = fields.length > 0 ? fields : [""];
    return got.some((field) => field === undefined) ||
      JSON.stringify(got.sort()) === JSON.stringify(expected[at]?.sort())
      ? []
      : [`${word} → ${JSON.stringify(got)}, bash ${JSON.stringify(expected[at])}`];
  });
  expect(wrong).toEqual([]);
  expect(words.filter((word) => wordsOf(policy, word).every((field) => field !== undefined)).length).toBeGreaterThan(
    words.length / 4,
  );
});

test("bash runs no command that the check has not seen, unless the check denies the script", () => {
  const unseen: string[] = [];
  let compared = 0;
  for (const [at, source] of scripts.entries()) {
    const { verdict, commands } = inspectCommand(policy, source);
    if (verdict.verdict === "deny") continue;
    compared++;
    for (const name of ran.get(at) ?? []) if (!commands.has(name)) unseen.push(`${name} in ${JSON.stringify(source)}`);
  }
  expect(unseen).toEqual([]);
  expect(compared).toBeGreaterThan(scripts.length / 2);
});

test("a script that is allowed runs listed commands only", () => {
  const listed = new Set([...policy.allowedCommands, "cd", "pwd", "false", ":"]);
  const escaped: string[] = [];
  let allowed = 0;
  for (const [at, source] of scripts.entries()) {
    if (checkCommand(policy, source).verdict !== "allow") continue;
    allowed++;
    for (const name of ran.get(at) ?? []) if (!listed.has(name)) escaped.push(`${name} in ${JSON.stringify(source)}`);
  }
  expect(escaped).toEqual([]);
  expect(allowed).toBeGreaterThan(scripts.length / 20);
});

function wordsOf(from: ShellPolicy, word: string): (string | undefined)[] {
  const script = parse(`x ${word}`);
  // where bash reports an error there is nothing to compare
  if (script.errors?.length || word.includes("$[")) return [undefined];
  const command = script.commands[0]?.command;
  const words = command?.type === "Command" ? command.args.filter((argument) => argument.type === "Word") : [];
  const expansion = {
    variables: new Map<string, Variable>([
      ["x", { kind: "values", values: [{ text: "a b* c" }] }],
      ["y", { kind: "values", values: [{ text: "foo.bar.txt" }] }],
      ["e", { kind: "values", values: [{ text: "" }] }],
      ["l", { kind: "list", values: [{ text: "one" }, { text: "two 2" }, { text: "" }] }],
    ]),
    choices: openChoices(),
    folder: from.workspace,
    listing: { list: from.files.readdir, exists: (path: string) => from.files.lstat(path) !== undefined },
    budget: openBudget(word),
  };
  return words
    .flatMap((each) => expandWord(expansion, each) ?? [])
    .map((field) => (field.kind === "text" ? field.text : undefined));
}

test("the scripts do run commands, so that the comparison means something", () => {
  const total = [...ran.values()].reduce((sum, names) => sum + names.size, 0);
  expect(total).toBeGreaterThan(scripts.length * 2);
});
