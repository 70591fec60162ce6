// Looks for SKILL.md in a folder and all folders below it. A link is told and never followed: it may lead out of the workspace. Every turn
// looks, and there are few folders: asking the disk at once costs less than waiting for it.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { codeOf, reasonOf } from "../../contract/failure.ts";
import type { SkillProblem, SkillSource } from "./skill.ts";

/** `shown`: how the path is told to the owner, relative to the workspace where it lies in there. */
type Folder = { path: string; shown: string };
/** `parent`: a folder on the way from the workspace to it, which must be no link either. */
export type SkillRoot = Folder & { source: SkillSource; parent?: Folder };
export type FoundFile = { source: SkillSource; path: string; file: string; folderName: string };
export type FoundFiles = { files: readonly FoundFile[]; problems: readonly SkillProblem[] };

const mostDepth = 6;
const mostFolders = 1_000;
const mostSkills = 200;
const skillName = "SKILL.md";

export function findSkills(root: SkillRoot): FoundFiles {
  const files: FoundFile[] = [];
  const problems: SkillProblem[] = [];
  let folders = 0;
  if ((!root.parent || isFolder(root.parent)) && isFolder(root)) look(root, 0);
  if (isTooMuch()) refuse(root.shown, `more than ${mostSkills} skills or ${mostFolders} folders`, "Move some away.");
  return { files: files.slice(0, mostSkills), problems };

  function isFolder({ path, shown }: Folder): boolean {
    try {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found && !found.isDirectory()) refuseEntry(shown, found.isSymbolicLink());
      return found?.isDirectory() ?? false;
    } catch (cause) {
      if (codeOf(cause) !== "ENOTDIR") refuse(shown, reasonOf(cause), "Mend it.");
      return false;
    }
  }

  function look({ path, shown }: Folder, depth: number): void {
    folders += 1;
    if (isTooMuch()) return;
    const entries = entriesOf({ path, shown });
    if (depth > 0 && entries.some(({ name }) => name === skillName)) {
      // what else lies in a skill's own folder belongs to that skill
      const [file, folderName] = [join(shown, skillName), basename(path)];
      files.push({ source: root.source, path: join(path, skillName), file, folderName });
      return;
    }
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      lookAt(entry, { path: join(path, entry.name), shown: join(shown, entry.name) }, depth);
  }

  function lookAt(entry: Dirent, at: Folder, depth: number): void {
    if (entry.isSymbolicLink()) refuseEntry(at.shown, true);
    else if (!entry.isDirectory()) tellMisplaced(entry.name, at.shown, depth);
    else if (entry.name.startsWith(".") || entry.name === "node_modules") return;
    else if (depth < mostDepth) look(at, depth + 1);
    else refuse(at.shown, `it lies more than ${mostDepth} folders deep`, "Move it further up.");
  }

  function entriesOf({ path, shown }: Folder): readonly Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (cause) {
      refuse(shown, `it cannot be read: ${reasonOf(cause)}`, "Give yourself the right to read it.");
      return [];
    }
  }

  function isTooMuch(): boolean {
    return folders > mostFolders || files.length > mostSkills;
  }

  function tellMisplaced(name: string, shown: string, depth: number): void {
    if (/^skill\.md$/i.test(name) && depth > 0)
      refuse(shown, `a skill's file is called ${skillName}`, "Write its name in capitals.");
    else if (/\.md$/i.test(name) && !/^readme\.md$/i.test(name) && depth === 0) {
      const folder = /^skill\.md$/i.test(name) ? "<name>" : name.slice(0, -".md".length);
      const next = `Move it to ${join(root.shown, folder, skillName)} if it is a skill.`;
      refuse(shown, `a skill is a folder with a ${skillName} in it`, next);
    }
  }

  function refuseEntry(file: string, isLink: boolean): void {
    const message = isLink ? "it is a link, and links are not followed" : "it is not a folder";
    refuse(file, message, "Put the real folder in its place.");
  }

  function refuse(file: string, message: string, next: string): void {
    problems.push({ severity: "error", file, message, next });
  }
}
