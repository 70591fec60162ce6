// `npm test`: installs what is missing, runs the tests, names those that failed, and closes with "N passed, N failed".
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ensureInstalled } from "./ensure-installed.mjs";
import { refuseOldNode } from "./node-version.mjs";
import { runPinned } from "./pinned-node.mjs";
import { projectRoot } from "./project-root.mjs";
import { ensureNewerPackages, ensureSystemPackages } from "./system-packages.mjs";

refuseOldNode();
await ensureInstalled(projectRoot);
ensureSystemPackages();
ensureNewerPackages();

const folder = mkdtempSync(join(tmpdir(), "steward-test-"));
const reportFile = join(folder, "report.json");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
const command = ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...process.argv.slice(2)];
const exitCode = await runPinned(projectRoot, command, { cwd: projectRoot });
const report = readReport();
rmSync(folder, { recursive: true, force: true });
const passed = report?.numPassedTests ?? 0;
const failures = listFailures(report?.testResults ?? []);
// an error outside of any test fails the run, and must not look like success
if (failures.length === 0 && exitCode !== 0 && passed > 0) failures.push("an error outside of any test");

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
    return undefined;
  }
}

function listFailures(files) {
  return files.flatMap((file) => {
    const path = relative(projectRoot, file.name);
    const tests = file.assertionResults.filter((test) => test.status === "failed");
    // a file that cannot be loaded has no tests to fail
    if (tests.length === 0) return file.status === "failed" ? [`${path} > the file itself`] : [];
    return tests.map((test) => [path, ...test.ancestorTitles, test.title].join(" > ").replace(/\s+/g, " "));
  });
}
