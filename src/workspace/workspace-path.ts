import { join, resolve } from "node:path";
import type { Settings } from "../contract/settings.ts";

/** The folder that the owner has chosen, or the usual one. */
export function workspacePath(
  { path }: Settings["workspace"],
  { home, userHome }: { home: string; userHome: string },
): string {
  if (path === null) return join(home, "workspace");
  return resolve(path.startsWith("~/") ? join(userHome, path.slice(2)) : path);
}
