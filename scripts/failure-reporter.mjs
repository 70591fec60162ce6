// Tells scripts/test.mjs how a run of vitest ended: how many tests passed, and a line of what failed and why for each that did not.
import { writeFileSync } from "node:fs";

const longestReason = 300;

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter from nowhere else
export default class FailureReporter {
  onTestRunEnd(modules, errorsOutside) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failures = [
      ...modules.flatMap(failuresOf),
      // such an error fails the run, and must not look like success
      ...errorsOutside.map((error) => `an error outside of any test: ${reasonOf(error)}${placeOf(error)}`),
    ];
    const passed = tests.filter((test) => test.result().state === "passed").length;
    writeFileSync(process.env.STEWARD_TEST_REPORT, JSON.stringify({ passed, failures }));
  }
}

function failuresOf(module) {
  const path = module.relativeModuleId;
  const failed = [...module.children.allTests("failed")];
  if (failed.length > 0)
    return failed.map((test) => `${path} > ${test.fullName}: ${reasonOf(test.result().errors?.[0])}`);
  // a file that cannot be loaded has no tests to fail
  return module.ok() ? [] : [`${path} > the file itself: ${reasonOf(module.errors()[0])}`];
}

function reasonOf(error) {
  if (!error) return "nothing is said about why";
  const words = `${error.name ?? "Error"}: ${error.message ?? error}`;
  return words.replace(/\s+/g, " ").slice(0, longestReason);
}

// who threw it where is all there is to go by when it does not happen again
function placeOf({ stack, VITEST_TEST_PATH: path, VITEST_TEST_NAME: name }) {
  const lines = (stack ?? "").split("\n").filter((line) => /^\s*at /.test(line));
  const during = path ? ` while ${[path, name].filter(Boolean).join(" > ")}` : "";
  return `${during}${
    lines.length > 0
      ? ` (${lines
          .slice(0, 4)
          .map((line) => line.trim())
          .join(" ")})`
      : ""
  }`.replaceAll("\n", " ");
}
