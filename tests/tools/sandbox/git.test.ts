import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { gitVariables } from "../../../src/tools/sandbox/git-environment.ts";
import { bwrapWith, runToEnd } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";

const looks = [
  "status",
  "status -s",
  "diff",
  "log -p -1 --show-signature",
  "ls-files -m",
  "grep one",
  "show",
  "blame file",
];

// every setting with a fixed name by which git runs a program
const runsPrograms = (mark: string) => `
[core]
	fsmonitor = touch ${mark} #
	pager = touch ${mark}
	editor = touch ${mark} #
	sshCommand = touch ${mark} #
	hooksPath = ${dirname(mark)}/hooks
	alternateRefsCommand = touch ${mark} #
	askPass = touch ${mark}
[log]
	showSignature = true
[gpg]
	program = ${dirname(mark)}/hooks/run
[credential]
	helper = "!touch ${mark} #"
[interactive]
	diffFilter = touch ${mark} #
[uploadpack]
	packObjectsHook = touch ${mark} #
[pager]
	log = touch ${mark}
	status = touch ${mark}
[alias]
	status = "!touch ${mark}"
`;

/** A repository of the host's git, with a changed file and a config that would run programs; `place` moves it. */
async function hostileRepository(inside: string, place: (folder: string) => Promise<void>) {
  const scene = await sandboxScene();
  const folder = join(scene.workspace, inside);
  const mark = join(scene.workspace, "ran");
  await mkdir(join(scene.workspace, "hooks"), { recursive: true });
  const hook = `#!/bin/sh\ntouch ${mark}\n`;
  for (const name of ["run", "pre-commit", "post-index-change", "post-commit", "reference-transaction"])
    await writeFile(join(scene.workspace, "hooks", name), hook, { mode: 0o755 });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "file"), "one\n");
  const as = ["-c", "user.name=a", "-c", "user.email=a@localhost"];
  for (const words of [
    ["init", "-qb", "main"],
    ["add", "file"],
    [...as, "commit", "-qm", "one"],
  ])
    spawnSync("git", words, { cwd: folder, env: { PATH: "/usr/bin:/bin" } });
  await writeFile(join(folder, "file"), "one two\n");
  await writeFile(join(folder, ".git", "config"), runsPrograms(mark), { flag: "a" });
  await place(folder);
  const sandbox = await bwrapWith(scene.stewardHome);
  const run = (script: string) => runToEnd(sandbox, scene.command(`cd ./${inside || "."} && ${script}`));
  return { ...scene, folder, mark, run };
}

const asBare = async (folder: string) => {
  for (const name of ["HEAD", "config", "objects", "refs", "index"])
    await rename(join(folder, ".git", name), join(folder, name));
  await rm(join(folder, ".git"), { recursive: true });
};

const byPointer = async (folder: string) => {
  await rename(join(folder, ".git"), join(folder, "prepared"));
  await writeFile(join(folder, ".git"), "gitdir: prepared\n");
};

test.each([
  ["a repository at the top", "", async () => {}],
  ["a repository one folder down", "project", async () => {}],
  ["the files of a bare repository at the top", "", asBare],
  ["the files of a bare repository one folder down", "project", asBare],
  ["a folder that a file called .git points to", "project", byPointer],
])("%s runs nothing when it is looked at", async (_name, inside, place) => {
  const { mark, run } = await hostileRepository(inside, place);
  for (const look of looks) {
    const { text } = await run(`git ${look}`);
    expect([look, existsSync(mark), text.includes("cannot run")]).toEqual([look, false, false]);
  }
});

test("an ordinary repository can be worked with, and its hooks stay silent", async () => {
  const { mark, run } = await hostileRepository("project", async () => {});
  const { text, end } = await run("git add -A && git commit -qm two && git log --oneline | wc -l && git diff HEAD~1");
  expect([text.split("\n")[0], text.includes("+one two"), end.exitCode, existsSync(mark)]).toEqual([
    "2",
    true,
    0,
    false,
  ]);
});

test("without the settings of ours the same look runs the program", async () => {
  const { mark, run } = await hostileRepository("project", async () => {});
  await run(
    `env ${Object.keys(gitVariables)
      .map((name) => `-u ${name}`)
      .join(" ")} git status`,
  );
  expect(existsSync(mark)).toBe(true);
});
