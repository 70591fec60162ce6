// What the sandbox costs: the same everyday commands with and without it, in turn, as ratios of one run.
import { chmod, mkdir, realpath } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chooseSandbox } from "../src/tools/sandbox/choose-sandbox.ts";
import { openNoSandbox } from "../src/tools/sandbox/no-sandbox.ts";
import { type Sandbox, usualLimits } from "../src/tools/sandbox/sandbox.ts";
import { median } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { printReport } from "./measure/report.ts";

const everyday = [
  "ls -la src",
  "cat src/file-1.txt | head -50",
  "grep -rn 'line 77' src | wc -l",
  "find . -name '*.txt' | sort | tail -5",
  "wc -l src/*.txt | tail -1",
  "sed -n '10,20p' src/file-3.txt",
  "awk '{ sum += $2 } END { print sum }' src/file-2.txt",
  "sort -k2 -n src/file-4.txt | uniq | head",
  "diff src/file-1.txt src/file-2.txt | wc -l",
  "tar czf - src | tar tzf - | wc -l",
  "git status --short",
  "git log --oneline | head",
  "git diff HEAD~1 --stat",
  "git grep -n 'line 12' | wc -l",
  "git add -A && git commit --allow-empty -qm again",
  "git blame src/file-1.txt | tail -1",
  "cp src/file-1.txt copy.txt && mv copy.txt moved.txt && rm moved.txt",
  "mkdir -p deep/er && touch deep/er/file && rm -r deep",
  "sha256sum src/*.txt | md5sum",
  "base64 src/file-1.txt | base64 -d | cmp - src/file-1.txt",
  "gzip -9 -c src/all.txt | wc -c",
  "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; done | paste -sd+",
  "date && uname -a && id",
  "du -sh . && df -h . | tail -1",
  "perl -ne 'print if /9$/' src/file-5.txt | wc -l",
  'node -e \'console.log(require("fs").readdirSync("src").length)\'',
  "node -e 'let n = 0; for (let i = 0; i < 3e7; i++) n += i; console.log(n)'",
  "node --test quick-1.test.mjs | tail -8",
  'node -e \'for (const f of require("fs").readdirSync("src")) JSON.stringify(require("fs").readFileSync("src/" + f, "utf8").split("\\n"))\'',
  "node --test *.test.mjs | tail -8",
  "git archive HEAD | tar t | wc -l",
  "sort -R src/all.txt src/all.txt src/all.txt | sort -n | md5sum",
  "tar cf - src src src src | gzip -9 | wc -c",
  "xargs -n1 -P2 wc -c < list.txt | tail -1",
  "tr a-z A-Z < src/all.txt | cut -c1-20 | sort -u | wc -l",
];

const prepared = `
mkdir -p src && for f in 1 2 3 4 5 6 7 8; do i=0; while [ $i -lt 400 ]; do echo "line $i of file $f"; i=$((i+1)); done > src/file-$f.txt; done
cat src/file-*.txt src/file-*.txt > src/all.txt; ls src/*.txt > list.txt
for f in 1 2 3 4; do printf 'import { test } from "node:test";\\ntest("one", () => {});\\n' > quick-$f.test.mjs; done
git init -q -b main . && git config user.name bench && git config user.email bench@localhost
git add -A && git commit -qm one && echo more >> src/file-1.txt && git commit -qam two`;

await using folder = await benchFolder();
await chmod(folder.path, 0o755);
const stewardHome = join(await realpath(folder.path), "steward");
const workspace = join(stewardHome, "workspace");
await mkdir(workspace, { recursive: true });
const plain = openNoSandbox({ prlimit: undefined, temporaryFolder: tmpdir() });
await run(plain, prepared);
const sandbox = await realSandbox();
console.log(sandbox.describe());

const smallest = await compare(["true"], 40);
const whole = await compare(everyday, 7);
printReport([figure("bash -c true", smallest, 8), figure(`${everyday.length} everyday commands`, whole, 1.25)]);

type Times = { inside: number; outside: number };

function figure(what: string, { inside, outside }: Times, ratioAtMost: number) {
  return {
    what,
    value: inside,
    unit: "ms",
    against: { name: "no sandbox", value: outside },
    goal: { ratioAtMost },
  } as const;
}

/** The sum of each command's median. */
async function compare(commands: readonly string[], rounds: number): Promise<Times> {
  const sum: Times = { inside: 0, outside: 0 };
  for (const command of commands) {
    const inside: number[] = [];
    const outside: number[] = [];
    for (let round = 0; round < rounds; round++) {
      outside.push(await run(plain, command));
      inside.push(await run(sandbox, command));
    }
    sum.inside += median(inside);
    sum.outside += median(outside);
  }
  return sum;
}

async function run(by: Sandbox, script: string): Promise<number> {
  const node = dirname(process.execPath);
  const running = by.run({
    argv: ["/bin/bash", "-c", script],
    cwd: workspace,
    workspace,
    readOnly: node.startsWith("/usr") ? [] : [node],
    writable: [],
    environment: {
      PATH: `${node}:/usr/local/bin:/usr/bin:/bin`,
      // with root the repository changes hands when the sandbox first sees it
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
    },
    network: { kind: "none" },
    limits: usualLimits,
    signal: new AbortController().signal,
  });
  let text = "";
  for await (const piece of running.output) text += piece.text;
  const end = await running.finished;
  if (end.exitCode !== 0) throw new Error(`${by.name}: ${script}: ${end.notStarted ?? text}`);
  return end.durationMs;
}

async function realSandbox(): Promise<Sandbox> {
  const chosen = await chooseSandbox({
    settings: { kind: "auto", image: "", runtime: null, cpus: 1 },
    platform: process.platform,
    ownUser: { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 },
    places: { stewardHome, userHome: homedir() },
    temporaryFolder: tmpdir(),
    node: process.execPath,
    launchEnvironment: {},
    newId: () => Math.random().toString(36).slice(2, 10),
  });
  if ("sandbox" in chosen) return chosen.sandbox;
  throw new Error(chosen.unavailable);
}
