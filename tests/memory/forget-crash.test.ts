// However a process ends while it forgets: either nothing has happened, or the next start does the rest.
import { spawn } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { refusalOf } from "../../src/gateway/http/refusal.ts";
import { checkStore } from "../../src/store/doctor/check-store.ts";
import { eventually } from "../scenes/eventually.ts";
import { auditProblems, filesWith, forgetScene } from "../scenes/memory/forget-scene.ts";
import { canMount, smallDisk } from "../scenes/small-disk.ts";
import { ended } from "../scenes/steward-process.ts";
import { conversation } from "../scenes/stores.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const word = "quincebramble";

/** A home in which the word was said and written down, and everything that speaks of it. */
async function homeWithWord(home: string) {
  const first = await forgetScene({ home });
  await mkdir(join(first.workspace, "memory"), { recursive: true });
  const write = (text: string, version: string | null) =>
    first.call("notes.write", { path: "memory/m.md", text, version }) as Promise<{ version: string }>;
  await write(`${word}\n${word}\nplain\n`, (await write(`${word}\nplain\n`, null)).version);
  await first.say(`tell me of ${word}`);
  await first.until("turn.finished");
  await first.store.flush();
  const [message] = await first.until("message.received");
  await first.close();
  return {
    workspace: first.workspace,
    // of two lines that say the same only the first
    chosen: {
      lines: [{ path: "memory/m.md", line: 1, text: word }],
      messages: [{ sessionKey: conversation, seq: message?.seq ?? 0 }],
    },
  };
}

async function forgetInProcess(
  home: string,
  { workspace, chosen }: Awaited<ReturnType<typeof homeWithWord>>,
  dies: { killAt?: string; at?: string },
): Promise<number | NodeJS.Signals | null> {
  const preload = join(root, "tests/scenes/kill-at-event.ts");
  const script = join(root, "tests/scenes/memory/forget-process.ts");
  const child = spawn(
    join(root, "node_modules/node/bin/node"),
    ["--import", preload, script, home, workspace, dies.at ?? ""],
    {
      env: { ...(dies.killAt && { KILL_AT: dies.killAt }) },
      stdio: ["pipe", "ignore", "inherit"],
    },
  );
  child.stdin.end(JSON.stringify(chosen));
  return ended(child);
}

test("killed right before it was settled, nothing is gone", async () => {
  const home = await temporaryFolder();
  const scene = await homeWithWord(home);
  expect(await forgetInProcess(home, scene, { killAt: "messages.forgotten:before" })).toBe("SIGKILL");
  const second = await forgetScene({ home });
  expect(await readFile(join(scene.workspace, "memory/m.md"), "utf8")).toBe(`${word}\n${word}\nplain\n`);
  expect(await auditProblems(second)).toEqual([]);
  expect((await second.events()).some((event) => "text" in event && event.text.includes(word))).toBe(true);
});

test.each([
  { killAt: "messages.forgotten:after" },
  { killAt: "conversation.forgotten:before" },
  { killAt: "conversation.forgotten:after" },
  { at: "before the file" },
  { at: "after the file" },
  { at: "before the index" },
] as { killAt?: string; at?: string }[])(
  "killed later (%o), the next start takes out what was chosen, and no other line",
  async (dies) => {
    const home = await temporaryFolder();
    const scene = await homeWithWord(home);
    expect(await forgetInProcess(home, scene, dies)).toBe("SIGKILL");
    let caughtUp = 0;
    const catchUpIndex = async () => ++caughtUp > 0;
    const second = await forgetScene({ home, catchUpIndex });
    await second.until("conversation.forgotten");
    await eventually(() => filesWith(word, home), ["workspace/memory/m.md"]);
    // at its end the notes are clean already
    expect(caughtUp).toBe(dies.killAt?.startsWith("conversation.forgotten") ? 0 : 1);
    expect(await readFile(join(scene.workspace, "memory/m.md"), "utf8")).toBe(`${word}\nplain\n`);
    expect(await auditProblems(second)).toEqual([]);
    expect(second.troubles).toEqual([]);
    await second.close();
    expect((await checkStore(home)).filter((finding) => !finding.ok)).toEqual([]);
    expect(await filesWith(word, home)).toEqual(["workspace/memory/m.md"]);
  },
);

test("an index that cannot be cleaned yet is told of, and cleaned at the next start", async () => {
  const home = await temporaryFolder();
  const { chosen } = await homeWithWord(home);
  const second = await forgetScene({ home, catchUpIndex: async () => false });
  expect(await second.call("memory.forget", { lines: chosen.lines })).toMatchObject({
    lines: 1,
    stayed: ["The index could not be cleaned yet. That is done at the next start."],
  });
  await second.close();
  let caughtUp = 0;
  await (await forgetScene({ home, catchUpIndex: async () => ++caughtUp > 0 })).close();
  await forgetScene({ home, catchUpIndex: async () => ++caughtUp > 0 });
  expect(caughtUp).toBe(1);
});

test("a file that somebody has changed in between loses only the lines that still stand where they stood", async () => {
  const home = await temporaryFolder();
  const scene = await homeWithWord(home);
  expect(await forgetInProcess(home, scene, { at: "before the file" })).toBe("SIGKILL");
  await writeFile(join(scene.workspace, "memory/m.md"), `${word}\nby hand\n`);
  const second = await forgetScene({ home });
  expect(await readFile(join(scene.workspace, "memory/m.md"), "utf8")).toBe("by hand\n");
  expect(second.troubles).toEqual([]);
});

test("a note that cannot be written at the next start is told of, and taken up again at the one after it", async () => {
  const home = await temporaryFolder();
  const scene = await homeWithWord(home);
  expect(await forgetInProcess(home, scene, { at: "before the file" })).toBe("SIGKILL");
  const path = join(scene.workspace, "memory/m.md");
  await chmod(path, 0o444);
  const second = await forgetScene({ home });
  expect(JSON.stringify(second.troubles)).toContain("read-only");
  await second.close();
  await chmod(path, 0o600);
  await forgetScene({ home });
  expect(await readFile(path, "utf8")).toBe(`${word}\nplain\n`);
});

test.runIf(canMount)("on a full disk a note that cannot be written stays whole, and the answer says why", async () => {
  const disk = await smallDisk(2_000);
  const home = await temporaryFolder();
  const scene = await forgetScene({ home, workspace: disk.folder });
  const long = `${word}\n${"long ".repeat(20_000)}\n`;
  await mkdir(join(disk.folder, "memory"), { recursive: true });
  await writeFile(join(disk.folder, "memory/m.md"), long);
  disk.fill();
  const lines = [{ path: "memory/m.md", line: 1, text: word }];
  const answer = await scene.call("memory.forget", { lines });
  expect(answer).toEqual({
    lines: 0,
    messages: 0,
    earlierVersions: 0,
    stayed: [expect.stringContaining("the disk is full")],
  });
  expect(await readFile(join(disk.folder, "memory/m.md"), "utf8")).toBe(long);
  disk.free();
  expect(await scene.call("memory.forget", { lines })).toMatchObject({ lines: 1, stayed: [] });
});

test.runIf(canMount)("when nothing can be noted any more, nothing is taken out", async () => {
  const disk = await smallDisk(6_000);
  const home = join(disk.folder, "home");
  const workspace = await temporaryFolder();
  const scene = await forgetScene({ home, workspace });
  await mkdir(join(workspace, "memory"), { recursive: true });
  await writeFile(join(workspace, "memory/m.md"), `${word}\n`);
  disk.fill();
  const lines = [{ path: "memory/m.md", line: 1, text: word }];
  const cause = await scene.call("memory.forget", { lines }).catch((failure: unknown) => failure);
  expect(refusalOf(cause).message).toContain("The disk is full");
  expect(await readFile(join(workspace, "memory/m.md"), "utf8")).toBe(`${word}\n`);
  disk.free();
});
