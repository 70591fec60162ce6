// One function decides every call of every tool: allow, ask a person, or deny. All rules are heard; the strictest one wins.

import { createHash } from "node:crypto";
import type { Settings } from "../contract/settings.ts";
import type { Queryable } from "../store/database/database.ts";
import { isGranted } from "../store/tables/trust.ts";
import { allow, type Decision, type Guard, type GuardDeps, type GuardedCall, type ShellJudge } from "./judgement.ts";
import {
  judgeAlways,
  judgeAsker,
  judgeCommand,
  judgeDestinations,
  judgeEffects,
  judgePaths,
  judgePolicy,
  judgeTaint,
  judgeTold,
} from "./rules.ts";

const severity = { allow: 0, ask: 1, deny: 2 } as const;

export function openGuard(deps: GuardDeps): Guard {
  return { decide, bindingOf, filesReadBy };

  async function decide(guarded: GuardedCall): Promise<Decision> {
    const command =
      guarded.call.command === undefined ? undefined : await (await deps.shell()).judge(guarded.call.command);
    const judgements = [
      judgeAsker(guarded),
      judgePolicy(deps, guarded),
      judgePaths(deps, guarded),
      judgeCommand(command),
      judgeTaint(deps, guarded, command),
      judgeDestinations(deps, guarded),
      judgeTold(deps, guarded),
      judgeEffects(deps, guarded, command),
      judgeAlways(guarded),
    ];
    const strictest = judgements.reduce((worst, next) =>
      severity[next.verdict] > severity[worst.verdict] ? next : worst,
    );
    if (strictest.verdict === "allow") return judgements.find((judgement) => "bits" in judgement) ?? strictest;
    if (strictest.verdict === "deny") return strictest;
    const mustAsk = judgements.some((judgement) => judgement.verdict === "ask" && judgement.lasting === true);
    if (mustAsk) return { ...strictest, lasting: true };
    return (await deps.isGranted(await bindingOf(guarded))) ? allow : strictest;
  }

  /**
   * A hash over the tool, its exact arguments, the working folder and the content of every file the call names, so that
   * nothing of it can change between the answer and the run (TOCTOU).
   */
  async function bindingOf({ tool, call, workspace }: GuardedCall): Promise<string> {
    const named = call.command === undefined ? [] : await (await deps.shell()).filesNamedIn(call.command);
    const paths = [...new Set([...call.paths.map((use) => use.path), ...named])].sort();
    const files: (readonly [string, string])[] = [];
    for (const path of paths) files.push([path, await deps.hashFile(workspace, path)]);
    return createHash("sha256")
      .update(JSON.stringify([tool.name, call.arguments, workspace, files]))
      .digest("hex");
  }

  async function filesReadBy(command: string): Promise<readonly string[] | "anything"> {
    return (await (await deps.shell()).judge(command)).reads ?? "anything";
  }
}

export type SettingsGuardDeps = Pick<GuardDeps, "extraDirs" | "hashFile"> & {
  settings: Settings;
  workspace: string;
  database: Queryable;
};

/** The guard as the settings want it, and how its thread is ended. */
export function openSettingsGuard(deps: SettingsGuardDeps): Guard & { close(): Promise<void> } {
  const { settings, workspace, database, extraDirs, hashFile } = deps;
  const shell = lazyShellJudge(settings, workspace);
  const guard = openGuard({
    settings: settings.guard,
    shell: shell.open,
    commandsHaveNetwork: settings.sandbox.allowedHosts.length > 0 || settings.sandbox.kind === "none",
    ...(extraDirs && { extraDirs }),
    isGranted: (binding) => isGranted(database, binding),
    hashFile,
  });
  return { ...guard, close: shell.close };
}

/** The shell rules and their thread are large, and most conversations need neither. */
function lazyShellJudge(settings: Settings, workspace: string) {
  let opened: ReturnType<typeof openJudge> | undefined;
  return {
    open(): Promise<ShellJudge> {
      opened ??= openJudge();
      return opened;
    },
    close: async () => (await opened)?.close(),
  };

  async function openJudge() {
    return (await import("./shell/judge-in-thread.ts")).openJudgeInThread({ settings, workspace });
  }
}
