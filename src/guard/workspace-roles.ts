import { posix } from "node:path";

// compared without case, because some file systems do not tell cases apart
const steeringFiles = new Set(["agents.md", "soul.md", "identity.md", "tools.md", "heartbeat.md"]);
const steeringFolders = new Set(["skills", "agents"]);

/** A path as the model writes it, relative to the workspace and in one spelling. */
export function insideWorkspace(path: string, workspace: string): string {
  const relative =
    path === workspace ? "." : path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
  return posix.normalize(relative).normalize("NFC").toLowerCase();
}

/** Keys and passwords of the owner. */
export function isSecret(inside: string): boolean {
  const name = posix.basename(inside);
  return /^\.env(\.|$)/.test(name) && !/\.(example|sample|template)$/.test(name);
}

/** What steers the assistant: its character, its rules, its skills. */
export function isSteering(inside: string): boolean {
  const [first = ""] = inside.split("/");
  return steeringFiles.has(inside) || steeringFolders.has(first);
}

/** What the assistant writes down to know it later. */
export function isMemoryNote(inside: string): boolean {
  return inside === "memory.md" || inside === "user.md" || inside.startsWith("memory/");
}
