import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Settings } from "../../../src/contract/settings.ts";
import type { ToolResult } from "../../../src/contract/tool.ts";
import { realWorld } from "../../../src/contract/world.ts";
import { openCommands } from "../../../src/tools/shell/open-commands.ts";
import { eventually } from "../../scenes/eventually.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

async function scene(sandbox: Record<string, unknown> = {}) {
  const home = await temporaryFolder();
  const workspace = join(home, "workspace");
  await mkdir(workspace);
  await writeFile(join(workspace, "AGENTS.md"), "Be kind.");
  const commands = openCommands({
    settings: Settings.parse({ sandbox }).sandbox,
    home,
    userHome: home,
    workspace,
    socketPath: join(home, "out.sock"),
    environment: { SECRET_TOKEN: "very-secret" },
    hideValues: () => {},
    redact: (text: string) => text,
    onStarted: () => () => {},
    resolveChecked: async () => ({ ok: false, reason: "not here" }),
    onTrouble: (_message, cause) => {
      throw cause;
    },
    world: realWorld,
    firstNumber: 1,
    labelsOfFiles: async () => [],
    onFinished: async () => {},
  });
  onTestFinished(() => commands.close());
  const [bash] = await commands.tools();
  const progress: string[] = [];
  const run = async (command: string, signal = new AbortController().signal): Promise<ToolResult> => {
    const bound = bash?.bind({ command });
    if (!bound?.ok) throw new Error(`no shell: ${await commands.describe()}`);
    return bound.call.run({
      conversation: "c",
      turn: "t",
      callId: "1",
      asker: { kind: "owner", id: "owner" } as const,
      workspace,
      signal,
      progress: (text) => progress.push(text),
    });
  };
  return { home, workspace, run, progress, commands };
}

test("a command runs in the workspace and its output comes back", async () => {
  const { run, workspace } = await scene();
  const result = await run("printf hello > a.txt; cat a.txt; pwd");
  expect([result.outcome, result.output]).toEqual(["done", `hello${workspace}\n`]);
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("hello");
});

test("what a command wrote is told, so that labels can follow it", async () => {
  const { run } = await scene();
  expect((await run("mkdir -p d && printf x > d/new.txt && touch -d 2001-01-01 d/new.txt")).wrote).toContainEqual({
    path: "d/new.txt",
    replaced: false,
  });
});

test("a failing command says its exit code and what it printed", async () => {
  const { run } = await scene();
  expect(await run("echo out; echo err >&2; exit 3")).toMatchObject({
    outcome: "failed",
    output: expect.stringMatching(/out[\s\S]*err[\s\S]*\[exit code 3\]/),
  });
});

test("of a flood of output the beginning and the end are kept", async () => {
  const { run } = await scene();
  const { output } = await run("echo first; for i in $(seq 1 30000); do echo line $i; done; echo last");
  expect([output.length < 110_000, output.startsWith("first"), output.trimEnd().endsWith("last")]).toEqual([
    true,
    true,
    true,
  ]);
});

test("an endless flood is ended instead of filling the memory", async () => {
  const { run } = await scene();
  const { outcome, output } = await run(
    "while true; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done",
  );
  expect([outcome, output.length < 110_000]).toEqual(["failed", true]);
});

test("what it prints is shown while it runs, whole lines only", async () => {
  const { run, progress } = await scene();
  await run("for i in 1 2 3 4; do echo step $i; sleep 0.2; done");
  expect(progress.length).toBeGreaterThan(0);
  expect(progress.every((line) => /^step \d$/.test(line))).toBe(true);
});

test("stopped, it is gone with everything it started", async () => {
  const { run, workspace } = await scene();
  const stop = new AbortController();
  const running = run("(while true; do date > alive.txt; sleep 0.1; done) & sleep 60", stop.signal);
  await eventually(async () => (await stat(join(workspace, "alive.txt"))).isFile());
  stop.abort("stop");
  await running;
  const { mtimeMs } = await stat(join(workspace, "alive.txt"));
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect((await stat(join(workspace, "alive.txt"))).mtimeMs).toBe(mtimeMs);
});

test("a process left in the background is gone when the command is over", async () => {
  const { run } = await scene();
  await run("setsid nohup sleep 31.4159 >/dev/null 2>&1 & disown");
  expect(await commandLines()).not.toContain("sleep 31.4159");
});

async function commandLines(): Promise<string> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return lines.map((line) => line.replaceAll("\0", " ")).join("\n");
}

test("it sees neither Steward's environment nor its files nor the network", async () => {
  const { run, home } = await scene();
  await writeFile(join(home, "auth.json"), "very-secret");
  const { output } = await run(
    `env; cat ${home}/auth.json; cat /etc/shadow; (exec 3<>/dev/tcp/127.0.0.1/22) 2>&1; true`,
  );
  expect(output).not.toContain("very-secret");
  expect(output).not.toContain("root:");
});

test("it cannot change what steers the assistant, however it tries", async () => {
  const { run, workspace } = await scene();
  await run(
    "echo evil > AGENTS.md; rm -f AGENTS.md; mv AGENTS.md x; mkdir -p skills; echo evil > skills/x; echo evil > SOUL.md; true",
  );
  expect(await readFile(join(workspace, "AGENTS.md"), "utf8")).toBe("Be kind.");
  expect(await readFile(join(workspace, "SOUL.md"), "utf8").catch(() => "absent")).toBe("absent");
});

test("without bubblewrap commands are off, and one line says what to install", async () => {
  const { commands } = await scene({ kind: "podman", image: "no-such-image" });
  expect([await commands.tools(), (await commands.describe()).split("\n").length]).toEqual([[], 1]);
  expect(await commands.describe()).toMatch(/podman|Commands are off|Until then commands are off/);
});
