// What the sandbox costs: ordinary commands of the shell corpus with and without it, in turn, as one ratio of one run.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { buildWorkspace } from "../src/guard/shell/fixture/build-workspace.ts";
import { chooseSandbox } from "../src/tools/sandbox/choose-sandbox.ts";
import { openNoSandbox } from "../src/tools/sandbox/no-sandbox.ts";
import { type Sandbox, usualLimits } from "../src/tools/sandbox/sandbox.ts";
import { sandboxUser } from "../src/tools/sandbox/workspace-owner.ts";
import { median, pause } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { type Figure, printReport } from "./measure/report.ts";

type Times = { inside: number; outside: number };
type Side = { sandbox: Sandbox; place: string; owner: string; listing: string };
type Ran = { ms: number; exitCode: number | null; text: string };

const Row = z.object({ id: z.string(), command: z.string() });
const sampleSize = 150;
const rounds = 3;
// a model thinks at least as long between two commands, and the sandbox uses the time
const thinkingMs = 160;
const plainUid = 60_902;
const ownUid = process.getuid?.() ?? -1;
// a command has no network, and outside it would measure the network's own time
const asksForNetwork = /\b(?:curl|npx|npm (?:ci|install|view|outdated)|git (?:fetch|pull))\b/;
const missingProgram = /command not found|No module named/;
// The fixture of the corpus, with a real repository and real archives so that git and tar have work to do. What no
// command inside can change is laid out once: a sandbox that waits would have to be made anew if it were replaced.
const prepare = `
cd "$1"; rm -r .git
git init -q -b main . && git config user.name bench && git config user.email bench@localhost
tar czf archive.tar.gz docs src a.txt; python3 -m zipfile -c archive.zip docs src a.txt
git add -A; git commit -qm one; git tag v1; git branch dev; echo more >> a.txt; git commit -qam two; git gc -q
echo changed >> b.txt
for place in "$2" "$3"; do mkdir -p "$place/.git"; mv .npmrc "$place"; cp -r .git/config .git/hooks "$place/.git"; touch .npmrc; done
rm -r .npmrc .git/config .git/hooks; chown -R "$4" "$3"`;
const restore = `
cd "$1"
find . -mindepth 1 -maxdepth 1 ! -name .git ! -name .npmrc -exec rm -rf {} +
find .git -mindepth 1 -maxdepth 1 ! -name config ! -name hooks -exec rm -rf {} +
cp -a "$2/." .; chown -R "$3" .`;

await using folder = await benchFolder();
chmodSync(folder.path, 0o755);
const base = realpathSync(folder.path);
const stewardHome = join(base, "steward");
const template = join(base, "template");
const built = buildWorkspace();
cpSync(built.path, template, { recursive: true, verbatimSymlinks: true });
built.remove();
const outside: Side = {
  sandbox: openNoSandbox({ prlimit: undefined, temporaryFolder: base }),
  place: join(base, "plain"),
  owner: String(ownUid),
  listing: "",
};
const inside: Side = {
  sandbox: await realSandbox(),
  place: join(stewardHome, "workspace"),
  owner: String(ownUid === 0 ? sandboxUser.uid : ownUid),
  listing: "",
};
shell(prepare, template, outside.place, inside.place, inside.owner);
console.log(`uid ${ownUid}. ${inside.sandbox.describe()}`);

const commands = await runnable(spread(readCorpus()));
const smallest = await compare(Array(20).fill("true"), thinkingMs);
const corpus = await compare(commands, thinkingMs);
const haste = await compare(commands, 0);
printReport([
  figure("bash -c true", smallest, 8),
  figure(`${commands.length} ordinary commands`, corpus, 1.25),
  figure("the same without a pause between them", haste),
]);
if (ownUid === 0) await repeatAsPlainUser();

/** The sum of each command's median. */
async function compare(commands: readonly string[], pauseMs: number): Promise<Times> {
  const sum: Times = { inside: 0, outside: 0 };
  const different: string[] = [];
  for (const command of commands) {
    const ran = { inside: [] as Ran[], outside: [] as Ran[] };
    for (let round = 0; round < rounds; round++) {
      layOut();
      await pause(pauseMs);
      ran.outside.push(await run(outside, command));
      ran.inside.push(await run(inside, command));
    }
    sum.outside += median(ran.outside.map(({ ms }) => ms));
    sum.inside += median(ran.inside.map(({ ms }) => ms));
    if (ran.inside[0]?.exitCode !== ran.outside[0]?.exitCode) different.push(command);
  }
  for (const command of different) console.log(`ends with another exit code inside: ${command}`);
  return sum;
}

function readCorpus(): string[] {
  const lines = readFileSync(new URL("../tests/corpora/shell-benign.jsonl", import.meta.url), "utf8").split("\n");
  const commands = lines.filter(Boolean).map((line) => Row.parse(JSON.parse(line)).command);
  return commands.filter((command) => !asksForNetwork.test(command));
}

/** Evenly through the corpus, so that every kind of command keeps its share. */
function spread(commands: readonly string[]): string[] {
  const step = commands.length / sampleSize;
  return Array.from({ length: sampleSize }, (_, position) => commands[Math.floor((position + 0.5) * step)] ?? "");
}

async function runnable(commands: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const command of commands) {
    layOut();
    if (!missingProgram.test((await run(outside, command)).text)) found.push(command);
  }
  console.log(`${commands.length - found.length} commands left out because their programs are missing here`);
  return found;
}

/** Commands change the workspace; each one finds it as the first one did. */
function layOut(): void {
  for (const side of [outside, inside]) {
    if (listing(side.place) === side.listing) continue;
    shell(restore, side.place, template, side.owner);
    side.listing = listing(side.place);
  }
}

/** Walked by hand: Node's own recursion follows links, and the fixture has some that lead out. */
function listing(place: string): string {
  const entries = readdirSync(place, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const lines = entries.map((entry) => {
    const path = join(place, entry.name);
    if (entry.isDirectory()) return `${entry.name}:\n${listing(path)}`;
    const { size, mtimeMs } = lstatSync(path);
    return `${entry.name} ${size} ${mtimeMs}`;
  });
  return lines.join("\n");
}

function shell(script: string, ...args: string[]): void {
  const done = spawnSync("/bin/bash", ["-ec", script, "bash", ...args], { encoding: "utf8", env: { HOME: base } });
  if (done.status !== 0) throw new Error(`The workspace could not be laid out: ${done.stderr}`);
}

async function run({ sandbox, place }: Side, script: string): Promise<Ran> {
  const running = sandbox.run({
    argv: ["/bin/bash", "-c", script.replaceAll("{{W}}", place)],
    cwd: place,
    workspace: place,
    readOnly: [],
    writable: [],
    environment: {},
    network: { kind: "none" },
    limits: usualLimits,
    signal: new AbortController().signal,
  });
  let text = "";
  for await (const piece of running.output) text += piece.text;
  const end = await running.finished;
  if (end.notStarted !== undefined || end.leftBehind !== undefined || end.timedOut)
    throw new Error(`${sandbox.name}: ${script}: ${end.notStarted ?? end.leftBehind ?? "it took too long"}`);
  return { ms: end.durationMs, exitCode: end.exitCode, text };
}

async function realSandbox(): Promise<Sandbox> {
  const chosen = await chooseSandbox({
    settings: { kind: "auto", image: "", runtime: null, cpus: 1 },
    platform: process.platform,
    ownUser: { uid: ownUid, gid: process.getgid?.() ?? -1 },
    places: { stewardHome, userHome: homedir() },
    temporaryFolder: base,
    node: process.execPath,
    launchEnvironment: {},
    newId: () => Math.random().toString(36).slice(2, 10),
  });
  if ("sandbox" in chosen) return chosen.sandbox;
  throw new Error(chosen.unavailable);
}

async function repeatAsPlainUser(): Promise<void> {
  const child = spawn(process.execPath, [import.meta.filename], {
    uid: plainUid,
    gid: plainUid,
    cwd: "/",
    env: { HOME: base, PATH: process.env.PATH, TMPDIR: tmpdir() },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exitCode = await new Promise((resolve) => {
    child.once("exit", resolve);
    child.once("error", (error) => resolve(error.message));
  });
  if (exitCode !== 0) throw new Error(`uid ${plainUid} could not run the bench: ${exitCode}`);
}

function figure(what: string, { inside, outside }: Times, ratioAtMost?: number): Figure {
  const against = { name: "no sandbox", value: outside };
  return { what, value: inside, unit: "ms", against, ...(ratioAtMost ? { goal: { ratioAtMost } } : {}) };
}
