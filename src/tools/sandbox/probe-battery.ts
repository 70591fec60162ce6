import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openProbeScene, type ProbeDeps, type ProbeResult, type ProbeScene } from "./probes/probe-scene.ts";
import { collect, runProbes } from "./probes/run-probes.ts";
import { scriptProbes, tamperFunction } from "./probes/script-probes.ts";
import type { Sandbox, SandboxCommand } from "./sandbox.ts";

/** Tries to break out in every way it knows. `quick` is one command, for every start; `all` is for the doctor. */
export async function runProbeBattery(
  deps: ProbeDeps,
  sandbox: Sandbox,
  extent: "quick" | "all",
): Promise<ProbeResult[]> {
  const scene = await openProbeScene(deps);
  try {
    const results = await runScriptProbes(sandbox, scene, { isLast: extent === "quick" });
    if (extent === "quick") return results;
    const again = await runScriptProbes(sandbox, scene);
    // by now the sandbox may have made a box ahead, which must hold as well
    await setTimeout(madeAheadMs);
    const ahead = await runScriptProbes(sandbox, scene);
    const worst = results.map(
      (first, position) => [again[position], ahead[position]].find((one) => one?.open) ?? first,
    );
    for (const probe of runProbes) worst.push({ name: probe.name, ...(await probe.run(sandbox, scene)) });
    return worst;
  } finally {
    await scene.close();
  }
}

export function openProbes(results: readonly ProbeResult[]): ProbeResult[] {
  return results.filter((result) => result.open);
}

const writable = "write in the workspace";
const madeAheadMs = 300;

export async function runScriptProbes(
  sandbox: Sandbox,
  scene: ProbeScene,
  change: Pick<SandboxCommand, "isLast"> = {},
): Promise<ProbeResult[]> {
  const probes = scriptProbes.filter(({ only }) => only === undefined || only === sandbox.name);
  const lines = probes.map(
    (probe, number) =>
      `if { ${probe.script(scene)}; } >/dev/null 2>&1; then echo ${number} open; else echo ${number} closed; fi`,
  );
  // from a file: on a command line the baits' names would be found in the probe's own process
  await writeFile(
    join(scene.workspace, "probe.sh"),
    [tamperFunction, ...lines, "true > written && echo writable"].join("\n"),
  );
  const { text, end } = await collect(sandbox, scene.command(["/bin/sh", "./probe.sh"], change));
  const said = new Set(text.split("\n"));
  const failure = end.notStarted ?? text.trim().split("\n").at(-1) ?? "";
  const works = said.has("writable");
  return [
    { name: writable, open: !works, detail: works ? "" : `does not work: ${failure}` },
    // a probe that did not report counts as open
    ...probes.map(({ name }, number) => ({
      name,
      open: !said.has(`${number} closed`),
      detail: said.has(`${number} open`) ? "it worked" : works ? "" : failure,
    })),
  ];
}
