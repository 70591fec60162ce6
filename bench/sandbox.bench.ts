// What the sandbox costs: ordinary commands of the shell corpus with and without it, in turn, as one ratio of one run.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { sandboxUser } from "../src/tools/programs/workspace-owner.ts";
import { chooseSandbox } from "../src/tools/sandbox/choose-sandbox.ts";
import { openNoSandbox } from "../src/tools/sandbox/no-sandbox.ts";
import { type Sandbox, usualLimits } from "../src/tools/sandbox/sandbox.ts";
import { buildWorkspace } from "../tests/scenes/shell-workspace.ts";
import { median, pause } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { type Figure, printReport } from "./measure/report.ts";

type Times = { inside: number; outside: number };
type Side = { sandbox: Sandbox; place: string; owner: string };
type Ran = { ms: number; exitCode: number | null; text: string };
type Named = z.infer<typeof Row>;

const Row = z.object({ id: z.string(), command: z.string() });
const sampleSize = 150;
const rounds = 3;
// before every command of either side: a model thinks longer between two of them, and the sandbox uses the time
const thinkingMs = 200;
const plainUid = 60_902;
const ownUid = process.getuid?.() ?? -1;
// a command has no network, and outside it would measure the network's own time
const asksForNetwork = /\b(?:curl|npx|npm (?:ci|install|view|outdated)|git (?:fetch|pull))\b/;
const missingProgram = /command not found|No module named/;
// The fixture of the corpus, with a real repository and real archives so that git and tar have work to do.
const prepare = `
cd "$1"; rm -r .git
git init -q -b main . && git config user.name bench && git config user.email bench@localhost
tar czf archive.tar.gz docs src a.txt; python3 -m zipfile -c archive.zip docs src a.txt
git add -A; git commit -qm one; git tag v1; git branch dev; echo more >> a.txt; git commit -qam two; git gc -q
echo changed >> b.txt
for place in "$2" "$3"; do mkdir -p "$place"; cp -a . "$place"; done
chown -R "$4" "$3"`;
const restore = `
from=$1; to=$2; owner=$3; shift 3
cd "$from"; cp -a --parents -- "$@" "$to"; cd "$to"; chown -hR "$owner" -- "$@"`;

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
};
const inside: Side = {
  sandbox: await realSandbox(),
  place: join(stewardHome, "workspace"),
  owner: String(ownUid === 0 ? sandboxUser.uid : ownUid),
};
shell(prepare, template, outside.place, inside.place, inside.owner);
console.log(`uid ${ownUid}. ${inside.sandbox.describe()}`);

const commands = await runnable(spread(readCorpus()));
const smallest = await compare(Array(20).fill("true"), thinkingMs);
const corpus = await compare(commands, thinkingMs);
const haste = await compare(commands, 0);
printReport([
  figure("bash -c true", smallest, 8),
  figure(`${commands.length} ordinary commands, ${thinkingMs} ms apart, summed`, corpus, 1.25),
  figure("the same, the ordinary one among them", corpus, 1.25, middle),
  figure("one after the other without a pause, summed", haste),
  figure("the same, the ordinary one among them", haste, undefined, middle),
]);
if (ownUid === 0) await repeatAsPlainUser();

/** The median of each command, inside and outside in turn. */
async function compare(commands: readonly string[], pauseMs: number): Promise<Times[]> {
  const times: Times[] = [];
  for (const command of commands) {
    const ran = { inside: [] as Ran[], outside: [] as Ran[] };
    for (let round = 0; round < rounds; round++) {
      layOut();
      await pause(pauseMs);
      ran.outside.push(await run(outside, command));
      await pause(pauseMs);
      ran.inside.push(await run(inside, command));
    }
    times.push({ inside: medianMs(ran.inside), outside: medianMs(ran.outside) });
    if (ran.inside[0]?.exitCode !== ran.outside[0]?.exitCode)
      console.log(`ends with another exit code inside: ${command}`);
  }
  return times;
}

function medianMs(ran: readonly Ran[]): number {
  return median(ran.map(({ ms }) => ms));
}

function summed(times: readonly Times[]): Times {
  const sum = (side: keyof Times) => times.reduce((total, one) => total + one[side], 0);
  return { inside: sum("inside"), outside: sum("outside") };
}

/** Half of all commands pay more for the sandbox, in proportion, and half pay less. */
function middle(times: readonly Times[]): Times {
  const outside = median(times.map((one) => one.outside));
  return { outside, inside: outside * median(times.map((one) => one.inside / one.outside)) };
}

function readCorpus(): Named[] {
  const lines = readFileSync(new URL("../tests/corpora/shell-benign.jsonl", import.meta.url), "utf8").split("\n");
  const all = lines.filter(Boolean).map((line) => Row.parse(JSON.parse(line)));
  sayLeftOut(
    "they ask for a network",
    all.filter(({ command }) => asksForNetwork.test(command)),
  );
  return all.filter(({ command }) => !asksForNetwork.test(command));
}

/** Evenly through the corpus, so that every kind of command keeps its share. */
function spread(commands: readonly Named[]): Named[] {
  const step = commands.length / sampleSize;
  const at = Array.from({ length: sampleSize }, (_, position) => Math.floor((position + 0.5) * step));
  return commands.filter((_, position) => at.includes(position));
}

async function runnable(commands: readonly Named[]): Promise<string[]> {
  const missing: Named[] = [];
  for (const one of commands) {
    layOut();
    if (missingProgram.test((await run(outside, one.command)).text)) missing.push(one);
  }
  sayLeftOut("their programs are missing here", missing);
  return commands.filter((one) => !missing.includes(one)).map(({ command }) => command);
}

function sayLeftOut(why: string, commands: readonly Named[]): void {
  console.log(`${commands.length} commands left out because ${why}: ${commands.map(({ id }) => id).join(" ")}`);
}

/** Commands change the workspace; each one finds it as the first one did, what is unchanged left alone. */
function layOut(): void {
  for (const { place, owner } of [outside, inside]) {
    const changed = changedPaths(template, place);
    if (changed.length > 0) shell(restore, template, place, owner, ...changed);
  }
}

/** What must be copied again; whatever is too much is removed. */
function changedPaths(from: string, to: string, below = "."): string[] {
  const names = readdirSync(join(from, below));
  for (const name of readdirSync(join(to, below)))
    if (!names.includes(name)) rmSync(join(to, below, name), { recursive: true });
  return names.flatMap((name) => {
    const path = join(below, name);
    const wanted = signatureOf(join(from, path));
    if (wanted !== signatureOf(join(to, path))) {
      rmSync(join(to, path), { recursive: true, force: true });
      return [path];
    }
    return wanted === "folder" ? changedPaths(from, to, path) : [];
  });
}

function signatureOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return "missing";
  if (found.isSymbolicLink()) return readlinkSync(path);
  return found.isDirectory() ? "folder" : `${found.size} ${found.mtimeMs} ${found.mode}`;
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
    hideValues: () => {},
    redact: (text: string) => text,
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

function figure(what: string, times: readonly Times[], ratioAtMost?: number, of = summed): Figure {
  const { inside, outside } = of(times);
  const against = { name: "no sandbox", value: outside };
  return { what, value: inside, unit: "ms", against, ...(ratioAtMost ? { goal: { ratioAtMost } } : {}) };
}
