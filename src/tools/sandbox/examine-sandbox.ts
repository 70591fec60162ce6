import type { Finding } from "../../contract/room/room.ts";
import { sandboxUser } from "../programs/workspace-owner.ts";
import { chooseSandbox, type SandboxDeps } from "./choose-sandbox.ts";
import { openProbes, runProbeBattery } from "./probe-battery.ts";

/** The doctor's look at the box: every way out that is known is tried from inside. */
export async function examineSandbox(deps: SandboxDeps): Promise<readonly Finding[]> {
  const chosen = await chooseSandbox(deps);
  if ("unavailable" in chosen) return [{ ok: false, name: "commands", detail: chosen.unavailable }];
  const { sandbox } = chosen;
  if (sandbox.name === "none") {
    return [
      { ok: false, name: "commands", detail: sandbox.describe(), next: "Set sandbox.kind to auto in config.json." },
    ];
  }
  const as = deps.ownUser.uid === 0 ? { user: sandboxUser } : {};
  const results = await runProbeBattery({ folder: deps.temporaryFolder, node: deps.node, ...as }, sandbox, "all");
  await sandbox.close?.();
  const open = openProbes(results).map((probe) => `${probe.name}: ${probe.detail}`);
  return [
    { ok: true, name: "commands", detail: sandbox.describe() },
    open.length === 0
      ? { ok: true, name: "sandbox", detail: `${results.length} ways out tried, none open` }
      : {
          ok: false,
          name: "sandbox",
          detail: open.join("; "),
          next: "Set guard.mode to deny until this is mended, and report it.",
        },
  ];
}
