import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { SandboxCommand } from "../../../src/tools/sandbox/sandbox.ts";
import { eventually } from "../../scenes/eventually.ts";
import { bwrapWith, isRoot, processesWith, runToEnd } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene, settledNames } from "../../scenes/sandbox/sandbox-scene.ts";

async function openScene() {
  const scene = await sandboxScene();
  const sandbox = await bwrapWith(scene.stewardHome);
  const run = (script: string, change?: Partial<SandboxCommand>) => runToEnd(sandbox, scene.command(script, change));
  return { ...scene, sandbox, run };
}

test("a command writes in the workspace and tells its output and exit code", async () => {
  const { run, workspace } = await openScene();
  const { text, end } = await run("echo made > file; cat file; echo wrong >&2; exit 3");
  expect(text).toBe("made\nwrong\n");
  expect(end).toMatchObject({ exitCode: 3, timedOut: false, killed: false, outputCut: false, outputBytes: 11 });
  expect(await readFile(join(workspace, "file"), "utf8")).toBe("made\n");
});

test("what is printed on both streams comes in the order in which it was printed", async () => {
  const { run } = await openScene();
  const { text } = await run("for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done");
  expect(text.trim().split("\n")).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((i) => [`out ${i}`, `err ${i}`]));
});

test("the environment holds only what Steward puts there", async () => {
  const { run } = await openScene();
  const { text } = await run("env | grep -v ^GIT_ | cut -d= -f1 | sort | tr '\\n' ' '", {
    environment: { GIVEN: "1" },
  });
  expect(text).toBe("EMAIL GIVEN HOME LANG PATH PWD TERM npm_config_update_notifier ");
});

test("what a command is given in its environment cannot be read from the list of processes", async () => {
  const { sandbox, command } = await openScene();
  const running = sandbox.run(command("echo on; sleep 0.3", { environment: { GIVEN: "only-for-the-command" } }));
  for await (const piece of running.output) {
    expect(piece.text).toBe("on\n");
    expect(processesWith("only-for-the-command")).toEqual([]);
  }
});

test("home and the temporary folder are private and gone afterwards", async () => {
  const { run } = await openScene();
  const { text } = await run("echo x > $HOME/kept; echo x > /tmp/kept; ls $HOME /tmp");
  expect(text).toContain("kept");
  expect((await run("ls $HOME /tmp")).text).not.toContain("kept");
});

test("given input is read to its end", async () => {
  const { run } = await openScene();
  expect((await run("cat; echo end", { stdin: "héllo\n" })).text).toBe("héllo\nend\n");
});

test("a command without input finds its end at once", async () => {
  const { run } = await openScene();
  expect((await run("cat; echo end")).text).toBe("end\n");
});

test("a person can talk with a running command", async () => {
  const { sandbox, command } = await openScene();
  const running = sandbox.run(command("read name; echo hello $name; read more; echo $more", { interactive: true }));
  running.write("Ada\n");
  let text = "";
  for await (const piece of running.output) {
    text += piece.text;
    if (text === "hello Ada\n") running.write("bye\n");
  }
  expect(text).toBe("hello Ada\nbye\n");
});

test("stopping a command ends all of it", async () => {
  const { sandbox, command, workspace } = await openScene();
  const stop = new AbortController();
  const script = "(trap '' TERM HUP; sleep 98.7654) & trap '' TERM HUP INT; echo on; sleep 98.7654";
  const running = sandbox.run(command(script, { signal: stop.signal }));
  for await (const piece of running.output) if (piece.text.includes("on")) stop.abort();
  expect(await running.finished).toMatchObject({ killed: true, timedOut: false });
  await eventually(() => processesWith("98.7654"), []);
  expect(await settledNames(workspace)).toEqual([]);
});

test("a command that floods is cut, and killed when it goes far beyond its limit", async () => {
  const { run } = await openScene();
  const { text, end } = await run("yes", { limits: limits({ outputBytes: 10_000, wallMs: 15_000 }) });
  expect(text.length).toBe(10_000);
  expect(end).toMatchObject({ outputCut: true, killed: true, timedOut: false });
});

test("a command beyond its time is ended and says so", async () => {
  const { run } = await openScene();
  const { end } = await run("sleep 30", { limits: limits({ wallMs: 200 }) });
  expect(end).toMatchObject({ timedOut: true, killed: true });
});

test("a program that does not exist is the command's own failure", async () => {
  const { run } = await openScene();
  const { end } = await run("", { argv: ["no-such-program"] });
  expect(end).toMatchObject({ exitCode: 127 });
  expect(end.notStarted).toBeUndefined();
});

test("a sandbox that cannot be set up is told apart from a command that failed", async () => {
  const { stewardHome, command } = await sandboxScene();
  const sandbox = await bwrapWith(stewardHome, { buildArguments: () => ["--no-such-option"] });
  const { end } = await runToEnd(sandbox, command("exit 1"));
  expect(end.notStarted).toContain("--no-such-option");
});

test("protected files stay as they are, and missing ones leave nothing behind", async () => {
  const { run, workspace } = await openScene();
  await writeFile(join(workspace, "AGENTS.md"), "rules");
  const { text } = await run(
    "cat AGENTS.md; echo evil > AGENTS.md; echo evil > SOUL.md; mkdir -p .git/hooks; echo x > .vscode/tasks.json; echo fine > notes",
  );
  expect(text).toMatch(/^rules/);
  expect(await readFile(join(workspace, "AGENTS.md"), "utf8")).toBe("rules");
  expect(await settledNames(workspace)).toEqual(["AGENTS.md", "notes"]);
});

test("the content of .env is never seen, and the file is untouched", async () => {
  const { run, workspace } = await openScene();
  await writeFile(join(workspace, ".env"), "KEY=secret");
  const { text } = await run("cat .env; wc -c < .env; cp .env copy; mv .env away; echo x >> .env");
  expect(text).not.toContain("secret");
  expect(await readFile(join(workspace, ".env"), "utf8")).toBe("KEY=secret");
  expect(await readFile(join(workspace, "copy"), "utf8")).toBe("");
});

test("two commands side by side share the stand-ins until the last one ends", async () => {
  const { run, workspace } = await openScene();
  const long = run("sleep 0.6; echo evil > .npmrc; rm -f .npmrc; echo evil > .npmrc; ls -A");
  await run("true");
  expect(await readdir(workspace)).toContain(".npmrc");
  await long;
  expect(await settledNames(workspace)).toEqual([]);
});

test("a process that lets go of everything and outlives its command never finds a protected name free", async () => {
  const { run, workspace } = await openScene();
  const writer = "while :; do echo evil > .npmrc; mkdir skills; done";
  for (let attempt = 0; attempt < 15; attempt++) {
    await run(`(setsid sh -c '${writer}' < /dev/null > /dev/null 2>&1 &); sleep 0.0${attempt % 5}`);
    expect(await settledNames(workspace)).toEqual([]);
  }
});

test("a command without input has none that a program could take for something to search", async () => {
  const { run } = await openScene();
  for (const change of [{}, { stdin: "" }])
    expect((await run("test -c /dev/stdin && echo nothing to read", change)).text).toBe("nothing to read\n");
});

test("when Steward is killed the command dies with it, and the next command clears the stand-ins away", async () => {
  const { run, workspace, stewardHome } = await openScene();
  const program = fileURLToPath(import.meta.resolve("../../scenes/sandbox/sandbox-killed-steward.ts"));
  const steward = spawn(process.execPath, [program, stewardHome, workspace], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const piece of steward.stdout) if (String(piece).includes("running")) steward.kill("SIGKILL");
  await eventually(() => processesWith("97.6543").length === 0);
  expect(await readdir(workspace)).toContain(".npmrc");
  await run("true");
  expect(await settledNames(workspace)).toEqual([]);
});

test("boxes whose records lay in memory are waited for too", async () => {
  const { run } = await openScene();
  // as of a process that is gone; no process has ever begun with the machine itself
  const left = `/dev/shm/steward-commands-${process.getuid?.()}/box-${process.pid}-1-abcdef`;
  mkdirSync(left, { recursive: true, mode: 0o700 });
  await run("true");
  expect(existsSync(left)).toBe(false);
});

test("git works as usual in a workspace that is a repository", async () => {
  const { run, workspace } = await openScene();
  await makeRepository(workspace);
  const { text, end } = await run(
    "echo one > a; git add -A && git commit -qm first && git status --short && git checkout -qb other && git log --format=%s && git ls-files",
  );
  expect({ text, exitCode: end.exitCode }).toEqual({ text: "first\na\n", exitCode: 0 });
  expect(await settledNames(join(workspace, ".git"))).not.toContain("commondir");
});

test("a git hook and a git setting cannot be made", async () => {
  const { run, workspace } = await openScene();
  await makeRepository(workspace);
  const before = await readFile(join(workspace, ".git/config"), "utf8");
  await run(
    "echo x > .git/hooks/pre-commit; git config core.fsmonitor evil; mv .git gone; cp -r .git copy; rm -rf .git/config",
  );
  expect(await readFile(join(workspace, ".git/config"), "utf8")).toBe(before);
  expect(await readdir(join(workspace, ".git/hooks"))).not.toContain("pre-commit");
});

test("a protected name that is a link is refused, since a mount would land elsewhere", async () => {
  const { run, workspace } = await openScene();
  await symlink("../config.json", join(workspace, ".npmrc"));
  const { end } = await run("true");
  expect(end.notStarted).toMatch(/\.npmrc is a symbolic link/);
});

test("further folders are shown as asked, read-only or not", async () => {
  const { run, base } = await openScene();
  await mkdir(join(base, "read"));
  await mkdir(join(base, "write"), { mode: 0o777 });
  await writeFile(join(base, "read/file"), "content\n");
  const { text } = await run(
    `cat ${base}/read/file; echo x > ${base}/read/new; echo x > ${base}/write/new; ls ${base}/read`,
    {
      readOnly: [join(base, "read")],
      writable: [join(base, "write")],
    },
  );
  expect(text).toContain("content");
  expect(await readdir(join(base, "read"))).toEqual(["file"]);
  expect(await readdir(join(base, "write"))).toEqual(isRoot ? [] : ["new"]);
});

test("keys in further folders are covered, and what other programs obey stays as it is", async () => {
  const { run, base } = await openScene();
  const folder = join(base, "write");
  for (const inside of ["repo/.git/hooks", "deep/.ssh"]) await mkdir(join(folder, inside), { recursive: true });
  const files = {
    "repo/.env": "KEY=1",
    "deep/.ssh/id_rsa": "secret",
    ".bashrc": "old",
    "repo/.git/config": "[core]\n",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await chmodAll(folder);
  const tries = [
    ...["cat repo/.env", "cat deep/.ssh/id_rsa", "echo x > .bashrc", "echo x > repo/.git/config"],
    ...["echo x > repo/.git/hooks/pre-commit", "grep -r . .", "echo fine > note.txt"],
  ];
  const { text } = await run(`cd ${folder}; ${tries.join("; ")}`, { writable: [folder] });
  expect(text).not.toMatch(/KEY=1|secret/);
  for (const [name, before] of Object.entries(files)) expect(await readFile(join(folder, name), "utf8")).toBe(before);
  expect(await readdir(join(folder, "repo/.git/hooks"))).toEqual([]);
  expect(await readFile(join(folder, "note.txt"), "utf8")).toBe("fine\n");
});

async function chmodAll(folder: string): Promise<void> {
  for (const name of [".", ...(await readdir(folder, { recursive: true }))]) await chmod(join(folder, name), 0o777);
}

test("a folder outside the workspace is no place to work in", async () => {
  const { run, base } = await openScene();
  const { end } = await run("true", { cwd: base });
  expect(end.notStarted).toContain("is not a folder in the workspace");
});

test("Steward's own folder is never shown, however it is asked for", async () => {
  const { run, stewardHome, base } = await openScene();
  await symlink(stewardHome, join(base, "innocent"));
  expect((await run("true", { readOnly: [join(base, "innocent")] })).end.notStarted).toContain("may not be shown");
  expect((await run("true", { workspace: base, cwd: base })).end.notStarted).toContain("may not be shown");
});

test("what it keeps out and which limits hold can be read", async () => {
  const { sandbox } = await openScene();
  expect(sandbox.describe()).toMatch(/only the workspace can be written, no network.*Limits: memory/);
});

function limits(change: Partial<SandboxCommand["limits"]>): SandboxCommand["limits"] {
  return {
    wallMs: 20_000,
    memoryBytes: 2 ** 30,
    processes: 100,
    outputBytes: 2 ** 20,
    cpuSeconds: 60,
    fileBytes: 2 ** 30,
    ...change,
  };
}

async function makeRepository(workspace: string): Promise<void> {
  const git = spawn("git", ["init", "-q", "-b", "main", workspace], { stdio: "ignore" });
  await new Promise((resolve) => git.once("exit", resolve));
}
