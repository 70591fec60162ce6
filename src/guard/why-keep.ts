import { protectedPart } from "./shell/paths/protected-paths.ts";
import { insideWorkspace, isSecret, isSteering } from "./workspace-roles.ts";

/**
 * A running command is kept from these files by mounts, and replacing a file on the outside takes its mount away inside;
 * so they are not replaced while one runs.
 */
export function whyKeep(path: string, workspace: string, runningCommands: number): string | undefined {
  const inside = insideWorkspace(path, workspace);
  const isKept = isSteering(inside) || isSecret(inside) || protectedPart(inside, false) !== undefined;
  if (!isKept || runningCommands === 0) return undefined;
  return "it must not change while a command runs. Wait for the command or end it, then try again.";
}
