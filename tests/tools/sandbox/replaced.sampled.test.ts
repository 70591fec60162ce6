// The owner's editor replaces a protected file while a command runs: the mount over it is gone, and so is the command.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openRedactor } from "../../../src/guard/redaction/redactor.ts";
import { isLong } from "../../scenes/sample.ts";
import { bwrapWith, runToEnd } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";

const rounds = isLong ? 100 : 4;
const counts = { ended: 0, copied: 0, setAside: 0 };
afterAll(() => {
  console.log(`${counts.ended} commands ended, ${counts.copied} had copied the new file by then`);
  console.log(`${counts.setAside} files set aside that had been changed after they were saved`);
});

const byRename = (path: string, text: string) => {
  const beside = join(dirname(path), "saved");
  writeFileSync(beside, text);
  // whoever commands run as may write to it
  chmodSync(beside, 0o666);
  renameSync(beside, path);
};
const byBackup = (path: string, text: string) => {
  renameSync(path, `${path}~`);
  writeFileSync(path, text);
  rmSync(`${path}~`);
};
const byRemoval = (path: string, text: string) => {
  rmSync(path);
  writeFileSync(path, text);
};

async function scene(path: string) {
  const { workspace, stewardHome, command } = await sandboxScene();
  const file = join(workspace, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "KEY=first-value-of-all\n");
  const redactor = openRedactor({ known: [] });
  const sandbox = await bwrapWith(stewardHome, { hideValues: redactor.addKnown });
  return { workspace, file, redactor, sandbox, command };
}

/** The owner acts when the command has begun to print. */
async function actAtFirstOutput(
  { sandbox, command }: Pick<Awaited<ReturnType<typeof scene>>, "sandbox" | "command">,
  script: string,
  act: () => void,
) {
  const running = sandbox.run(command(script));
  let text = "";
  for await (const piece of running.output) {
    if (text === "") act();
    text += piece.text;
  }
  return { text, end: await running.finished };
}

/** Polls the file as fast as a shell can, tells what it sees and keeps a copy; the owner acts when it has begun. */
function pollWhile(
  stage: Pick<Awaited<ReturnType<typeof scene>>, "sandbox" | "command">,
  path: string,
  act: () => void,
) {
  const poll = `echo begun; while :; do while read -r line; do echo "$line"; echo "$line" > copy; done < ${path}; done`;
  return actAtFirstOutput(stage, poll, act);
}

test.each([
  [".env", "by a rename over it", byRename],
  [".env", "by a rename away from it", byBackup],
  ["a/b/.env.local", "by a rename over it", byRename],
  ["a/b/.env.local", "by removing it", byRemoval],
])("%s, replaced %s while a command polls it, never reaches the output or the model", async (path, _how, replace) => {
  const stage = await scene(path);
  for (let round = 0; round < rounds; round++) {
    const value = `value-number-${round}-${"x".repeat(round % 7)}`;
    // the last one may have been set aside
    writeFileSync(stage.file, "KEY=first-value-of-all\n");
    const { text, end } = await pollWhile(stage, path, () => replace(stage.file, `KEY=${value}\n`));
    expect([round, text.includes("value"), end.killed]).toEqual([round, false, true]);
    expect(text).toMatch(/(came into the workspace|was replaced) while the command ran/);
    counts.ended += 1;
    // what it may have written down in between is masked when it is read
    const copy = readIfThere(join(stage.workspace, "copy"));
    if (copy !== "") counts.copied += 1;
    expect(stage.redactor.redact(copy)).not.toContain(value);
    rmSync(join(stage.workspace, "copy"), { force: true });
  }
});

const newSecrets: readonly (readonly [string, (workspace: string) => void])[] = [
  ["saved into an old folder", (workspace) => byRename(join(workspace, "a", ".env"), newKey)],
  [
    "in a folder that is moved in",
    (workspace) => {
      const outside = join(workspace, "..", "outside");
      mkdirSync(outside);
      writeFileSync(join(outside, ".env"), newKey);
      renameSync(outside, join(workspace, "p"));
    },
  ],
  [
    "written into a new folder",
    (workspace) => {
      mkdirSync(join(workspace, "p", "q"), { recursive: true });
      writeFileSync(join(workspace, "p", "q", ".env"), newKey);
    },
  ],
];
const newKey = "KEY=newly-made-value\n";

test.each(newSecrets)("a file with keys that the owner brings, %s, ends the command that runs", async (_how, bring) => {
  const stage = await scene("a/plain");
  const script = "echo begun; while :; do cat a/.env p/.env p/q/.env 2>/dev/null; done";
  const { text, end } = await actAtFirstOutput(stage, script, () => bring(stage.workspace));
  expect([text.includes("newly"), end.killed]).toEqual([false, true]);
  expect(text).toMatch(
    /"(a|p|p\/q)\/\.env" came into the workspace while the command ran; .* leave that to the owner\./,
  );
  expect(stage.redactor.redact(newKey)).not.toContain("newly-made-value");
});

test.each([
  ["written at once", "mkdir p; echo KEY=x > p/.env; sleep 5; cat p/.env"],
  ["in a folder for keys that was empty", "mkdir -p p/.ssh; sleep 0.5; echo KEY=x > p/.ssh/k; sleep 5; cat p/.ssh/k"],
  ["first empty", "mkdir p; : > p/.env; sleep 0.5; echo KEY=x >> p/.env; sleep 5; cat p/.env"],
])("a command that makes a file with keys itself, %s, is ended and told what to do", async (_how, script) => {
  const { sandbox, command } = await scene("a/plain");
  const { text, end } = await runToEnd(sandbox, command(script));
  expect([text.includes("KEY"), end.killed]).toEqual([false, true]);
  expect(text).toContain("if the command itself makes this file, leave that to the owner");
});

test.each([
  ["an empty file", "mkdir p; : > p/.env; sleep 0.5; ls -A p", ".env\n"],
  ["an empty folder", "mkdir -p p/.aws; sleep 0.5; ls -A p", ".aws\n"],
  [
    "a package",
    "mkdir -p node_modules/x; echo KEY=x > node_modules/x/.env; sleep 0.5; cat node_modules/x/.env",
    "KEY=x\n",
  ],
])("a command goes on when it brings a place for keys with %s", async (_what, script, printed) => {
  const { sandbox, command } = await scene("a/plain");
  expect((await runToEnd(sandbox, command(script))).text).toBe(printed);
});

const markOfStandIn = "touch -d @1000000007 .git";

test("a command that gives a repository the mark of a stand-in is seen all the same", async () => {
  const stage = await scene(".git/config");
  writeFileSync(join(stage.workspace, ".git", "HEAD"), "ref: refs/heads/main\n");
  const script = `${markOfStandIn}; echo begun; sleep 5`;
  const { text, end } = await actAtFirstOutput(stage, script, () => byRename(stage.file, "[core]\n"));
  expect([end.killed, text]).toEqual([true, expect.stringContaining('".git/config" was replaced')]);
});

test("after a repository was given the mark of a stand-in it is protected as before", async () => {
  const stage = await scene(".git/config");
  writeFileSync(join(stage.workspace, ".git", "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(stage.workspace, ".git", ".git-credentials"), "https://u:secret-of-old@host\n");
  // with all that git obeys there, no stand-in changes its time once more
  for (const name of ["config.worktree", "commondir"]) writeFileSync(join(stage.workspace, ".git", name), "");
  for (const name of ["hooks", "modules", "worktrees"]) mkdirSync(join(stage.workspace, ".git", name));
  await runToEnd(stage.sandbox, stage.command(markOfStandIn));
  const script = "cat .git/.git-credentials; echo x > .git/config; echo y > .git/plain && echo written";
  const { text } = await runToEnd(stage.sandbox, stage.command(script));
  expect([text.includes("secret"), text.includes("written")]).toEqual([false, true]);
  expect(readFileSync(stage.file, "utf8")).toBe("KEY=first-value-of-all\n");
});

test("what a link with a protected name leads to ends a command when it is replaced", async () => {
  const stage = await scene("conf/prod.txt");
  symlinkSync("conf/prod.txt", join(stage.workspace, ".env.local"));
  const { text, end } = await pollWhile(stage, "conf/prod.txt", () => byRename(stage.file, "KEY=value-of-prod\n"));
  expect([text.includes("value"), end.killed]).toEqual([false, true]);
});

test("a file in a folder with an umlaut is told by its name, and its keys are masked", async () => {
  const stage = await scene("Büro/.env");
  const { text } = await pollWhile(stage, "Büro/.env", () => byRemoval(stage.file, "KEY=value-in-the-office\n"));
  expect(text).toContain('"Büro/.env" ');
  expect(stage.redactor.redact("value-in-the-office")).toContain("[redacted");
});

test("a change within a protected file is no reason to end a command", async () => {
  const stage = await scene(".env");
  const { text } = await actAtFirstOutput(stage, "echo begun; sleep 0.5; cat .env; echo end", () =>
    writeFileSync(stage.file, "KEY=changed-value\n"),
  );
  expect(text).toBe("begun\nend\n");
});

test.each([
  ["within the file", writeFileSync],
  ["by a rename over it", byRename],
])("what the owner changes %s while a command runs stays where it is", async (_how, change) => {
  const stage = await scene("a/.npmrc");
  const { text } = await actAtFirstOutput(stage, "echo begun; sleep 2", () => change(stage.file, "changed\n"));
  expect([readFileSync(stage.file, "utf8"), text.includes("set aside")]).toEqual(["changed\n", false]);
});

test("what the owner writes anew while the mount over it is gone is set aside as it is, since a command may have written it", async () => {
  const stage = await scene("a/.npmrc");
  const { text } = await actAtFirstOutput(stage, "echo begun; sleep 2", () => byBackup(stage.file, "changed\n"));
  expect([existsSync(stage.file), readFileSync(placeToldIn(text), "utf8")]).toEqual([false, "changed\n"]);
});

const attacks: readonly (readonly [string, string])[] = [
  ["appends to it", 'with open(path, "r+b", buffering=0) as file: file.seek(0, 2); file.write(b"evil\\n")'],
  ["replaces it", 'open("other", "w").write("evil\\n"); os.rename("other", path)'],
];
const attacked = ["SOUL.md", "MEMORY.md", ".env", "repo/.git/config"].flatMap((path) =>
  attacks.map(([how, code]) => [path, how, code] as const),
);

test.each(attacked)("%s, saved while a command %s in a loop, is the owner's or set aside", async (path, _how, code) => {
  const stage = await scene(path);
  const loop = `import os\nprint("begun", flush=True)\npath = "${path}"\nwhile True:\n  try:\n    ${code}\n  except OSError: pass`;
  for (let round = 0; round < rounds; round++) {
    writeFileSync(stage.file, "KEY=first-value-of-all\n");
    const saved = `KEY=saved-in-round-${round}\n`;
    const { text, end } = await actAtFirstOutput(stage, `exec python3 -c '${loop}'`, () => byRename(stage.file, saved));
    expect([round, end.killed], text).toEqual([round, true]);
    const left = readIfThere(stage.file);
    if (left !== saved) {
      counts.setAside += 1;
      expect([round, left], text).toEqual([round, ""]);
      expect(readFileSync(placeToldIn(text), "utf8")).not.toBe("");
    }
  }
});

test("a folder that the owner replaces while a command writes into it in a loop is set aside", async () => {
  const stage = await scene("skills/own");
  const folder = join(stage.workspace, "skills");
  const loop = "echo begun; while :; do (echo evil > skills/evil) 2>/dev/null; done";
  const { text } = await actAtFirstOutput(stage, loop, () => {
    mkdirSync(`${folder}.new`);
    writeFileSync(join(`${folder}.new`, "own"), "saved\n");
    chmodSync(`${folder}.new`, 0o777);
    renameSync(folder, `${folder}.old`);
    renameSync(`${folder}.new`, folder);
  });
  expect([existsSync(join(folder, "evil")), existsSync(join(folder, "own"))]).toEqual([false, false]);
  expect(readFileSync(join(placeToldIn(text), "own"), "utf8")).toBe("saved\n");
});

test("a busy main thread does not give the command time", async () => {
  const stage = await scene(".env");
  const { text } = await pollWhile(stage, ".env", () => {
    byRename(stage.file, "KEY=value-while-busy\n");
    for (const until = Date.now() + 700; Date.now() < until; );
    // as long as the command lived, it went on writing
    writeFileSync(join(stage.workspace, "copy"), "");
    for (const until = Date.now() + 100; Date.now() < until; );
  });
  expect([text.includes("value"), readIfThere(join(stage.workspace, "copy"))]).toEqual([false, ""]);
});

/** Where the output says that a file lies which was changed once more. */
function placeToldIn(text: string): string {
  return (
    /changed again before the command was ended: it was set aside.*lies in (.*); look at it/.exec(text)?.[1] ?? text
  );
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // the command was ended before it came to write it
    return "";
  }
}
