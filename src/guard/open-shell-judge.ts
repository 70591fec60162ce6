import type { Settings } from "../contract/settings.ts";
import type { GuardDeps } from "./judgement.ts";

/** The shell rules are large, and most conversations need none of them. */
export function openShellJudge(settings: Settings, workspace: string): GuardDeps["judgeShell"] {
  return async (command) => {
    const { judgeShell, shellPolicyFor } = await import("./judge-shell.ts");
    return judgeShell(shellPolicyFor(settings, workspace), command);
  };
}
