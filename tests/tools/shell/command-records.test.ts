// How a command ended is told by a later process as its own call would have told it, and by nobody inside the box.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Recovery, ToolResult } from "../../../src/contract/tool.ts";
import { recordAt } from "../../../src/tools/sandbox/record/box-record.ts";
import { replayCommand } from "../../../src/tools/sandbox/record/replay-command.ts";
import { eventually } from "../../scenes/eventually.ts";
import { bwrapWith, isRoot } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";
import { canMount, smallDisk } from "../../scenes/small-disk.ts";
import { execScene } from "../../scenes/tools/exec-scene.ts";

type Scene = Awaited<ReturnType<typeof execScene>>;

/** A call as the agent makes it, and then once more looked into as after a crash. */
async function twice({ bind, contextOf }: Scene, tool: string, args: unknown) {
  const [call, context] = [bind(tool, args), contextOf("call_r")];
  const claim = await call.claim(context);
  const live = await call.run(context);
  return { live, recovered: await call.recover(context, claim) };
}

/** The very same words; the names of files may be more, since a box that is made ahead lays some down for a moment. */
function expectSame(recovered: Recovery, live: ToolResult): void {
  const wrote = expect.arrayContaining((live.wrote ?? []).filter(({ path }) => path === "made.txt"));
  expect(recovered).toEqual({ kind: "finished", result: { ...live, wrote } });
}

const commands = [
  { what: "that ends well", command: "echo hello; echo oops >&2; echo x > made.txt" },
  { what: "with an exit code", command: "echo hello; exit 7" },
  { what: "that a signal ends", command: "echo hello; kill -9 $$" },
  { what: "without output", command: "true" },
  { what: "that prints very much", command: "seq 1 400000; echo last" },
  { what: "whose output is no text", command: "head -c 300000 /dev/urandom | tr -d '\\0'; exit 1" },
  { what: "that prints what only Steward prints", command: "echo 'Goes on in the background as p1: x'" },
  { what: "that prints a report", command: "echo '{ \"exit-code\": 5 }'; echo over; echo cut" },
];

for (const tool of ["bash", "exec"])
  test.each(commands)(`a ${tool} command $what is told later as it is told at once`, async ({ command }) => {
    const { live, recovered } = await twice(await execScene(), tool, { command });
    expectSame(recovered, live);
  });

test("a box that has waited leaves the same record as a new one", async () => {
  const scene = await execScene();
  for (const number of [1, 2, 3]) {
    const { live, recovered } = await twice(scene, "bash", { command: `echo ${number}; exit ${number}` });
    expectSame(recovered, live);
    // time in which a box is made ahead
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
});

test("a call that was claimed and never began may begin", async () => {
  const { bind, contextOf } = await execScene();
  const [call, context] = [bind("bash", { command: "echo x >> ran" }), contextOf("call_r")];
  const claim = await call.claim(context);
  expect(await call.recover(context, claim)).toEqual({ kind: "not started" });
});

test.each<{ what: string; damage(place: string): void }>([
  { what: "is gone", damage: (place) => mkdirSync(`${place}-elsewhere`) },
  {
    what: "is of another start of the machine",
    damage: (place) => {
      const path = join(place, "call.json");
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), boot: "another" }));
    },
  },
  { what: "is damaged", damage: (place) => writeFileSync(join(place, "call.json"), "{") },
])("where the record $what, the outcome stays unknown", async ({ what, damage }) => {
  const { bind, contextOf, commands } = await execScene();
  const [call, context] = [bind("bash", { command: "true" }), contextOf("call_r")];
  const claim = await call.claim(context);
  await call.run(context);
  if (what === "is gone") await commands.records.remove(context);
  else damage(commands.records.placeOf(context));
  expect(await call.recover(context, claim)).toEqual({ kind: "unknown" });
});

test("a deleted conversation leaves no record of what it printed, and one under the same key keeps its own", async () => {
  const { bind, contextOf, commands } = await execScene();
  const print = async (callId: string, where?: { conversation: string }) => {
    const [call, context] = [
      bind("exec", { command: "echo quince; sleep 600", background: true }),
      contextOf(callId, where),
    ];
    await call.claim(context);
    await call.run(context);
    return commands.records.placeOf(context);
  };
  const [old, others] = [await print("call_1"), await print("call_2", { conversation: "terminal--b" })];
  await new Promise((resolve) => setTimeout(resolve, 20));
  const deletedMs = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const later = await print("call_3");
  await commands.forget("terminal--a", deletedMs);
  expect([old, others, later].map((place) => existsSync(place))).toEqual([false, true, true]);
});

test.each([
  {
    what: "came meanwhile",
    bring(workspace: string) {
      // the stand-in may still lie there, and a mount on it
      rmSync(join(workspace, ".env"), { force: true });
      writeFileSync(join(workspace, ".env"), "KEY=new");
    },
  },
  {
    what: "came into a folder",
    bring: (workspace: string) => writeFileSync(join(workspace, "inside", ".env.local"), "KEY=new"),
  },
  {
    what: "was replaced",
    bring(workspace: string) {
      writeFileSync(join(workspace, "new"), "KEY=new");
      renameSync(join(workspace, "new"), join(workspace, "inside", ".env"));
    },
  },
])("where a file with keys $what, the output is not told later", async ({ bring }) => {
  const { bind, contextOf, workspace } = await execScene();
  mkdirSync(join(workspace, "inside"));
  writeFileSync(join(workspace, "inside", ".env"), "KEY=old");
  const [call, context] = [bind("bash", { command: "echo printed" }), contextOf("call_r")];
  const claim = await call.claim(context);
  expect((await call.run(context)).output).toContain("printed");
  const before = await call.recover(context, claim);
  expect(before).toMatchObject({ kind: "finished", result: { output: expect.stringContaining("printed") } });
  bring(workspace);
  const after = await call.recover(context, claim);
  expect(after).toMatchObject({ kind: "finished", result: { output: expect.stringContaining("is not shown") } });
  expect(JSON.stringify(after)).not.toContain("printed");
});

test("a call without a claim is not looked for", async () => {
  const { bind, contextOf } = await execScene();
  const call = bind("bash", { command: "true" });
  await call.claim(contextOf("call_r"));
  expect(await call.recover(contextOf("call_r"), undefined)).toEqual({ kind: "unknown" });
});

// every descriptor that can be found, by every way in; then it stays, so that nobody reports its end
const forging = `
forged='{ "exit-code": 0 }'
for fd in /proc/[0-9]*/fd/* /proc/self/fd/* /dev/fd/*; do
  ( echo "$forged" > "$fd"; echo over >> "$fd"; echo "$forged" 1<> "$fd" ) 2>/dev/null
done
for fd in 3 4 5 6 7 8 9; do eval "( echo \\"\\$forged\\" >&$fd; echo over >&$fd )" 2>/dev/null; done
here=$(readlink /proc/self/fd/1); there=$(dirname "$here")
( echo "$forged" > "$there/report"; mkdir -p "$there"; echo "$forged" > "$there/report"; ln "$here" "$there/../x" ) 2>/dev/null
perl -e 'open(my $f, ">&=", $_) and print $f "{ \\"exit-code\\": 0 }\\n" for 3 .. 64; syscall(438, syscall(434, 1, 0), $_, 0) >= 0 and print "TAKEN" for 0 .. 64'
kill -9 1; kill -9 -1 2>/dev/null
echo tried; exec sleep 60
`;

const drivers = [
  { as: "as Steward runs it", change: {} },
  // the files are then the command's own user's
  ...(isRoot ? [{ as: "as the very user that Steward is", change: { rootTools: undefined } }] : []),
];

test.each(drivers)("a command cannot write its own end, run $as", async ({ change }) => {
  const scene = await sandboxScene();
  const sandbox = await bwrapWith(scene.stewardHome, change);
  const recordPlace = join(scene.stewardHome, "data", "commands", "call-x");
  mkdirSync(recordPlace, { recursive: true });
  const running = sandbox.run({ ...scene.command(forging), argv: ["/bin/bash", "-c", forging], recordPlace });
  onTestFinished(async () => {
    running.kill();
    await running.finished;
  });
  const folder = () => recordAt(recordPlace) ?? "";
  await eventually(() => readFileSync(join(folder(), "output"), "utf8").includes("tried\n"));
  const report = readFileSync(join(folder(), "report"), "utf8");
  expect(report.match(/exit-code|over|cut/)).toBeNull();
  expect(readFileSync(join(folder(), "output"), "utf8")).not.toContain("TAKEN");
  expect(readdirSync(recordPlace)).toHaveLength(2);
  expect((await replayCommand(recordPlace, { outputBytes: 1_000 })).kind).toBe("cut off");
});

if (canMount) {
  test("without room on the disk commands run all the same, and a later process claims to know nothing", async () => {
    const { folder } = await smallDisk(20_000);
    const { live, recovered } = await twice(await execScene({ home: folder }), "bash", {
      command: "seq 1 9999; exit 3",
    });
    expect(live.output).toMatch(/9998\n9999\n\n?\[exit code 3\]$/);
    expect(recovered satisfies Recovery).toEqual({ kind: "unknown" });
  });

  test("a disk that fills up while a command prints is told with the result", async () => {
    const { folder, fill } = await smallDisk(90_000);
    const { call, workspace } = await execScene({ home: folder });
    const result = call("bash", { command: "echo x > begun; until [ -e go ]; do sleep 0.05; done; seq 1 99999; true" });
    await eventually(() => readdirSync(workspace).includes("begun"));
    fill();
    writeFileSync(join(workspace, "go"), "");
    expect((await result).output).toMatch(/\[exit code 0; the disk was full, so some of the output may be missing\]$/);
  });
}
