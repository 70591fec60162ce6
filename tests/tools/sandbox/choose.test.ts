import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxUser } from "../../../src/tools/programs/workspace-owner.ts";
import { markBeginning } from "../../../src/tools/sandbox/bwrap/left-boxes.ts";
import { chooseSandbox } from "../../../src/tools/sandbox/choose-sandbox.ts";
import { openSystemdScope } from "../../../src/tools/sandbox/limits/systemd-scope.ts";
import { runProbeBattery } from "../../../src/tools/sandbox/probe-battery.ts";
import { eventually } from "../../scenes/eventually.ts";
import { bwrapWith, isRoot, processesWith, runToEnd, sandboxDeps } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";

test("by itself Steward takes bubblewrap and has tried it out", async () => {
  const { stewardHome, command } = await sandboxScene();
  const chosen = await chooseSandbox(sandboxDeps(stewardHome));
  if (!("sandbox" in chosen)) throw new Error(chosen.unavailable);
  expect(chosen.sandbox.name).toBe("bwrap");
  expect((await runToEnd(chosen.sandbox, command("echo works"))).text).toBe("works\n");
});

test("the quick probes look at everything", async () => {
  const { stewardHome } = await sandboxScene();
  const user = isRoot ? { user: sandboxUser } : {};
  const place = { folder: tmpdir(), node: process.execPath, ...user };
  const results = await runProbeBattery(place, await bwrapWith(stewardHome), "quick");
  expect(results.length).toBeGreaterThan(30);
});

test("without bubblewrap commands are off, and one line says what to install", async () => {
  const { stewardHome, base } = await sandboxScene();
  const chosen = await chooseSandbox({ ...sandboxDeps(stewardHome), programFolders: [base] });
  expect(chosen).toEqual({
    unavailable: "bubblewrap is not installed: apt-get install bubblewrap. Until then commands are off.",
  });
});

test("a bubblewrap that others can write is refused", async () => {
  const { stewardHome, base } = await sandboxScene();
  await writeFile(join(base, "bwrap"), "#!/bin/sh\necho bubblewrap 9.9\n");
  await chmod(join(base, "bwrap"), 0o777);
  const chosen = await chooseSandbox({ ...sandboxDeps(stewardHome), programFolders: [base] });
  expect(chosen).toMatchObject({ unavailable: expect.stringContaining("is not trusted") });
});

// only root can put a program where it is trusted
if (isRoot) {
  test("a bubblewrap that cannot forbid namespaces is too old", async () => {
    const { stewardHome, base } = await sandboxScene();
    await putProgram(base, "bwrap", "echo bubblewrap 0.6.1");
    const chosen = await chooseSandbox({ ...sandboxDeps(stewardHome), programFolders: [base] });
    expect(chosen).toMatchObject({ unavailable: expect.stringContaining("bubblewrap 0.6.1 is too old") });
  });

  test("a bubblewrap that lets commands out is not used, and nothing of it stays open", async () => {
    const before = heldOpen();
    const { stewardHome, base } = await sandboxScene();
    const script = `[ "$1" = --version ] && { echo bubblewrap 0.9.0; exit; }; while [ "$1" != -- ]; do shift; done; shift; cd ${base}/probe-*/steward/workspace; exec "$@"`;
    await putProgram(base, "bwrap", script);
    const deps = { ...sandboxDeps(stewardHome), temporaryFolder: base, programFolders: [base, "/usr/bin", "/bin"] };
    expect(await chooseSandbox(deps)).toMatchObject({
      unavailable: expect.stringContaining("The sandbox does not hold"),
    });
    await eventually(heldOpen, before);
  });
}

test("a sandbox that is closed leaves no open file and no shell behind, and runs nothing any more", async () => {
  const { stewardHome, command } = await sandboxScene();
  const before = heldOpen();
  const sandbox = await bwrapWith(stewardHome);
  const long = runToEnd(sandbox, command("sleep 0.5"));
  expect((await runToEnd(sandbox, command("echo works"))).text).toBe("works\n");
  await sandbox.close?.();
  await long;
  await eventually(heldOpen, before);
  expect(await readdir(join(stewardHome, "data", "stand-ins"))).toEqual([]);
  expect((await runToEnd(sandbox, command("echo late"))).end.notStarted).toContain("Steward is closing");
  await eventually(heldOpen, before);
});

/** Filters of boxes that this process holds, and shells that wait for its end. */
function heldOpen(): { filters: number; shells: number } {
  const links = readdirSync("/proc/self/fd").map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      // the descriptor by which the folder was read is already closed
      return "";
    }
  });
  const parents = processesWith(markBeginning).map((pid) => {
    try {
      return / (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) \w/, ""))?.[1];
    } catch {
      // it has ended since
      return "";
    }
  });
  return {
    filters: links.filter((link) => /steward-[\w-]+ \(deleted\)$/.test(link)).length,
    shells: parents.filter((parent) => parent === String(process.pid)).length,
  };
}

test("no sandbox at all is only had by asking for it, and says so loudly", async () => {
  const { stewardHome } = await sandboxScene();
  const deps = sandboxDeps(stewardHome);
  const chosen = await chooseSandbox({ ...deps, settings: { ...deps.settings, kind: "none" } });
  expect("sandbox" in chosen && chosen.sandbox.describe()).toMatch(/^NO SANDBOX/);
});

test("on another system the containers are named", async () => {
  const { stewardHome } = await sandboxScene();
  const chosen = await chooseSandbox({ ...sandboxDeps(stewardHome), platform: "darwin" });
  expect(chosen).toMatchObject({ unavailable: expect.stringContaining("docker, podman or apple-container") });
});

test("a container program without the image is off, with the program's own words", async () => {
  const { stewardHome, base } = await sandboxScene();
  await putProgram(base, "container", "echo no such image here >&2; exit 1");
  const deps = sandboxDeps(stewardHome);
  const settings = { ...deps.settings, kind: "apple-container", image: "missing:1" } as const;
  expect(await chooseSandbox({ ...deps, settings, programFolders: [base] })).toEqual({
    unavailable: "container has no image missing:1: no such image here. Until then commands are off.",
  });
});

test("with systemd every command starts in a scope of its own", async () => {
  const { stewardHome, base, command } = await sandboxScene();
  const systemdRun = join(base, "bin", "systemd-run");
  await mkdir(join(base, "bin"));
  await copyFile(join(import.meta.dirname, "../../scenes/sandbox/sandbox-systemd-run.sh"), systemdRun);
  await chmod(systemdRun, 0o755);
  const limits = await openSystemdScope({ systemdRun, isRoot: false, environment: { PATH: "/usr/bin:/bin" } });
  if (!limits) throw new Error("the scope was not taken");
  const sandbox = await bwrapWith(stewardHome, { limits, launchEnvironment: { PATH: "/usr/bin:/bin" } });
  const asked = { ...command("").limits, memoryBytes: 123_000_000, processes: 45 };
  const { text } = await runToEnd(sandbox, command("echo in scope", { limits: asked }));
  expect(text).toBe("in scope\n");
  expect(sandbox.describe()).toContain("systemd scope");
  const calls = await readFile(join(base, "bin", "calls"), "utf8");
  expect(calls).toMatch(/^--user --scope .*MemoryMax=123000000 .*TasksMax=45 -- /m);
});

test("where systemd does not answer, the next layer is taken", async () => {
  const gone = await openSystemdScope({ systemdRun: "/usr/bin/false", isRoot: false, environment: {} });
  expect(gone).toBeUndefined();
});

async function putProgram(folder: string, name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
  await chmod(folder, 0o755);
}
