// `npm test`: installs what is missing, runs the tests, and closes with the line "N passed, N failed".
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled } from "./ensure-installed.mjs";
import { refuseOldNode } from "./node-version.mjs";
import { runPinned } from "./pinned-node.mjs";
import { projectRoot } from "./project-root.mjs";
import { ensureSystemPackages } from "./system-packages.mjs";

refuseOldNode();
await ensureInstalled(projectRoot);
ensureSystemPackages();

const folder = mkdtempSync(join(tmpdir(), "steward-test-"));
const reportFile = join(folder, "report.json");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
const command = ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...process.argv.slice(2)];
const exitCode = await runPinned(projectRoot, command, { cwd: projectRoot });
const { passed, failed } = count(readReport(), exitCode);
rmSync(folder, { recursive: true, force: true });

if (passed + failed === 0) console.error("No test ran, and that counts as a failure.");
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = exitCode !== 0 || failed > 0 || passed === 0 ? 1 : 0;

function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8"));
  } catch {
    // vitest ended before it wrote one; its exit code decides
    return undefined;
  }
}

function count(report, code) {
  const failedTests = report?.numFailedTests ?? 0;
  // a file that cannot be loaded has no tests to fail, and must not look like success
  const brokenFiles = (report?.testResults ?? []).filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const failed = failedTests + brokenFiles;
  const passed = report?.numPassedTests ?? 0;
  return { passed, failed: failed === 0 && code !== 0 && passed > 0 ? 1 : failed };
}
