import { readdirSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { sandboxUser } from "../../../src/tools/programs/workspace-owner.ts";
import { openProbes, runScriptProbes } from "../../../src/tools/sandbox/probe-battery.ts";
import { openProbeScene } from "../../../src/tools/sandbox/probes/probe-scene.ts";
import type { Sandbox, SandboxCommand } from "../../../src/tools/sandbox/sandbox.ts";
import { eventually } from "../../scenes/eventually.ts";
import { bwrapWith, isRoot, processesWith, runToEnd, tellsOrigin } from "../../scenes/sandbox/sandbox-driver.ts";
import { type SandboxScene, sandboxScene, settledNames } from "../../scenes/sandbox/sandbox-scene.ts";
import { boxWaits, processesIn, readersIn } from "../../scenes/sandbox/waiting-boxes.ts";

// the first process of a box shows what the box was started with: the command itself, or the reader that waits for it

type WaitingScene = SandboxScene & {
  sandbox: Sandbox;
  run(script: string, change?: Partial<SandboxCommand>): ReturnType<typeof runToEnd>;
};

/** A sandbox that has run a command, so that a box waits for the next. */
async function waitingScene(prepare?: (scene: SandboxScene) => Promise<void>): Promise<WaitingScene> {
  const scene = await sandboxScene();
  await prepare?.(scene);
  const sandbox = await bwrapWith(scene.stewardHome);
  const run = (script: string, change?: Partial<SandboxCommand>) => runToEnd(sandbox, scene.command(script, change));
  expect((await run(tellsOrigin())).text).toBe("new\n");
  await boxWaits(scene.workspace);
  return { ...scene, sandbox, run };
}

test("the second command alike finds a box that has waited for it, and the box serves nobody else", async () => {
  const { run, workspace } = await waitingScene();
  expect((await run(`${tellsOrigin()} echo kept > /tmp/kept; exit 3`)).end).toMatchObject({ exitCode: 3 });
  await boxWaits(workspace);
  const { text } = await run(`${tellsOrigin()} ls /tmp`);
  expect(text).toMatch(/^waited\nhome\n/);
  expect(text).not.toContain("kept");
});

test("every probe is closed in a box that has waited", async () => {
  const { stewardHome } = await sandboxScene();
  const sandbox = await bwrapWith(stewardHome);
  const scene = await openProbeScene({
    folder: tmpdir(),
    node: process.execPath,
    ...(isRoot ? { user: sandboxUser } : {}),
  });
  onTestFinished(scene.close);
  const command = (script: string) => scene.command(["/bin/sh", "-c", script]);
  await runToEnd(sandbox, command("true"));
  await boxWaits(scene.workspace);
  const telling: Sandbox = {
    ...sandbox,
    run: (asked) =>
      sandbox.run({ ...asked, argv: ["/bin/sh", "-c", `(${tellsOrigin()}) > origin; exec "$@"`, "sh", ...asked.argv] }),
  };
  const results = await runScriptProbes(telling, scene);
  expect(openProbes(results)).toEqual([]);
  expect(results.length).toBeGreaterThan(30);
  expect(await readFile(join(scene.workspace, "origin"), "utf8")).toBe("waited\n");
});

test("while a box waits nothing of it is seen in the workspace", async () => {
  const { workspace } = await waitingScene();
  expect(readdirSync(workspace)).toEqual([]);
});

test("names that are missing are held in a box that has waited, and leave nothing behind", async () => {
  const { run, workspace } = await waitingScene();
  const { text } =
    await run(`${tellsOrigin()} for f in .npmrc MEMORY.md USER.md; do echo evil > $f; rm -f $f; mv $f gone; done
    echo evil > memory/note; mv memory gone; mkdir -p .git/hooks; ls -A | wc -l`);
  expect(text).toMatch(/^waited\n/);
  expect(text.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(5);
  expect(await settledNames(workspace)).toEqual([]);
});

test.each([
  {
    what: "replaced",
    change: async (workspace: string) => {
      await writeFile(join(workspace, "new"), "rules two");
      await rename(join(workspace, "new"), join(workspace, "AGENTS.md"));
    },
    left: "rules two",
  },
  {
    what: "removed and written again",
    change: async (workspace: string) => {
      await rm(join(workspace, "AGENTS.md"));
      await writeFile(join(workspace, "AGENTS.md"), "rules three");
    },
    left: "rules three",
  },
])("a protected file that was $what while a box waited is protected all the same", async ({ change, left }) => {
  const { run, workspace } = await waitingScene(({ workspace }) => writeFile(join(workspace, "AGENTS.md"), "rules"));
  await change(workspace);
  const { text } = await run(`${tellsOrigin()} echo evil >> AGENTS.md; rm -f AGENTS.md; cat AGENTS.md`);
  expect(text).toMatch(/^new\n/);
  expect(text).toContain(left);
  expect(await readFile(join(workspace, "AGENTS.md"), "utf8")).toBe(left);
});

test("a protected file that the owner made while a box waited is protected", async () => {
  const { run, workspace } = await waitingScene();
  await writeFile(join(workspace, "MEMORY.md"), "a note");
  const { text } = await run(`${tellsOrigin()} cat MEMORY.md; echo evil > MEMORY.md; rm -f MEMORY.md`);
  expect(text).toMatch(/^new\na note/);
  expect(await readFile(join(workspace, "MEMORY.md"), "utf8")).toBe("a note");
});

test("a protected file that was removed while a box waited cannot be made", async () => {
  const { run, workspace } = await waitingScene(({ workspace }) => writeFile(join(workspace, "SOUL.md"), "me"));
  await rm(join(workspace, "SOUL.md"));
  await run("echo evil > SOUL.md; rm -f SOUL.md; echo evil > SOUL.md");
  expect(await settledNames(workspace)).toEqual([]);
});

test("a protected file changed in place is seen as it is now", async () => {
  const { run, workspace } = await waitingScene(({ workspace }) => writeFile(join(workspace, "TOOLS.md"), "old"));
  await writeFile(join(workspace, "TOOLS.md"), "fresh");
  expect((await run(`${tellsOrigin()} cat TOOLS.md; echo evil > TOOLS.md`)).text).toMatch(/^waited\nfresh/);
  expect(await readFile(join(workspace, "TOOLS.md"), "utf8")).toBe("fresh");
});

test("a workspace that was replaced while a box waited is seen as it is now", async () => {
  const { run, workspace } = await waitingScene();
  await rm(workspace, { recursive: true });
  await mkdir(workspace);
  await writeFile(join(workspace, "fresh"), "");
  expect((await run(`${tellsOrigin()} ls`)).text).toMatch(/^new\n.*fresh\n/s);
});

test("another environment, folder or limit is never served by a box made without it, which goes on waiting", async () => {
  const { run, command, workspace } = await waitingScene(({ workspace }) => mkdir(join(workspace, "sub")));
  const changes: Partial<SandboxCommand>[] = [
    { environment: { GIVEN: "1" } },
    { cwd: join(workspace, "sub") },
    { limits: { ...command("").limits, processes: 77 } },
  ];
  for (const change of changes) expect((await run(tellsOrigin(), change)).text).toBe("new\n");
  expect((await run(tellsOrigin())).text).toBe("waited\n");
});

test("a kind of command that has come twice gets the box that waits", async () => {
  const { run, workspace } = await waitingScene();
  const other = { environment: { GIVEN: "1" } };
  const [before] = readersIn(workspace);
  for (let count = 0; count < 2; count++) expect((await run(tellsOrigin(), other)).text).toBe("new\n");
  await eventually(() => !readersIn(workspace).includes(before ?? 0));
  // one that comes before the new box is ready, or while the old one is cleared away, gets a box of its own
  await eventually(async () => {
    await boxWaits(workspace);
    return (await run(`${tellsOrigin()} echo $GIVEN`, other)).text;
  }, "waited\n1\n");
});

test("a box that has waited hands a command its input, or none", async () => {
  const { run, workspace, sandbox, command } = await waitingScene();
  expect((await run(`${tellsOrigin()} cat; echo end`, { stdin: "héllo\n" })).text).toBe("waited\nhéllo\nend\n");
  await boxWaits(workspace);
  const none = await run(`${tellsOrigin()} test -c /dev/stdin && echo null; cat`, { stdin: "" });
  expect(none.text).toBe("waited\nnull\n");
  await boxWaits(workspace);
  const running = sandbox.run(command(`${tellsOrigin()} read name; echo hello $name`, { interactive: true }));
  let text = "";
  for await (const piece of running.output) {
    text += piece.text;
    if (text === "waited\n") running.write("Ada\n");
  }
  expect(text).toBe("waited\nhello Ada\n");
});

test("a sandbox that is closed has no box waiting, and refuses what comes", async () => {
  const { run, workspace, sandbox } = await waitingScene();
  await sandbox.close?.();
  await eventually(() => processesIn(workspace).length === 0);
  expect((await run(tellsOrigin())).end.notStarted).toContain("Steward is closing");
  await sleep(400);
  expect(processesIn(workspace)).toEqual([]);
});

test("a command in a box that has waited holds no more open descriptors than one in a new box", async () => {
  const { run, command, workspace } = await waitingScene();
  const list = () => `${tellsOrigin()} ls /proc/self/fd`;
  const fresh = (await run(list(), { limits: { ...command("").limits, processes: 77 } })).text.split("\n");
  expect(fresh.slice(0, 4)).toEqual(["new", "0", "1", "2"]);
  for (const change of [{}, { stdin: "given" }]) {
    await boxWaits(workspace);
    const [origin, ...held] = (await run(list(), change)).text.split("\n");
    expect(origin).toBe("waited");
    expect(fresh).toEqual(expect.arrayContaining(held));
  }
});

test("the environment in a box that has waited holds only what Steward puts there", async () => {
  const { run } = await waitingScene();
  const { text } = await run("env | grep -v ^GIT_ | cut -d= -f1 | sort | tr '\\n' ' '");
  expect(text).toBe("EMAIL HOME LANG PATH PWD TERM npm_config_update_notifier ");
});

test("while one command runs on, the next finds a box", async () => {
  const { sandbox, run, command, workspace } = await waitingScene();
  const stop = new AbortController();
  const long = runToEnd(sandbox, command("sleep 96.5432", { signal: stop.signal }));
  await eventually(() => processesWith("96.5432").length > 0);
  await boxWaits(workspace);
  expect((await run(tellsOrigin())).text).toBe("waited\n");
  stop.abort();
  await long;
});

test("a command that ends while a box is being made leaves no stand-ins in sight", async () => {
  const { run, workspace } = await waitingScene();
  // the box is begun two seconds into a command
  for (const seconds of ["1.99", "2.0", "2.01"]) {
    await boxWaits(workspace);
    await run(`sleep ${seconds}`);
    expect(readdirSync(workspace)).toEqual([]);
  }
});

test("a command that was stopped before it began leaves no box behind", async () => {
  const { run, workspace } = await waitingScene();
  const [before] = readersIn(workspace);
  const { end } = await run("echo ran > file", { signal: AbortSignal.abort() });
  expect(end).toMatchObject({ killed: true });
  await eventually(() => !readersIn(workspace).includes(before ?? 0));
  await boxWaits(workspace);
  expect(await settledNames(workspace)).toEqual([]);
});

test("what was changed in the workspace while a box waited is seen", async () => {
  const { run, workspace } = await waitingScene(({ workspace }) => writeFile(join(workspace, "gone"), ""));
  await mkdir(join(workspace, "fresh"));
  await writeFile(join(workspace, "fresh", "file"), "new");
  await rm(join(workspace, "gone"));
  expect((await run(`${tellsOrigin()} cat fresh/file; test -e gone || echo " without"`)).text).toBe(
    "waited\nnew without\n",
  );
});

test("what is on the command line arrives as it is, quotes, line breaks and all", async () => {
  const { run } = await waitingScene();
  const words = ["'", '"', "a  b", "$HOME `id` \\ \\n", "two\nlines\n", "", "*", "--", "#!~&|;<>()"];
  const script = `${tellsOrigin()} printf '[%s]' "$@"`;
  const { text } = await run("", { argv: ["/bin/sh", "-c", script, "sh", ...words] });
  expect(text).toBe(`waited\n${words.map((word) => `[${word}]`).join("")}`);
});

test("letters beyond ASCII arrive as they are, and very long commands get a box of their own", async () => {
  const { run, workspace } = await waitingScene();
  expect((await run(`${tellsOrigin()} echo naïve 日本 🦊`)).text).toBe("waited\nnaïve 日本 🦊\n");
  await boxWaits(workspace);
  expect((await run(`${tellsOrigin()} echo ${"x".repeat(20_000)} | wc -c`)).text).toBe("waited\n20001\n");
  await boxWaits(workspace);
  expect((await run(`${tellsOrigin()} echo ${"x".repeat(50_000)} | wc -c`)).text).toBe("new\n50001\n");
});

test("a program that does not exist is the command's own failure there too", async () => {
  const { run } = await waitingScene();
  const { end } = await run("", { argv: ["no-such-program"] });
  expect(end).toMatchObject({ exitCode: 127 });
  expect(end.notStarted).toBeUndefined();
});

test("a command in a box that has waited is ended whole, by its owner or by the clock", async () => {
  const { run, command, workspace, sandbox } = await waitingScene();
  const stop = new AbortController();
  const script = `${tellsOrigin()} (trap '' TERM HUP; sleep 95.4321) & echo on; sleep 95.4321`;
  const running = sandbox.run(command(script, { signal: stop.signal }));
  let text = "";
  for await (const piece of running.output) {
    text += piece.text;
    if (text.includes("on\n")) stop.abort();
  }
  expect(text).toMatch(/^waited\n/);
  expect(await running.finished).toMatchObject({ killed: true });
  await boxWaits(workspace);
  const slow = await run("sleep 95.4321", { limits: { ...command("").limits, wallMs: 200 } });
  expect(slow.end).toMatchObject({ timedOut: true });
  await eventually(() => processesWith("95.4321"), []);
});
