/** bundled: comes with Steward. claude: from `.claude/skills`, where other assistants keep theirs. */
export type SkillSource = "workspace" | "claude" | "bundled";

export type Skill = {
  name: string;
  /** When to use it, as the model is told in every turn. */
  description: string;
  source: SkillSource;
  /** As the owner knows the file: relative to the workspace, or bundled/… */
  file: string;
  /** Where the file lies on the disk. */
  path: string;
};

export type SkillProblem = {
  /** error: the skill is left out. warning: it works, and something should still be mended. */
  severity: "error" | "warning";
  file: string;
  line?: number;
  message: string;
  next: string;
};

export function problemWords({ severity, file, line, message, next }: SkillProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `${place} ${severity === "error" ? "is left out" : "could be better"}: ${message}. ${next}`.trim();
}
