import type { Sandbox } from "../sandbox.ts";
import type { ProbeScene } from "./probe-scene.ts";

/** Open: what should have failed worked, or what should have worked failed. */
export type ProbeResult = { name: string; open: boolean; detail: string };

/** A few lines of sh that succeed when the guard has a hole. */
export type ScriptProbe = { name: string; script(scene: ProbeScene): string };

/** A probe that needs a command of its own, or a look from the host. */
export type RunProbe = { name: string; run(sandbox: Sandbox, scene: ProbeScene): Promise<Omit<ProbeResult, "name">> };
