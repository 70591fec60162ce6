import { posix } from "node:path";
import { memoryNames, type ProtectedName, secretFile, steeringNames } from "../contract/protected-names.ts";

/** A path as the model writes it, relative to the workspace and in one spelling. */
export function insideWorkspace(path: string, workspace: string): string {
  const relative =
    path === workspace ? "." : path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
  return posix.normalize(relative).normalize("NFC").toLowerCase();
}

/** Keys and passwords of the owner. */
export function isSecret(inside: string): boolean {
  const name = posix.basename(inside);
  const isNamedSo = name === secretFile.name || name.startsWith(`${secretFile.name}.`);
  return isNamedSo && !/\.(example|sample|template)$/.test(name);
}

/** What steers the assistant: its character, its rules, its skills. */
export function isSteering(inside: string): boolean {
  return nameOnTop(steeringNames, inside) !== undefined;
}

/** What the assistant writes down to know it later. */
export function isMemoryNote(inside: string): boolean {
  const note = nameOnTop(memoryNames, inside);
  return note?.kind === "folder" ? inside.includes("/") : note !== undefined;
}

// compared without case, because some file systems do not tell cases apart
function nameOnTop(names: readonly ProtectedName[], inside: string): ProtectedName | undefined {
  const [first] = inside.split("/");
  return names.find(({ name }) => name.toLowerCase() === first);
}
