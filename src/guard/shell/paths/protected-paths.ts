/** Files whose content is run or obeyed by other programs; no command may write, move or delete them, at any depth. */
const protectedNames = new Set([
  ".git",
  "git~1",
  ".npmrc",
  ".mcp.json",
  ".claude",
  ".vscode",
  ".envrc",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
]);

/** What an interrupted git leaves behind; removing it is how people get going again. */
const gitLeftovers = /^\.git\/(?:[^/]+\.lock|refs\/.+\.lock|gc\.log|MERGE_[A-Z]+|rebase-merge|rebase-apply)$/;

/** The protected name in a path below a root, whether or not it exists yet; case does not count, as on a Mac's disk. */
export function protectedPart(relativePath: string, removing: boolean): string | undefined {
  const names = relativePath.split("/");
  const at = names.findIndex((name) => protectedNames.has(name.toLowerCase()));
  if (at < 0) return undefined;
  if (removing && gitLeftovers.test(names.slice(at).join("/"))) return undefined;
  return names.slice(0, at + 2).join("/");
}
