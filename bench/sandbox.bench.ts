// What the sandbox costs: ordinary commands of the shell corpus with and without it, in turn, as one ratio of one run.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { buildWorkspace } from "../src/guard/shell/fixture/build-workspace.ts";
import { chooseSandbox } from "../src/tools/sandbox/choose-sandbox.ts";
import { openNoSandbox } from "../src/tools/sandbox/no-sandbox.ts";
import { type Sandbox, usualLimits } from "../src/tools/sandbox/sandbox.ts";
import { sandboxUser } from "../src/tools/sandbox/workspace-owner.ts";
import { median } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { type Figure, printReport } from "./measure/report.ts";

type Times = { inside: number; outside: number };
type Ran = { ms: number; exitCode: number | null; text: string };

const Row = z.object({ id: z.string(), command: z.string() });
const sampleSize = 150;
const rounds = 3;
const plainUid = 60_902;
const ownUid = process.getuid?.() ?? -1;
// a command has no network, and outside it would measure the network's own time
const asksForNetwork = /\b(?:curl|npx|npm (?:ci|install|view|outdated)|git (?:fetch|pull))\b/;
const missingProgram = /command not found|No module named/;

await using folder = await benchFolder();
chmodSync(folder.path, 0o755);
const base = realpathSync(folder.path);
const stewardHome = join(base, "steward");
const template = join(base, "template");
prepareTemplate();
const outside = { sandbox: openNoSandbox({ prlimit: undefined, temporaryFolder: base }), place: join(base, "plain") };
const inside = { sandbox: await realSandbox(), place: join(stewardHome, "workspace") };
console.log(`uid ${ownUid}. ${inside.sandbox.describe()}`);

const smallest = await smallestCommand();
const corpus = await corpusCommands();
printReport([
  figure(`uid ${ownUid}: bash -c true`, smallest, 8),
  figure(`uid ${ownUid}: ${corpus.count} ordinary commands`, corpus.times, 1.25),
]);
if (ownUid === 0) await repeatAsPlainUser();

/** The fixture of the corpus, with a real repository and real archives so that git and tar have work to do. */
function prepareTemplate(): void {
  const built = buildWorkspace();
  cpSync(built.path, template, { recursive: true, verbatimSymlinks: true });
  built.remove();
  rmSync(join(template, ".git"), { recursive: true });
  const script = `
git init -q -b main . && git config user.name bench && git config user.email bench@localhost
tar czf archive.tar.gz docs src a.txt && python3 -m zipfile -c archive.zip docs src a.txt
git add -A && git commit -qm one && git tag v1 && git branch dev
echo more >> a.txt && git commit -qam two && echo changed >> b.txt`;
  const made = spawnSync("/bin/bash", ["-ec", script], { cwd: template, encoding: "utf8", env: { HOME: base } });
  if (made.status !== 0) throw new Error(`The fixture could not be made: ${made.stderr}`);
}

async function smallestCommand(): Promise<Times> {
  const times = { inside: [] as number[], outside: [] as number[] };
  for (let round = 0; round < 60; round++) {
    if (round === 0) for (const side of [outside, inside]) layOut(side.place);
    times.outside.push((await run(outside, "true")).ms);
    times.inside.push((await run(inside, "true")).ms);
  }
  return { inside: median(times.inside), outside: median(times.outside) };
}

async function corpusCommands(): Promise<{ times: Times; count: number }> {
  const { commands, missing } = await runnable(spread(readCorpus()));
  const times: Times = { inside: 0, outside: 0 };
  const different: string[] = [];
  for (const command of commands) {
    const ran = { inside: [] as Ran[], outside: [] as Ran[] };
    for (let round = 0; round < rounds; round++) {
      ran.outside.push(await runFresh(outside, command));
      ran.inside.push(await runFresh(inside, command));
    }
    times.outside += median(ran.outside.map(({ ms }) => ms));
    times.inside += median(ran.inside.map(({ ms }) => ms));
    if (ran.inside[0]?.exitCode !== ran.outside[0]?.exitCode) different.push(command);
  }
  console.log(`${missing} commands left out because their programs are missing here`);
  console.log(
    `${different.length} ended with another exit code inside${different.map((one) => `\n  ${one}`).join("")}`,
  );
  return { times, count: commands.length };
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

async function runnable(commands: readonly string[]): Promise<{ commands: string[]; missing: number }> {
  const found: string[] = [];
  for (const command of commands)
    if (!missingProgram.test((await runFresh(outside, command)).text)) found.push(command);
  return { commands: found, missing: commands.length - found.length };
}

/** Commands change the workspace; each run finds it as the first one did. */
function runFresh(side: typeof outside, command: string): Promise<Ran> {
  rmSync(side.place, { recursive: true, force: true });
  layOut(side.place);
  return run(side, command);
}

function layOut(place: string): void {
  cpSync(template, place, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  // as it is after the first command of a Steward that runs as root
  if (ownUid === 0 && place === inside.place) giveAll(place);
}

function giveAll(path: string): void {
  chownSync(path, sandboxUser.uid, sandboxUser.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveAll(join(path, entry.name));
    else if (entry.isFile()) chownSync(join(path, entry.name), sandboxUser.uid, sandboxUser.gid);
  }
}

async function run({ sandbox, place }: typeof outside, script: string): Promise<Ran> {
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

function figure(what: string, { inside, outside }: Times, ratioAtMost: number): Figure {
  return { what, value: inside, unit: "ms", against: { name: "no sandbox", value: outside }, goal: { ratioAtMost } };
}
