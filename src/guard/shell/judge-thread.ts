// The thread that judges commands: a question comes in, the answer of the judge goes out.
import module from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { Settings } from "../../contract/settings.ts";
import type { ShellJudge } from "../judgement.ts";

export type JudgeThreadData = {
  settings: Settings;
  workspace: string;
  /** Where compiled code is kept; a thread does not know by itself. */
  compiled: string | undefined;
};
export type Question = { method: keyof ShellJudge; command: string };

const { settings, workspace, compiled } = workerData as JudgeThreadData;
if (compiled) module.enableCompileCache(compiled);
const { openShellJudge } = await import("./judge-command.ts");
parentPort?.on("message", ({ method, command }: Question) =>
  parentPort?.postMessage({ answer: openShellJudge(settings, workspace)[method](command) }),
);
parentPort?.postMessage("ready");
