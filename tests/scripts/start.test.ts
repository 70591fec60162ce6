// The first start on a fresh clone, with a stand-in for npm, because the real one takes a quarter of a minute.
import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";

const rolldown = `import { mkdirSync, writeFileSync } from "node:fs";
export const rolldown = ({ input }) => ({
  write({ dir }) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(dir + "/main.js", "import " + JSON.stringify(input.main));
  },
});`;
const bringNode = `mkdir -p node_modules/node/bin node_modules/rolldown
cat > node_modules/rolldown/index.js <<'end'
${rolldown}
end
printf '#!/bin/sh\\nexec "${process.execPath}" "$@"\\n' > node_modules/node/bin/node
chmod +x node_modules/node/bin/node`;

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "steward-start-"));
  cpSync(join(import.meta.dirname, "../..", "scripts"), join(project, "scripts"), { recursive: true });
  mkdirSync(join(project, "src"));
  mkdirSync(join(project, "bin"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "package-lock.json"), '{ "packages": { "node_modules/node": { "version": "26.0.0" } } }');
  writeFileSync(
    join(project, "src", "main.ts"),
    "const args: string[] = process.argv.slice(2);\nconsole.log(args.join('|'));",
  );
  npmDoes(bringNode);
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

test("the first start installs, then runs the command with its arguments", async () => {
  const { code, stdout, stderr } = await steward("ask", "two words", "--plain");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "ask|two words|--plain\n" });
  expect(stderr).toMatch(/being installed[\s\S]*Installed in \d+ s/);
  expect(installs()).toBe(1);
});

test("the second start installs nothing and says nothing about it", async () => {
  await steward("one");
  expect(await steward("two")).toEqual({ code: 0, signal: null, stdout: "two\n", stderr: "" });
  expect(installs()).toBe(1);
});

test("a changed lock file updates the packages before the next start", async () => {
  await steward("one");
  writeFileSync(join(project, "package-lock.json"), '{ "packages": {}, "changed": true }');
  expect((await steward("two")).stderr).toContain("Installing its packages again");
  expect(installs()).toBe(2);
});

test("packages that npm has just installed by hand are taken as they are", async () => {
  mkdirSync(join(project, "node_modules", "node", "bin"), { recursive: true });
  writeFileSync(join(project, "node_modules", "node", "bin", "node"), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
  chmodSync(join(project, "node_modules", "node", "bin", "node"), 0o755);
  cpSync(join(project, "package-lock.json"), join(project, "node_modules", ".package-lock.json"));
  expect((await steward("hello")).stdout).toBe("hello\n");
  expect(installs()).toBe(0);
});

test("two first starts at once install once and both run", async () => {
  npmDoes(`sleep 1\n${bringNode}`);
  const both = await Promise.all([steward("one"), steward("two")]);
  expect(both.map((run) => run.stdout).sort()).toEqual(["one\n", "two\n"]);
  expect(installs()).toBe(1);
});

test("an install that was killed in the middle is done again from the start", async () => {
  npmDoes("mkdir -p node_modules/half-written\ntouch started\nsleep 2");
  const first = launch(["one"]);
  await eventually(() => existsSync(join(project, "started")));
  first.child.kill("SIGKILL");
  npmDoes(bringNode);
  expect((await steward("two")).stdout).toBe("two\n");
  expect(existsSync(join(project, "node_modules", "half-written"))).toBe(false);
});

test("stopping an install stops npm too", async () => {
  npmDoes("for i in $(seq 400); do echo $i > started; sleep 0.05; done");
  const { child, ended } = launch(["one"]);
  await eventually(() => existsSync(join(project, "started")));
  child.kill("SIGTERM");
  expect((await ended).code).toBe(143);
  const last = readFileSync(join(project, "started"), "utf8");
  // time in which it would go on
  await sleep(300);
  expect(readFileSync(join(project, "started"), "utf8")).toBe(last);
});

test("without npm one sentence says what to install", async () => {
  rmSync(join(project, "bin", "npm"));
  const { code, stderr } = await launch(["hello"], [], "").ended;
  expect(code).toBe(1);
  expect(stderr).toContain("npm was not found");
});

test("without a network the start ends with npm's own words and what to do", async () => {
  npmDoes(
    "echo 'npm error code ENOTFOUND registry' >&2; exit 1",
    "echo 'npm error code ENOTFOUND registry' >&2; exit 1",
  );
  const { code, stderr } = await steward("hello");
  expect(code).toBe(1);
  expect(stderr).toContain("npm error code ENOTFOUND registry");
  expect(stderr).toContain("Check the network");
});

test("a full disk is named as such", async () => {
  npmDoes("echo 'npm error ENOSPC: no space left on device' >&2; exit 1");
  expect((await steward("hello")).stderr).toContain("too little room on the disk");
});

test("an npm that may not run install scripts is explained", async () => {
  npmDoes("mkdir -p node_modules/zod");
  const { code, stderr } = await steward("hello");
  expect(code).toBe(1);
  expect(stderr).toContain("npm rebuild node --ignore-scripts=false");
});

test("after a failed update the next start installs again", async () => {
  await steward("one");
  writeFileSync(join(project, "package-lock.json"), '{ "packages": {}, "changed": true }');
  npmDoes("echo broken >&2; exit 1");
  expect((await steward("two")).code).toBe(1);
  npmDoes(bringNode);
  expect((await steward("three")).stdout).toBe("three\n");
});

test("Steward's exit code is the command's exit code", async () => {
  writeFileSync(join(project, "src", "main.ts"), "process.exit(7);");
  expect((await steward("hello")).code).toBe(7);
});

test("a signal reaches Steward, which may end in its own time", async () => {
  writeFileSync(
    join(project, "src", "main.ts"),
    "process.on('SIGTERM', () => { console.log('goodbye'); process.exit(3); });\nconsole.log('ready');\nsetInterval(() => {}, 1000);",
  );
  const { child, ended } = launch(["daemon"]);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 3, stdout: "ready\ngoodbye\n" });
});

test("a Steward that dies of a signal looks so from outside", async () => {
  writeFileSync(join(project, "src", "main.ts"), "process.kill(process.pid, 'SIGTERM');\nsetInterval(() => {}, 1000);");
  expect(await steward("hello")).toMatchObject({ code: null, signal: "SIGTERM" });
});

test("a Node that is too old is told so in one sentence", async () => {
  const pretend = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.0'}})";
  const { code, stderr } = await launch(["hello"], ["--import", `data:text/javascript,${pretend}`]).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Steward needs Node 20 or newer to start, and this is Node 18\.20\.0\..*\n$/);
});

type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string };

function steward(...args: string[]): Promise<Ended> {
  return launch(args).ended;
}

function launch(args: readonly string[], nodeFlags: readonly string[] = [], systemPath = ":/usr/bin:/bin") {
  const path = `${join(project, "bin")}${systemPath}`;
  const child = spawn(process.execPath, [...nodeFlags, join(project, "scripts", "steward.mjs"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: path },
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

function npmDoes(onInstall: string, onPing = "exit 0"): void {
  const path = join(project, "bin", "npm");
  // replaced, not overwritten: a running shell reads on in the file it has open
  rmSync(path, { force: true });
  writeFileSync(
    path,
    `#!/bin/sh\nif [ "$1" = ping ]; then ${onPing}; fi\necho x >> installs\nrm -rf node_modules\n${onInstall}\n`,
  );
  chmodSync(path, 0o755);
}

function installs(): number {
  const path = join(project, "installs");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").length : 0;
}
