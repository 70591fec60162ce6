import { createHash } from "node:crypto";
import type { GuardDeps, GuardedCall } from "./judgement.ts";

/** A hash over the tool, its exact arguments, the working directory and the content of every file the call names. */
export async function bindCall(
  deps: Pick<GuardDeps, "hashFile" | "judgeShell">,
  guarded: GuardedCall,
): Promise<string> {
  const { tool, call, workspace } = guarded;
  const named = call.command === undefined ? [] : (await deps.judgeShell(call.command)).files;
  const paths = [...new Set([...call.paths.map((use) => use.path), ...named])].sort();
  const files: (readonly [string, string])[] = [];
  for (const path of paths) files.push([path, await deps.hashFile(workspace, path)]);
  return createHash("sha256")
    .update(JSON.stringify([tool.name, call.arguments, workspace, files]))
    .digest("hex");
}
