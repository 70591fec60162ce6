import { readFileSync, symlinkSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Settings } from "../../src/contract/settings.ts";
import { openJudgeInThread } from "../../src/guard/shell/judge-in-thread.ts";
import { hostileCommand } from "../corpora/shell/hostile-command.ts";
import { cpuMs } from "../scenes/cpu-time.ts";
import { sample } from "../scenes/sample.ts";
import { type BuiltWorkspace, buildWorkspace } from "../scenes/shell-workspace.ts";

const seeds = sample(
  Array.from({ length: 20_000 }, (_, at) => at + 1),
  60,
);
let workspace: BuiltWorkspace;
let judge: ReturnType<typeof openJudgeInThread>;

beforeAll(() => {
  workspace = buildWorkspace();
  symlinkSync(".", `${workspace.path}/loop`);
  judge = openJudgeInThread({ settings: Settings.parse({}), workspace: workspace.path });
});
afterAll(async () => {
  await judge.close();
  workspace.remove();
});

function readCorpus(name: string): string[] {
  const lines = readFileSync(new URL(`../corpora/shell-${name}.jsonl`, import.meta.url), "utf8").split("\n");
  return lines.filter(Boolean).map((line) => String(JSON.parse(line).command).replaceAll("{{W}}", workspace.path));
}

test(`${seeds.length} hostile commands are all answered, and none keeps the program busy`, async () => {
  const known = [...readCorpus("attacks"), ...readCorpus("benign")];
  const slow: string[] = [];
  let answered = 0;
  for (const seed of seeds) {
    const command = hostileCommand(seed, known);
    const beganMs = cpuMs();
    const judgement = await judge.judge(command);
    await judge.filesNamedIn(command);
    const usedMs = cpuMs() - beganMs;
    if (usedMs > 100) slow.push(`${usedMs} ms: seed ${seed}, ${command.length} characters`);
    if (["allow", "ask", "deny"].includes(judgement.verdict)) answered++;
  }
  expect([answered, slow]).toEqual([seeds.length, []]);
}, 7_200_000);
