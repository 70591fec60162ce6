import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { eventually } from "../../scenes/eventually.ts";
import { isLong } from "../../scenes/sample.ts";
import { processesWith } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";

/** Of the pause before each kill. */
const growth = isLong ? 1.15 : 1.5;

test("at whatever moment of its making Steward is killed, no box goes on without it", async () => {
  const { workspace, stewardHome } = await sandboxScene();
  const program = fileURLToPath(import.meta.resolve("../../scenes/sandbox/sandbox-killed-steward.ts"));
  // up to the moment at which the command runs, however long a busy machine takes until then
  let hasRun = false;
  for (let delayMs = 0; !hasRun; delayMs = Math.max(delayMs + 3, delayMs * growth)) {
    const steward = spawn(process.execPath, [program, stewardHome, workspace], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = new Promise((resolve) => steward.once("exit", resolve));
    await new Promise((resolve) => steward.stdout.once("data", resolve));
    steward.stdout.on("data", (piece) => {
      hasRun ||= String(piece).includes("running");
    });
    await sleep(delayMs);
    steward.kill("SIGKILL");
    await exit;
    // the next one waits for it, and would be killed while it waits
    await eventually(() => processesWith("97.6543").length === 0);
  }
  await eventually(() => readdirSync(join(stewardHome, "data", "stand-ins")).length === 0);
}, 300_000);
