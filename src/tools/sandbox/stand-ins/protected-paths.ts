/** Names at the top of a workspace that other programs, or Steward itself, run or obey. */
export type ProtectedPath = {
  name: string;
  kind: "file" | "folder";
  /** What the stand-in for a missing one holds; every reader must take it for "nothing". */
  standIn: string;
};

const file = (name: string, standIn = ""): ProtectedPath => ({ name, kind: "file", standIn });
const folder = (name: string): ProtectedPath => ({ name, kind: "folder", standIn: "" });

export const protectedPaths: readonly ProtectedPath[] = [
  file(".npmrc"),
  file(".mcp.json", "{}\n"),
  file(".envrc"),
  file(".bashrc"),
  file(".bash_profile"),
  file(".profile"),
  file(".zshrc"),
  file("AGENTS.md"),
  file("SOUL.md"),
  file("IDENTITY.md"),
  file("TOOLS.md"),
  file("HEARTBEAT.md"),
  // notes are written by the file tools only, which judge what is written
  file("MEMORY.md"),
  file("USER.md"),
  folder(".claude"),
  folder(".vscode"),
  folder("skills"),
  folder("agents"),
  folder("memory"),
];

/** Inside .git everything else stays writable, so that commit, branch and fetch work. */
export const protectedGitPaths: readonly ProtectedPath[] = [
  file("config"),
  file("config.worktree"),
  // git takes config and hooks from where this file points; a dot is the folder itself
  file("commondir", ".\n"),
  folder("hooks"),
  folder("modules"),
  folder("worktrees"),
];

export const gitFolder: ProtectedPath = folder(".git");
/** Its content is for Steward alone. */
export const secretFile: ProtectedPath = file(".env");
