import { spawnSync } from "node:child_process";
import { findTrustedProgram } from "../../programs/trusted-program.ts";

export type FoundBwrap = { kind: "usable"; path: string } | { kind: "unusable"; reason: string };

// the first version that can keep commands from making namespaces of their own
const oldestVersion = [0, 8] as const;

/** The system's own bubblewrap: distributions allow namespaces to that very path, and a copy would not be updated. */
export function findTrustedBwrap(folders: readonly string[]): FoundBwrap {
  const found = findTrustedProgram("bwrap", folders);
  if (found.kind === "missing")
    return { kind: "unusable", reason: "bubblewrap is not installed: apt-get install bubblewrap." };
  if (found.kind === "unsafe") return { kind: "unusable", reason: found.reason };
  const { stdout } = spawnSync(found.path, ["--version"], { encoding: "utf8", env: {}, timeout: 5_000 });
  const version = /(\d+)\.(\d+)[\d.]*/.exec(stdout ?? "");
  if (!version) return { kind: "unusable", reason: `${found.path} does not tell its version` };
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const recent = major > oldestVersion[0] || minor >= oldestVersion[1];
  if (recent) return { kind: "usable", path: found.path };
  return {
    kind: "unusable",
    reason: `bubblewrap ${version[0]} is too old: ${oldestVersion.join(".")} or later is needed`,
  };
}
