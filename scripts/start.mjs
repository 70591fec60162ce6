import { ensureInstalled } from "./ensure-installed.mjs";
import { ensureProgram } from "./ensure-program.mjs";
import { ensureSandbox } from "./ensure-sandbox.mjs";
import { ensureWebPage } from "./ensure-web-page.mjs";
import { isPinnedNode, programEnvironment, runPinned } from "./pinned-node.mjs";
import { projectRoot } from "./project-root.mjs";

/** Steward in this very process if it is the pinned Node already, else in a child that behaves as if it were. */
export async function start(args) {
  await ensureInstalled(projectRoot);
  ensureSandbox(args);
  await ensureWebPage(projectRoot, args);
  const program = await ensureProgram(projectRoot);
  if (isPinnedNode(projectRoot)) {
    process.argv.splice(2, 0, program);
    await import("./run-main.mjs");
  } else {
    const options = { endWithChild: true, env: programEnvironment(projectRoot) };
    await runPinned(projectRoot, ["scripts/run-main.mjs", program, ...args], options);
  }
}
