import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Settings } from "../contract/settings.ts";
import { underHome } from "../contract/words/home-path.ts";

/** Where the agent's folder is, or will be. */
export function findWorkspace({ home, settings }: { home: string; settings: Settings }): string {
  const { path } = settings.workspace;
  if (path === null) return join(home, "workspace");
  return resolve(underHome(path, homedir()));
}
