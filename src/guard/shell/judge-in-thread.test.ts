import { readdirSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cpuMsOf } from "../../../tests/scenes/cpu-time.ts";
import { eventually } from "../../../tests/scenes/eventually.ts";
import { type BuiltWorkspace, buildWorkspace } from "../../../tests/scenes/shell-workspace.ts";
import { Settings } from "../../contract/settings.ts";
import { openJudgeInThread } from "./judge-in-thread.ts";

// the parser needs time that grows with the square of these
const endless = `echo ${"{".repeat(60_000)}`;

let workspace: BuiltWorkspace;
let judge: ReturnType<typeof judgeWith>;
beforeEach(() => {
  workspace = buildWorkspace();
  judge = judgeWith({});
});
afterEach(async () => {
  await judge.close();
  rmSync(workspace.path, { recursive: true, force: true });
});

function judgeWith(times: { deadlineMs?: number; idleMs?: number }) {
  return openJudgeInThread({ settings: Settings.parse({}), workspace: workspace.path, deadlineMs: 20_000, ...times });
}

// a thread holds some of its own
const openDescriptors = () => readdirSync("/dev/fd").length;

test("the thread answers as the rules do", async () => {
  expect(await judge.judge("ls src")).toMatchObject({ verdict: "allow", readsOnly: true });
  expect(await judge.judge("cat /etc/passwd")).toMatchObject({ verdict: "deny", rule: "path", readsOnly: false });
  const named = (await judge.filesNamedIn("node script.js < a.txt")).map((path) => basename(path));
  expect(named).toEqual(expect.arrayContaining(["script.js", "a.txt"]));
});

test("what is not judged in time is a question, even after an always, and the next command is judged", async () => {
  judge = judgeWith({ deadlineMs: 300 });
  const [late, next] = await Promise.all([judge.judge(endless), judge.judge("ls src")]);
  expect(late).toEqual({
    verdict: "ask",
    rule: "check cut short",
    reason: "This command could not be checked within 0.3 s. Look at it closely.",
    readsOnly: false,
    lasting: true,
  });
  expect(next).toMatchObject({ verdict: "allow" });
});

test("while a command is judged, the program is free", async () => {
  judge = judgeWith({ deadlineMs: 500 });
  await judge.judge("ls");
  expect(await cpuMsOf(() => judge.judge(endless))).toBeLessThan(100);
});

test("a check that breaks is a question, and the next command is judged", async () => {
  const away = buildWorkspace();
  const own = openJudgeInThread({ settings: Settings.parse({}), workspace: away.path });
  rmSync(away.path, { recursive: true });
  expect(await own.judge("ls")).toMatchObject({ verdict: "ask", reason: expect.stringContaining("broke off") });
  expect(await own.judge("ls")).toMatchObject({ verdict: "ask", rule: "check cut short" });
  await own.close();
});

test("when the files of a command cannot be counted, its approval is bound to the whole workspace", async () => {
  expect(await judge.filesNamedIn("a".repeat(200_000))).toEqual(["."]);
});

test("an idle thread ends by itself, and the next command starts another", async () => {
  const before = openDescriptors();
  judge = judgeWith({ idleMs: 200 });
  await judge.judge("ls");
  expect(openDescriptors()).toBeGreaterThan(before);
  await eventually(() => openDescriptors() <= before);
  expect(await judge.judge("ls")).toMatchObject({ verdict: "allow" });
});

test("closing answers whoever still waits", async () => {
  const waiting = [judge.judge(endless), judge.judge("ls")];
  await judge.close();
  for (const answer of await Promise.all([...waiting, judge.judge("ls")]))
    expect(answer).toMatchObject({ verdict: "ask", reason: expect.stringContaining("closing") });
});
