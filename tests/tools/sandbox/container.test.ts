import { spawnSync } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sandboxUser } from "../../../src/tools/programs/workspace-owner.ts";
import type { ContainerProgram } from "../../../src/tools/sandbox/container/container-arguments.ts";
import { type ContainerDeps, openContainerSandbox } from "../../../src/tools/sandbox/container/container-sandbox.ts";
import { removeLeftContainers } from "../../../src/tools/sandbox/container/remove-containers.ts";
import { isRoot, processesWith, runToEnd, sandboxDeps } from "../../scenes/sandbox/sandbox-driver.ts";
import { type SandboxScene, sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";

const image = "steward-sandbox-test:1";
const launchEnvironment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: homedir() };

for (const program of ["docker", "apple-container"] as const) {
  test(`${program}: a command runs through the command line, and its exit code comes back`, async () => {
    const { sandbox, command, calls } = await fakeScene(program);
    const { text, end } = await runToEnd(sandbox, command("pwd; cat; exit 4", { stdin: "given" }));
    expect(end).toMatchObject({ exitCode: 4, killed: false });
    expect(text).toMatch(/workspace\ngiven$/);
    expect((await calls())[0]).toEqual(
      expect.arrayContaining(["run", "--rm", "--read-only", "--cap-drop", "--interactive"]),
    );
  });

  test(`${program}: a command beyond its time is ended by removing its container`, async () => {
    const { sandbox, command, calls } = await fakeScene(program);
    const limits = { ...command("").limits, wallMs: 600 };
    const { end } = await runToEnd(sandbox, command("sleep 96.5432", { limits }));
    expect(end).toMatchObject({ timedOut: true, killed: true });
    expect(processesWith("96.5432")).toEqual([]);
    const [run = [], remove = []] = await calls();
    expect(remove).toEqual([program === "docker" ? "rm" : "delete", "--force", run[run.indexOf("--name") + 1]]);
  });

  test(`${program}: a container that could not be made is no failure of the command`, async () => {
    const { sandbox, command } = await fakeScene(program, { image: "broken:1" });
    const { end } = await runToEnd(sandbox, command("true"));
    expect(end.notStarted).toContain("short-name did not resolve");
  });

  test(`${program}: what an earlier Steward left running is removed, and nobody else's`, async () => {
    const { folder, tool, stewardHome, sandbox, command, calls } = await fakeScene(program);
    await runToEnd(sandbox, command("true"));
    const [run = []] = await calls();
    const left = run[run.indexOf("--name") + 1] ?? "";
    await writeFile(join(folder, `${left}.container`), "0");
    await writeFile(join(folder, "someone-elses.container"), "0");
    await removeLeftContainers({ program, tool, launchEnvironment: fakeEnvironment }, stewardHome);
    expect((await readdir(folder)).filter((name) => name.endsWith(".container"))).toEqual(["someone-elses.container"]);
  });
}

test("Apple's container gets no network, because it cannot pass the proxy's socket on", async () => {
  const { sandbox, command } = await fakeScene("apple-container");
  const { end } = await runToEnd(sandbox, command("true", { network: { kind: "proxy", socketPath: "/run/x" } }));
  expect(end.notStarted).toContain("commands have no network there");
});

test("a folder whose name would begin another mount option is refused", async () => {
  const { sandbox, command, base } = await fakeScene("docker");
  await mkdir(join(base, "a,readonly=false"));
  const { end } = await runToEnd(sandbox, command("true", { readOnly: [join(base, "a,readonly=false")] }));
  expect(end.notStarted).toContain("comma");
});

// What follows runs real containers. Rootless podman needs subordinate ids that a test cannot hand out.
if (isRoot) {
  beforeAll(importImage, 120_000);
  afterAll(() => {
    spawnSync("podman", ["image", "rm", "--force", image]);
  });

  test("podman: the workspace can be written, by a user without rights, without a network", async () => {
    const { sandbox, command, workspace } = await podmanScene();
    const { text, end } = await runToEnd(
      sandbox,
      command(
        "id -u; echo made > file; echo x > /etc/x; grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; ls /sys/class/net > networks",
      ),
    );
    expect(end).toMatchObject({ exitCode: 0 });
    expect(text).toContain(String(sandboxUser.uid));
    expect(text).toMatch(/CapBnd:\t0+\n/);
    expect(text).toContain("NoNewPrivs:\t1\n");
    expect(await readFile(join(workspace, "networks"), "utf8")).toBe("lo\n");
    expect(text).toContain("/etc/x: Read-only file system");
    expect(await readFile(join(workspace, "file"), "utf8")).toBe("made\n");
  });

  test("podman: protected files, present and missing, cannot be changed, and nothing is left behind", async () => {
    const { sandbox, command, workspace } = await podmanScene();
    await writeFile(join(workspace, "AGENTS.md"), "rules");
    await writeFile(join(workspace, ".env"), "KEY=secret");
    const { text } = await runToEnd(
      sandbox,
      command("cat .env; echo x > AGENTS.md; echo x > .npmrc; rm -f .npmrc; echo x > skills/x; mv .git away"),
    );
    expect(text).not.toContain("secret");
    expect(await readFile(join(workspace, "AGENTS.md"), "utf8")).toBe("rules");
    expect((await readdir(workspace)).sort()).toEqual([".env", "AGENTS.md"]);
  });

  test("podman: memory and processes are limited", async () => {
    const { sandbox, command } = await podmanScene();
    const limits = { ...command("").limits, memoryBytes: 64 * 2 ** 20, processes: 20 };
    const hog = await runToEnd(sandbox, command("head -c 300000000 /dev/zero | tail -n 1 | wc -c", { limits }));
    expect(hog.text.trim()).not.toBe("300000000");
    const fork = "i=0; while [ $i -lt 60 ]; do sleep 3 & i=$((i+1)); done; set -- /proc/[0-9]*; echo started $#";
    const bomb = await runToEnd(sandbox, command(fork, { limits }));
    expect(bomb.text).not.toMatch(/started (?:[3-9]\d|\d{3})/);
    expect(bomb.text).toMatch(/can't fork|started/);
  });

  test("podman: a command beyond its time is gone with its container", async () => {
    const { sandbox, command } = await podmanScene();
    const limits = { ...command("").limits, wallMs: 1_500 };
    const { end } = await runToEnd(sandbox, command("trap '' TERM; sleep 95.4321", { limits }));
    expect(end).toMatchObject({ timedOut: true });
    expect(processesWith("95.4321")).toEqual([]);
    expect(spawnSync("podman", ["ps", "-a", "--format", "{{.Names}}"], { encoding: "utf8" }).stdout).not.toContain(
      "steward-",
    );
  });
}

const fakeEnvironment = { PATH: `${join(process.execPath, "..")}:/usr/bin:/bin` };

async function fakeScene(program: ContainerProgram, change: Partial<ContainerDeps> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "steward-fake-cli-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tool = join(folder, "container-cli.mjs");
  await copyFile(join(import.meta.dirname, "../../fakes/fake-container-cli.mjs"), tool);
  await chmod(tool, 0o755);
  const scene = await sandboxScene();
  const sandbox = openContainerSandbox({
    ...depsFor(scene, program, tool),
    launchEnvironment: fakeEnvironment,
    ...change,
  });
  return { ...scene, sandbox, folder, tool, calls };

  async function calls(): Promise<string[][]> {
    const lines = (await readFile(join(folder, "calls.jsonl"), "utf8")).trim().split("\n");
    return lines.map((line) => JSON.parse(line) as string[]);
  }
}

async function podmanScene() {
  const scene = await sandboxScene();
  return {
    ...scene,
    sandbox: openContainerSandbox({ ...depsFor(scene, "podman", "/usr/bin/podman"), runtime: "runc" }),
  };
}

function depsFor(scene: SandboxScene, program: ContainerProgram, tool: string): ContainerDeps {
  const { places, ownUser, newId } = sandboxDeps(scene.stewardHome);
  return {
    ...{ program, tool, places, ownUser, newId, launchEnvironment },
    image,
    runtime: undefined,
    cpus: 1,
  };
}

/** An image from one static program, made without any registry. */
async function importImage(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "steward-image-"));
  for (const name of ["bin", "etc", "tmp", "proc", "sys", "dev", "run"]) await mkdir(join(folder, name));
  await copyFile("/usr/bin/busybox", join(folder, "bin/busybox"));
  const names = ["sh", "cat", "echo", "grep", "head", "id", "ls", "mv", "rm", "sleep", "tail", "wc"];
  for (const name of names) await symlink("busybox", join(folder, "bin", name));
  const archive = `${folder}.tar`;
  const made = [
    spawnSync("tar", ["-C", folder, "-cf", archive, "."], { encoding: "utf8" }),
    spawnSync("podman", ["--runtime", "runc", "import", archive, image], { encoding: "utf8" }),
  ].find((result) => result.status !== 0);
  await rm(folder, { recursive: true });
  await rm(archive, { force: true });
  if (made) throw new Error(`podman cannot be used here: ${made.stderr || made.error?.message}`);
}
