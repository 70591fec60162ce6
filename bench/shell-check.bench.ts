// What the shell rules cost: every command of both corpora is checked, against starting a bash that does nothing.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { checkCommand } from "../src/guard/shell/check-command.ts";
import { buildWorkspace, defaultPolicy } from "../tests/scenes/shell-workspace.ts";
import { mean, quantile, steadyMs } from "./measure/figures.ts";
import { type Figure, printReport } from "./measure/report.ts";

const rounds = 3;
const workspace = buildWorkspace();
const policy = defaultPolicy(workspace.path);
const figures: Figure[] = [];
for (const name of ["benign", "attacks"]) {
  const commands = readCommands(name);
  const checks: number[] = [];
  const bashes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [index, command] of commands.entries()) {
      checks.push(timed(() => checkCommand(policy, command)));
      // in between, so that a busy moment hits both
      if (index % 20 === 0) bashes.push(timed(() => spawnSync("bash", ["-c", "true"])));
    }
  }
  const bash = { name: "bash -c true", value: mean(bashes) };
  figures.push({
    what: `${name}: one check of ${commands.length}`,
    value: mean(checks),
    unit: "ms",
    against: bash,
    goal: { ratioAtMost: 0.5 },
  });
  figures.push({ what: `${name}: 99th of 100`, value: quantile(checks, 0.99), unit: "ms", against: bash });
}
workspace.remove();
printReport(figures);

function readCommands(name: string): readonly string[] {
  const text = readFileSync(new URL(`../tests/corpora/shell-${name}.jsonl`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => String(JSON.parse(line).command).replaceAll("{{W}}", workspace.path));
}

function timed(act: () => unknown): number {
  const startedMs = steadyMs();
  act();
  return steadyMs() - startedMs;
}
