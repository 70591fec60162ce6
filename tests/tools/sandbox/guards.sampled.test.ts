// Each guard is taken away in turn; the probe that watches it must notice. Otherwise the battery proves nothing.
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sandboxUser } from "../../../src/tools/programs/workspace-owner.ts";
import { type BwrapPlan, bwrapArguments } from "../../../src/tools/sandbox/bwrap/bwrap-arguments.ts";
import type { BwrapDeps } from "../../../src/tools/sandbox/bwrap/bwrap-sandbox.ts";
import { processLimitsOnly } from "../../../src/tools/sandbox/limits/process-limits.ts";
import { openNoSandbox } from "../../../src/tools/sandbox/no-sandbox.ts";
import { openProbes, runProbeBattery } from "../../../src/tools/sandbox/probe-battery.ts";
import type { Sandbox } from "../../../src/tools/sandbox/sandbox.ts";
import { isLong, sample } from "../../scenes/sample.ts";
import { bwrapWith, isRoot } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";

type Guard = {
  without: string;
  change: Partial<BwrapDeps>;
  opens: readonly string[];
  extent?: "all";
  /** What must be there for the hole to show. */
  prepare?(): void;
};

/** Leaves words out of bwrap's command line, where they stand in this order. */
const leaveOut = (...words: string[]): Partial<BwrapDeps> => ({
  buildArguments: (plan) => {
    const all = bwrapArguments(plan);
    const at = all.findIndex((_, position) => words.every((word, offset) => all[position + offset] === word));
    if (at < 0) throw new Error(`${words.join(" ")} is not among the words`);
    return all.toSpliced(at, words.length);
  },
});
const add = (words: (plan: BwrapPlan) => string[], before = "--remount-ro"): Partial<BwrapDeps> => ({
  buildArguments: (plan) => {
    const all = bwrapArguments(plan);
    return all.toSpliced(before === "--remount-ro" ? all.lastIndexOf(before) : all.indexOf(before), 0, ...words(plan));
  },
});
const change = (alter: (plan: BwrapPlan) => BwrapPlan): Partial<BwrapDeps> => ({
  buildArguments: (plan) => bwrapArguments(alter(plan)),
});
const withoutFilter: typeof bwrapArguments = (plan) => {
  const all = bwrapArguments(plan);
  return all.toSpliced(all.indexOf("--seccomp"), 2);
};
const withoutProtection = (name: string) =>
  change((plan) => ({ ...plan, protections: plan.protections.filter((one) => one.name !== name) }));
const stewardHomeOf = (plan: BwrapPlan) => dirname(plan.workspace.target);
const baseOf = (plan: BwrapPlan) => dirname(stewardHomeOf(plan));

const coveredFirstProcess = [...["--size", "4096", "--perms", "0555", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1"]];

const guards: readonly Guard[] = [
  {
    without: "--disable-userns and a filter of system calls",
    change: { buildArguments: (plan) => withoutFilter(plan).filter((word) => word !== "--disable-userns") },
    opens: ["make a user namespace"],
  },
  {
    without: "a filter of system calls",
    change: { buildArguments: withoutFilter },
    opens: ["make system calls that the box forbids", "reach the keys of the session"],
  },
  {
    without: "a covered list of keys",
    change: change((plan) => ({ ...plan, coveredFiles: [] })),
    opens: ["reach the keys of the session"],
    prepare: makeKeyring,
  },
  {
    without: "a network of its own",
    change: leaveOut("--unshare-net"),
    opens: [
      "see the host's TCP ports",
      "see the host's abstract sockets",
      "connect to a TCP port, an abstract socket and a path socket of the host",
    ],
    extent: "all",
  },
  {
    without: "processes of its own",
    change: leaveOut("--unshare-pid"),
    opens: ["see a process of the host", "signal a process of the host"],
  },
  { without: "a read-only root", change: leaveOut("--remount-ro", "/"), opens: ["write /", "write /etc"] },
  {
    without: "a cleared environment",
    change: { ...leaveOut("--clearenv"), launchEnvironment: { SECRET: "s" } },
    opens: ["see the environment of Steward"],
  },
  {
    without: "a covered first process",
    change: leaveOut(...coveredFirstProcess),
    opens: ["write into the memory of the first process"],
  },
  {
    without: "a covered first process and an empty environment for it",
    change: { ...leaveOut(...coveredFirstProcess), launchEnvironment: { SECRET: "s" } },
    opens: ["see the environment of the first process"],
  },
  {
    without: "dropped capabilities",
    change: add(() => ["--cap-add", "ALL"]),
    opens: ["hold a capability"],
  },
  {
    without: "Steward's folder kept out",
    change: add((plan) => [
      "--ro-bind",
      join(stewardHomeOf(plan), "config.json"),
      join(stewardHomeOf(plan), "config.json"),
    ]),
    opens: ["read Steward's own folder"],
  },
  {
    without: "the rest of the disk kept out",
    change: add((plan) => ["--bind", join(baseOf(plan), "outside"), join(baseOf(plan), "outside")]),
    opens: [
      "read a file outside the workspace",
      "write through a link that leads outside",
      "connect to a TCP port, an abstract socket and a path socket of the host",
    ],
    extent: "all",
  },
  { without: "an empty .env", change: withoutProtection(".env"), opens: ["read .env"] },
  { without: "AGENTS.md read-only", change: withoutProtection("AGENTS.md"), opens: ["change a protected file"] },
  {
    without: "a stand-in for .npmrc",
    change: withoutProtection(".npmrc"),
    opens: ["create a missing protected file"],
  },
  {
    without: "a stand-in for skills",
    change: withoutProtection("skills"),
    opens: ["create a file in a missing protected folder"],
  },
  { without: "git hooks read-only", change: withoutProtection(".git/hooks"), opens: ["plant a git hook"] },
  {
    without: "a stand-in for commondir",
    change: withoutProtection(".git/commondir"),
    opens: ["change the git settings"],
  },
  { without: "the git folder held in place", change: withoutProtection(".git"), opens: ["move the git folder away"] },
  {
    without: "limits on memory and processes",
    // a layer that claims to count the whole command and does not
    change: { limits: { ...processLimitsOnly, countsWholeCommand: true } },
    opens: ["use more memory than allowed", "start more processes than allowed"],
    extent: "all",
  },
];

for (const guard of sample(guards, 8)) {
  test(`without ${guard.without}, the battery reports the hole`, async () => {
    guard.prepare?.();
    const { stewardHome } = await sandboxScene();
    const found = await holesOf(await bwrapWith(stewardHome, guard.change), guard.extent ?? "quick");
    expect(found).toEqual(expect.arrayContaining([...guard.opens]));
  });
}

/** Whoever has never used a key has no list of them; asking for their own ring of keys makes it. */
function makeKeyring(): void {
  const keyctl = process.arch === "arm64" ? 219 : 250;
  execFileSync("perl", ["-e", `exit(syscall(${keyctl}, 0, -4, 1) < 0)`], isRoot ? sandboxUser : {});
}

test("what outlives bwrap is ended with its box", async () => {
  const { stewardHome } = await sandboxScene();
  // a cgroup would end it as well
  const change = { ...leaveOut("--die-with-parent"), limits: processLimitsOnly };
  expect(await holesOf(await bwrapWith(stewardHome, change), "all")).not.toContain("leave a process behind");
});

test("the filter of system calls alone lets nobody make a user namespace", async () => {
  const { stewardHome } = await sandboxScene();
  expect(await holesOf(await bwrapWith(stewardHome, leaveOut("--disable-userns")), "quick")).toEqual([]);
});

// a plain user cannot open /proc/sys for writing anyway
if (isRoot) {
  test("the change of user alone closes /proc/sys", async () => {
    const { stewardHome } = await sandboxScene();
    const sandbox = await bwrapWith(stewardHome, leaveOut("--ro-bind", "/proc/sys", "/proc/sys"));
    expect(await holesOf(sandbox, "quick")).toEqual([]);
  });

  test("as root, without a change of user and a bound /proc/sys, kernel settings can be written", async () => {
    const { stewardHome } = await sandboxScene();
    const sandbox = await bwrapWith(stewardHome, {
      ...leaveOut("--ro-bind", "/proc/sys", "/proc/sys"),
      rootTools: undefined,
    });
    expect(await holesOf(sandbox, "quick", false)).toContain("write /proc/sys");
  });

  test("a folder that Steward's starter left open cannot be reached from inside", async () => {
    expect(await withLeakedFolder("covered")).toEqual([]);
  });
}

if (isLong)
  test("without any sandbox most of the battery is open", async () => {
    const found = await holesOf(openNoSandbox({ prlimit: undefined, temporaryFolder: tmpdir() }), "all");
    expect(found).toEqual(
      expect.arrayContaining([
        "read a file outside the workspace",
        "read Steward's own folder",
        "write beside the workspace",
        "see a process of the host",
        "see the host's TCP ports",
        "connect to a TCP port, an abstract socket and a path socket of the host",
        "gain rights from a setuid program",
        "make a user namespace",
        "read .env",
        "change a protected file",
        "plant a git hook",
        "use more memory than allowed",
        "write a file larger than allowed",
        "leave a process behind",
      ]),
    );
    console.log(`without a sandbox: ${found.length} open`);
    const traces = ["/written", "/etc/written", "/usr/written", "/sys/fs/cgroup/written"];
    expect(traces.filter((path) => existsSync(path))).toEqual([]);
  });

test("without the cover, the open folder is found by the battery", async () => {
  expect(await withLeakedFolder("uncovered")).toEqual(["hold an open descriptor of Steward"]);
});

/** Started by a parent that leaves descriptor 40 open, which Node does not close by itself. */
async function withLeakedFolder(cover: "covered" | "uncovered"): Promise<string[]> {
  const { base, stewardHome } = await sandboxScene();
  await mkdir(join(base, "left-open"));
  const folder = await open(join(base, "left-open"));
  const program = fileURLToPath(import.meta.resolve("../../scenes/sandbox/sandbox-leaked-descriptor.ts"));
  const gap = Array.from({ length: 37 }, () => "ignore" as const);
  const child = spawn(process.execPath, [program, stewardHome, cover], {
    stdio: ["ignore", "pipe", "inherit", ...gap, folder.fd],
  });
  let text = "";
  for await (const piece of child.stdout ?? []) text += piece;
  await folder.close();
  return JSON.parse(text) as string[];
}

async function holesOf(sandbox: Sandbox, extent: "quick" | "all", changesUser = isRoot): Promise<string[]> {
  const deps = { folder: tmpdir(), node: process.execPath, ...(changesUser ? { user: sandboxUser } : {}) };
  return openProbes(await runProbeBattery(deps, sandbox, extent)).map((probe) => probe.name);
}
