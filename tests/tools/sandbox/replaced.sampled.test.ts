// The owner's editor replaces a protected file while a command runs: the mount over it is gone, and so is the command.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openRedactor } from "../../../src/guard/redaction/redactor.ts";
import { isLong } from "../../scenes/sample.ts";
import { bwrapWith } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";

const rounds = isLong ? 200 : 12;
const counts = { ended: 0, copied: 0 };
afterAll(() => console.log(`${counts.ended} commands ended, ${counts.copied} had copied the new file by then`));

const byRename = (path: string, text: string) => {
  const beside = join(dirname(path), "saved");
  writeFileSync(beside, text);
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

/** Polls the file as fast as a shell can, tells what it sees and keeps a copy; the owner acts when it has begun. */
async function pollWhile(
  { sandbox, command }: Pick<Awaited<ReturnType<typeof scene>>, "sandbox" | "command">,
  path: string,
  act: () => void,
) {
  const poll = `echo begun; while :; do while read -r line; do echo "$line"; echo "$line" > copy; done < ${path}; done`;
  const running = sandbox.run(command(poll));
  let text = "";
  for await (const piece of running.output) {
    if (text === "") act();
    text += piece.text;
  }
  return { text, end: await running.finished };
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
    const { text, end } = await pollWhile(stage, path, () => replace(stage.file, `KEY=${value}\n`));
    expect([round, text.includes("value"), end.killed]).toEqual([round, false, true]);
    expect(text).toContain("came into the workspace from outside while the command ran");
    counts.ended += 1;
    // what it may have written down in between is masked when it is read
    const copy = readIfThere(join(stage.workspace, "copy"));
    if (copy !== "") counts.copied += 1;
    expect(stage.redactor.redact(copy)).not.toContain(value);
    rmSync(join(stage.workspace, "copy"), { force: true });
  }
});

test("a file with keys that comes into an old folder ends the command that runs", async () => {
  const stage = await scene("a/plain");
  const { text } = await pollWhile(stage, "b/.env", () => {
    byRename(join(stage.workspace, "a", ".env"), "KEY=newly-made-value\n");
  });
  expect(text).toContain('"a/.env" came into the workspace');
});

test("a file in a folder with an umlaut is told by its name, and its keys are masked", async () => {
  const stage = await scene("Büro/.env");
  const { text } = await pollWhile(stage, "Büro/.env", () => byRemoval(stage.file, "KEY=value-in-the-office\n"));
  expect(text).toContain('"Büro/.env" ');
  expect(stage.redactor.redact("value-in-the-office")).toContain("[redacted");
});

test("what a command brings in a folder of its own does not end it", async () => {
  const { sandbox, command } = await scene("a/plain");
  const running = sandbox.run(command("mkdir p; echo KEY=x > p/.env; sleep 0.5; cat p/.env"));
  let text = "";
  for await (const piece of running.output) text += piece.text;
  expect(text).toBe("KEY=x\n");
});

test("a change within a protected file is no reason to end a command", async () => {
  const stage = await scene(".env");
  const running = stage.sandbox.run(stage.command("echo begun; sleep 0.5; cat .env; echo end"));
  let text = "";
  for await (const piece of running.output) {
    if (text === "") writeFileSync(stage.file, "KEY=changed-value\n");
    text += piece.text;
  }
  expect(text).toBe("begun\nend\n");
});

test.each([
  ["within the file", writeFileSync],
  ["by a rename over it", byRename],
  ["by a rename away from it", byBackup],
])("what the owner changes %s while a command runs stays where it is", async (_how, change) => {
  const stage = await scene("a/.npmrc");
  const running = stage.sandbox.run(stage.command("echo begun; sleep 2"));
  let text = "";
  for await (const piece of running.output) {
    if (text === "") change(stage.file, "changed\n");
    text += piece.text;
  }
  await running.finished;
  expect([readFileSync(stage.file, "utf8"), text.includes("set aside")]).toEqual(["changed\n", false]);
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

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // the command was ended before it came to write it
    return "";
  }
}
