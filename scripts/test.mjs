// `npm test`: installs what is missing, runs the tests, names those that failed, and closes with "N passed, N failed".
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled } from "./ensure-installed.mjs";
import { refuseOldNode } from "./node-version.mjs";
import { pathWithPinnedNode, runPinned } from "./pinned-node.mjs";
import { projectRoot } from "./project-root.mjs";
import { ensureNewerPackages, ensureSystemPackages } from "./system-packages.mjs";

refuseOldNode();
await ensureInstalled(projectRoot);
ensureSystemPackages();
ensureNewerPackages();

const folder = mkdtempSync(join(tmpdir(), "steward-test-"));
const reportFile = join(folder, "report.json");
const reporters = ["--reporter=default", "--reporter=./scripts/failure-reporter.mjs"];
const command = ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...process.argv.slice(2)];
const exitCode = await runPinned(projectRoot, command, {
  cwd: projectRoot,
  env: { ...process.env, PATH: pathWithPinnedNode(projectRoot), STEWARD_TEST_REPORT: reportFile },
});
const { passed, failures } = readReport();
rmSync(folder, { recursive: true, force: true });
if (failures.length === 0 && exitCode !== 0 && passed > 0)
  failures.push(`the run itself, which ended with ${exitCode}`);

if (passed + failures.length === 0) console.error("No test ran, and that counts as a failure.");
// at the end, where whoever reads a long output looks first
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = exitCode !== 0 || failures.length > 0 || passed === 0 ? 1 : 0;

function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8"));
  } catch {
    // vitest ended before it wrote one; its exit code decides
    return { passed: 0, failures: [] };
  }
}
