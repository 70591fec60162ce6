import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Settings } from "../../../src/contract/settings.ts";
import { openShellJudge } from "../../../src/guard/shell/judge-command.ts";
import { eventually } from "../../scenes/eventually.ts";
import { processesWith } from "../../scenes/sandbox/sandbox-driver.ts";
import { execScene, idIn, markedSleep, untilTold } from "../../scenes/tools/exec-scene.ts";

const other = { conversation: "terminal--b" };

test("a command that ends before the wait is over answers like bash", async () => {
  const { call, finished } = await execScene();
  const result = await call("exec", { command: "printf hello > a.txt; cat a.txt; echo bad >&2; exit 3" });
  expect(result).toMatchObject({ outcome: "failed", wrote: [{ path: "a.txt", replaced: false }] });
  expect(result.output).toMatch(/^hello[\s\S]*bad\n\n?\[exit code 3\]$/);
  expect(finished).toEqual([]);
  expect((await call("process", { action: "list" })).output).toContain("There are no processes");
});

test("a command that takes longer goes on in the background, and its end is told once", async () => {
  const { call, finished, workspace } = await execScene();
  const result = await call("exec", { command: `echo one; ${untilTold}; echo two; exit 4`, yieldMs: 2_000 });
  const id = idIn(result);
  expect(result.outcome).toBe("done");
  expect(result.output).toMatch(/^Goes on in the background as p\d+: echo one; .*; echo two; exit 4\n.*\none\n$/);
  expect((await call("process", { action: "list" })).output).toMatch(/^p\d+\trunning for \d+ s\t4 bytes\techo one/);
  await writeFile(join(workspace, "go"), "");
  await eventually(() => finished.length > 0);
  // time in which it could be told once more
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(finished).toMatchObject([
    {
      conversation: "terminal--a",
      turn: "turn_1",
      callId: "call_1",
      id,
      end: { exitCode: 4 },
      outputTail: "one\ntwo\n",
    },
  ]);
  expect((await call("process", { action: "list" })).output).toMatch(/^p\d+\texit code 4, \d+ s ago\t8 bytes/);
});

test("in the background the call does not wait at all", async () => {
  const { call } = await execScene();
  idIn(await call("exec", { command: "sleep 600", background: true, yieldMs: 120_000 }));
});

test("output is read from a position on, and each answer tells the next", async () => {
  const { start, output } = await execScene();
  const id = await start("echo first; read -r go; echo second; sleep 30");
  await eventually(async () => (await output(id)).text !== "");
  const first = await output(id);
  expect(first).toMatchObject({ text: "first\n", next: 6 });
  expect((await output(id, first.next)).text).toBe("");
});

test("a program that reads gets what it is sent, until its input is ended", async () => {
  const { start, output, call } = await execScene();
  const id = await start('while read -r line; do echo "got $line"; done; echo over');
  await call("process_control", { action: "input", id, text: "it's\ntwo" });
  await eventually(async () => (await output(id)).text === "got it's\ngot two\n");
  await call("process_control", { action: "end_input", id });
  await eventually(async () => (await output(id)).state.startsWith("exit code 0"));
  expect((await output(id)).text).toBe("got it's\ngot two\nover\n");
  expect((await call("process_control", { action: "input", id, text: "late" })).output).toContain("has ended already");
});

test("killed, a process is gone with everything it started", async () => {
  const { start, call, finished, output } = await execScene();
  const [child, main] = [markedSleep(), markedSleep()];
  const id = await start(`setsid ${child} & ${main}`);
  await eventually(() => processesWith(child.slice(6)).length > 0 && processesWith(main.slice(6)).length > 0);
  const result = await call("process_control", { action: "kill", id });
  expect([result.outcome, result.output]).toEqual(["done", expect.stringMatching(/^p\d+ is ended\./)]);
  // the kernel may still be clearing them away
  await eventually(() => [...processesWith(child.slice(6)), ...processesWith(main.slice(6))], []);
  await eventually(() => finished.length > 0);
  expect(finished).toMatchObject([{ id, end: { exitCode: null, killedByConversation: true } }]);
  expect((await output(id)).state).toContain("stopped");
});

test("stopping the turn during the wait ends the command", async () => {
  const { call, finished } = await execScene();
  const stop = new AbortController();
  const sleep = markedSleep();
  const running = call("exec", { command: sleep, yieldMs: 60_000 }, { signal: stop.signal });
  await eventually(() => processesWith(sleep.slice(6)).length > 0);
  stop.abort("stop");
  expect(await running).toMatchObject({ outcome: "failed", output: "[stopped]" });
  await eventually(() => processesWith(sleep.slice(6)), []);
  expect(finished).toEqual([]);
});

test("a turn that is stopped before the call starts nothing", async () => {
  const { call, workspace } = await execScene();
  const result = await call("exec", { command: "touch ran", background: true }, { signal: AbortSignal.abort("stop") });
  expect(result.outcome).toBe("failed");
  expect(await stat(join(workspace, "ran")).catch(() => "absent")).toBe("absent");
});

test("stopping the turn later does not touch what goes on in the background", async () => {
  const { call, output, workspace } = await execScene();
  const stop = new AbortController();
  const id = idIn(await call("exec", { command: `${untilTold}; echo done`, yieldMs: 100 }, { signal: stop.signal }));
  stop.abort("stop");
  await writeFile(join(workspace, "go"), "");
  await eventually(async () => (await output(id)).state.startsWith("exit code 0"));
  expect((await output(id)).text).toBe("done\n");
});

test("another conversation neither sees nor reaches a process", async () => {
  const { start, call } = await execScene();
  const sleep = markedSleep();
  const id = await start(sleep);
  await eventually(() => processesWith(sleep.slice(6)).length > 0);
  expect((await call("process", { action: "list" }, other)).output).not.toContain(id);
  for (const [tool, action] of [
    ["process", "output"],
    ["process_control", "kill"],
    ["process_control", "input"],
  ] as const) {
    const result = await call(tool, { action, id, text: "x" }, other);
    expect([result.outcome, result.output]).toEqual(["failed", expect.stringContaining(`no process "${id}"`)]);
  }
  expect(processesWith(sleep.slice(6))).not.toEqual([]);
});

test("it runs in the folder it was told, and nowhere else", async () => {
  const { call, workspace } = await execScene();
  await mkdir(join(workspace, "it's here"));
  const result = await call("exec", { command: "pwd\ntouch made", cwd: "it's here/" });
  expect(result.output).toBe(`${workspace}/it's here\n`);
  expect((await stat(join(workspace, "it's here", "made"))).isFile()).toBe(true);
});

test("a folder that is missing, a file or reached by a link is refused before anything runs", async () => {
  const { call, workspace } = await execScene();
  await writeFile(join(workspace, "file"), "");
  await symlink("/usr", join(workspace, "link"));
  await mkdir(join(workspace, "inner"));
  await symlink("inner", join(workspace, "inner-link"));
  for (const cwd of ["nowhere", "file", "link", "link/bin", "inner-link"]) {
    const result = await call("exec", { command: `touch ${workspace}/ran`, cwd });
    expect([cwd, result.outcome]).toEqual([cwd, "failed"]);
    expect(result.output).toMatch(/is not there|is reached by a link/);
  }
  expect(await stat(join(workspace, "ran")).catch(() => "absent")).toBe("absent");
});

test("what runs is word for word what the guard is shown", async () => {
  const { bind, call, workspace } = await execScene();
  await mkdir(join(workspace, "sub"));
  const args = { command: "tr '\\0' '\\n' < /proc/$$/cmdline", cwd: "sub", env: { CI: "it's" } };
  const declared = bind("exec", args).command;
  expect((await call("exec", args)).output).toBe(`bash\n--norc\n--noprofile\n-c\n${declared}\n`);
});

test("a variable is set for the whole command line and its children", async () => {
  const { call } = await execScene();
  const { output } = await call("exec", {
    command: "true; bash -c 'echo \"$NODE_ENV\" | cat'",
    env: { NODE_ENV: "it's 'set'" },
  });
  expect(output).toBe("it's 'set'\n");
});

test("the shell rules judge a command where and with what it will run", async () => {
  const { bind, workspace } = await execScene();
  await mkdir(join(workspace, "sub", "deep"), { recursive: true });
  const verdictOf = (args: { command: string; cwd?: string; env?: Record<string, string> }) =>
    openShellJudge(Settings.parse({}), workspace).judge(bind("exec", args).command ?? "").verdict;
  expect([
    verdictOf({ command: "cat ../x", cwd: "sub" }),
    verdictOf({ command: "cat ../x" }),
    verdictOf({ command: "cat ../../x", cwd: "sub" }),
    verdictOf({ command: "cat ../../x", cwd: "sub/deep" }),
    verdictOf({ command: "ls", env: { CI: "1" } }),
    verdictOf({ command: "ls", env: { PORT: "1" } }),
  ]).toEqual(["allow", "deny", "deny", "allow", "allow", "deny"]);
});

test("the last line of the output is shown while the call waits", async () => {
  const { call, progress } = await execScene();
  await call("exec", { command: "for i in 1 2 3 4; do echo step $i; sleep 0.2; done" });
  expect(progress.length).toBeGreaterThan(0);
  expect(progress.every((line) => /^step \d$/.test(line))).toBe(true);
});

test("the output of a process carries the labels of what it may have read, and so do the files it wrote", async () => {
  const { call, start, finished } = await execScene({ fileLabels: ["web"] });
  const id = await start("echo x > late.txt; sleep 0.2");
  await eventually(() => finished.length > 0);
  expect(finished[0]).toMatchObject({ labels: ["web"] });
  expect(await call("process", { action: "output", id })).toMatchObject({
    labels: ["web"],
    wrote: [{ path: "late.txt", replaced: false }],
  });
});

test("an end that cannot be reported is not lost from sight", async () => {
  const { start, troubles, call } = await execScene({
    onFinished: async () => {
      throw new Error("the disk is full");
    },
  });
  const id = await start("true");
  await eventually(() => troubles.length > 0);
  expect(troubles).toEqual([expect.stringContaining(id)]);
  expect((await call("process", { action: "list" })).output).toContain("exit code 0");
});

test("a background command cannot change what steers the assistant either", async () => {
  const { start, workspace, finished } = await execScene();
  await writeFile(join(workspace, "AGENTS.md"), "Be kind.");
  await start("echo evil > AGENTS.md; rm -f AGENTS.md; mkdir -p skills; echo evil > skills/x");
  await eventually(() => finished.length > 0);
  expect(await readFile(join(workspace, "AGENTS.md"), "utf8")).toBe("Be kind.");
});

test("each tool costs the model at most 120 tokens a request", async () => {
  const { tools } = await execScene();
  for (const [name, { declaration }] of tools)
    expect([name, JSON.stringify(declaration).length / 4 <= 120]).toEqual([name, true]);
});
