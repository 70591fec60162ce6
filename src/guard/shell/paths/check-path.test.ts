import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultPolicy } from "../../../../tests/scenes/shell-workspace.ts";
import { temporaryFolder } from "../../../../tests/scenes/temporary-folder.ts";
import { checkCommand } from "../check-command.ts";

/** A workspace beside a folder of somebody else, with links of both. */
async function twoFolders() {
  const folder = await temporaryFolder();
  const workspace = join(folder, "workspace");
  const theirs = join(folder, "theirs");
  mkdirSync(workspace);
  mkdirSync(join(theirs, "dir"), { recursive: true });
  writeFileSync(join(theirs, "file"), "theirs");
  symlinkSync(join(folder, "elsewhere"), join(theirs, "dangling"));
  symlinkSync("/etc", join(theirs, "leading"));
  const names = ["file", "dir", "dangling", "leading", "nothing"];
  for (const name of names) symlinkSync(join(theirs, name), join(workspace, `to-${name}`));
  return { policy: defaultPolicy(workspace), names };
}

const commands = [
  "cat #",
  "ls #",
  "head -n 1 #/x",
  "wc -l < #",
  "cp # copy.txt",
  "cp a.txt #",
  "mv # copy.txt",
  "rm #",
  "mkdir #",
  "touch #",
  "echo x > #",
  "echo x >> #",
  "bash #",
  "sh #/x.sh",
  "source #",
  "./#",
  "node #",
  "python3 #",
  "cd # && ls",
  "git -C # status",
  "find # -name x",
  "grep -r x #",
  "tar xf #",
  "test -e #",
  "[[ -f # ]]",
  "ls #/*",
  "ls #*",
  "stat #",
  "ln -s # here",
  "tee #",
  "sort -o # a.txt",
  "diff # a.txt",
];

test.each(commands)("%s says the same of a path outside, whatever lies there", async (command) => {
  const { policy, names } = await twoFolders();
  for (const place of ["../theirs/", "to-"]) {
    const said = names.map((name) => {
      const verdict = checkCommand(policy, command.replaceAll("#", `${place}${name}`));
      return JSON.stringify(verdict).replaceAll(`${place}${name}`, "#");
    });
    expect(new Set(said).size, said.join("\n")).toBe(1);
  }
});
